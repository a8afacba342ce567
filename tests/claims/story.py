"""Check every sentence of a game's story against the club file, by patterns independent of the program."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

from tests.claims.book import Book, Game
from tests.claims.chances import Chances

OFF_BY = {0: 16, 10: 10, 25: 8, 50: 5}  # docs/odds.md
ENDINGS = {
    "_only_score", "_made_it", "_on_the_side", "_bidder_wins", "_highest_wins", "_they_share",
    "_early", "_last_hand", "_others_lost", "_took_everything", "_counted_out", "_special_won", "_special_lost",
    "_set_too_often",
}  # fmt: skip
TIMES = {"once": 1, "twice": 2}
OTHER_ENDS = "No odds for games with these rules."
BY_HAND = "From N hands of your club, give or take N%."
BY_COMPUTER = "A computer’s guess, give or take N%."


def number(text: str) -> int:
    return int(text.replace("−", "-").replace(",", ""))


def times(text: str) -> int:
    return TIMES.get(text) or number(text.removesuffix(" times"))


def is_plural(many: int, text: str) -> bool:
    """True if the plural s of a word agrees with the number: 1 hand, 2 hands."""
    return text.endswith("s") == (many != 1)


def people(text: str, among: set[str]) -> set[str]:
    """Resolve a list of names to full names; each is a full name or an unambiguous first name."""
    found = set()
    for said in re.split(r", | and ", text):
        exactly = {name for name in among if name == said}
        same = exactly or {name for name in among if name.split()[0] == said}
        assert len(same) == 1, f"{said!r} could be {same or 'nobody'}"
        found |= same
    return found


class StoryCheck:
    """Checks the story of one game against its record; every check raises AssertionError if a sentence is wrong."""

    def __init__(self, book: Book, game: Game) -> None:
        self.game, self.book = game, book
        self.hands, self.said = len(game.hands), set[str]()
        self._chances: Chances | None = None

    @property
    def chances(self) -> Chances:
        self._chances = self._chances or Chances(self.book, self.game)
        return self._chances

    def check(self, text: str) -> None:
        """Check all sentences in order; a sentence that matches no pattern fails."""
        *others, last = [name for unit in self.game.winners for name in self.game.sitting(unit)] or [""]
        winners = " and ".join(filter(None, (", ".join(others), last)))  # as the first sentence names them
        rest = re.sub(r"(?<=\. )(They|The winner) ", f"{winners} ", text)
        rest = re.sub(r" The winner(s’|’s) chance", f" {winners}’s chance", rest)
        while rest:
            for pattern, method in KINDS.items():
                if found := re.match(pattern.replace(WHO, self._a_list) + r"(?: |$)", rest):
                    method(self, found)
                    self.said.add(method.__name__)
                    break
            else:
                raise AssertionError(f"a sentence of an unknown kind: {rest!r}")
            rest = rest[found.end() :]
        self._nothing_is_missing()

    def _nothing_is_missing(self) -> None:
        over, said = bool(self.game.winners), self.said
        if self.hands:
            assert ("_result" in said) == over
            assert over or not said & ENDINGS
            if over and not said & ENDINGS:
                self._reached_first()
            assert ("_bids" in said or "_only_bid" in said) == any(v["bid"] for v in self.game.verdicts)
            assert over == ("_behind" in said or "_ahead" in said or len(self.game.winners) > 1)
            assert ("_lead_changed" in said) == (over and self._lead_changes() > 1)
            assert "_turning_point" in said or not self._must_have_turned()

    @cached_property
    def _a_list(self) -> str:
        """A regex for a list of players of this game."""
        return f"(?:{self._one})(?:, (?:{self._one}))*(?: and (?:{self._one}))?"

    @cached_property
    def _one(self) -> str:
        names = {said for name in self.game.everybody for said in (name, name.split()[0])}
        return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))

    def _people(self, text: str) -> set[str]:
        return people(text, self.game.everybody)

    def _unit(self, text: str, hand: int = -1) -> str:
        """The unit whose players in that hand are the ones named."""
        there = people(text, set(self.game.seatings[hand]))
        return next(unit for unit in self.game.units if set(self.game.sitting(unit, hand)) == there)

    def _winners_named(self, text: str) -> None:
        there = {name for unit in self.game.winners for name in self.game.sitting(unit)}
        assert len(there) > 1 if text == "They" else self._people(text) == there

    def _near(self, percent: str, chance: float) -> None:
        assert abs(int(percent) - 100 * chance) <= self.chances.off_by(chance), (percent, chance)

    # --- the result ---

    def _result(self, m: Any) -> None:
        game, final = self.game, self.game.final
        self._winners_named(m["who"])
        assert (m["verb"] == "wins") == (len(people(m["who"], game.everybody)) == 1)
        if m["forfeit"]:
            assert game.is_forfeit
            assert not m["lead"]
            return
        first = game.by_score
        if m["own"]:
            assert len(game.units) > 3
            assert {number(m["own"])} >= {final[game.winners[0]]}
        else:
            assert [number(one) for one in m["line"].split(" to ")] == [final[unit] for unit in first]
        ahead = -game.behind(game.winners[0], final) if len(game.winners) == 1 else 0
        assert number(m["lead"] or "0") == max(ahead, 0)
        assert not m["lead"] or is_plural(number(m["lead"]), m["points"])
        assert number(m["hands"] or "0") == self.hands

    # --- endings ---

    def _last(self, m: Any) -> dict[str, int]:
        """Check the number of the last hand in the sentence; return the final scores."""
        assert number(m["hand"]) == self.hands
        return self.game.final

    @property
    def _target(self) -> int:
        return int(self.game.rules["win"]["target"])

    def _there(self) -> list[str]:
        """Units at the target at the end that are eligible to win under the rules."""
        may = self.game.units
        if self.game.rules["win"]["eligible"] == "made-bid":
            last = self.game.verdicts[-1]
            may = last["bidding_units"] if last["made"] else []
        return [unit for unit in may if self.game.final[unit] >= self._target]

    def _anybody_before(self) -> bool:
        return any(max(totals.values()) >= self._target for totals in self.game.totals[:-1])

    def _own(self, m: Any) -> None:
        self._winners_named(m["who"])
        assert {number(m["own"])} == {self.game.final[unit] for unit in self.game.winners}

    def _reached_first(self) -> None:
        """A win at the target that needs no reason."""
        assert not self._anybody_before()
        assert self._there() == self.game.winners

    def _only_score(self, m: Any) -> None:
        self._last(m)
        self._own(m)
        assert number(m["target"]) == self._target
        assert self._anybody_before()
        assert [unit for unit in self.game.units if self.game.final[unit] >= self._target] == self.game.winners

    def _made_it(self, m: Any) -> None:
        self._last(m)
        self._own(m)
        last = self.game.verdicts[-1]
        assert last["made"]
        assert self._bid(m["bid"]) == last["bid"]
        assert self.game.unit_of(last["bidder"]) in self.game.winners
        self._only_who_makes_it(m["rule"])

    def _on_the_side(self, m: Any) -> None:
        self._last(m)
        self._own(m)
        last = self.game.verdicts[-1]
        assert last["made"]
        assert self._bid(m["bid"]) == last["bid"]
        assert people(m["bidder"], set(self.game.seatings[-1])) == {self.game.seatings[-1][last["bidder"] - 1]}
        assert self.game.unit_of(last["bidder"]) not in self.game.winners
        assert set(self.game.winners) <= set(last["bidding_units"])
        self._only_who_makes_it(m["rule"])

    def _only_who_makes_it(self, rule: str) -> None:
        game = self.game
        assert game.rules["win"]["eligible"] == "made-bid"
        sides = game.rules["table"]["sides"] != "teams"
        who = (
            "a team that makes its own"
            if game.teams
            else "the bidder and the partner of a made"
            if sides
            else "a player who makes a"
        )
        assert rule == f"From {self._target} on, only {who} bid can win."

    def _crowd(self, text: str) -> None:
        assert len(self._there()) > 1
        what = "teams" if self.game.teams else "players"
        if self.game.rules["win"]["eligible"] == "made-bid":
            assert text == f"several players on the side that made its bid reach {self._target}"
        else:
            many = "both" if len(self.game.units) == 2 else "several"
            assert text == f"{many} {what} reach {self._target}"

    def _bidder_wins(self, m: Any) -> None:
        self._last(m)
        self._own(m)
        self._crowd(m["crowd"])
        assert self.game.winners == [self.game.unit_of(self.game.verdicts[-1]["bidder"])]
        assert (m["what"] == "bidding team") == bool(self.game.teams)

    def _highest_wins(self, m: Any) -> None:
        self._last(m)
        self._own(m)
        self._crowd(m["crowd"])
        top = max(self.game.final[unit] for unit in self._there())
        assert [unit for unit in self._there() if self.game.final[unit] == top] == self.game.winners
        if m["unless"]:
            assert self.game.unit_of(self.game.verdicts[-1]["bidder"]) not in self._there()

    def _they_share(self, m: Any) -> None:
        self._last(m)
        if m["crowd"]:
            self._crowd(m["crowd"])
            assert self.game.winners == self._there()
        else:
            assert number(m["target"]) == self._target
            top = max(self.game.final[unit] for unit in self._there())
            assert [unit for unit in self._there() if self.game.final[unit] == top] == self.game.winners
        self._each_had(m["had"])

    def _each_had(self, had: str) -> None:
        """Check "Ann and Bo had 12", or each unit's own score if they differ."""
        parts = re.findall(r"(.+?) had (−?\d+)(?: and |, |$)", had)
        assert {name for who, _ in parts for name in self._people(who)} == {
            name for unit in self.game.winners for name in self.game.sitting(unit)
        }
        for who, own in parts:
            named = self._people(who)
            mine = [unit for unit in self.game.winners if named >= set(self.game.sitting(unit))]
            assert mine
            assert {self.game.final[unit] for unit in mine} == {number(own)}

    def _last_hand(self, m: Any) -> None:
        game, self_hands = self.game, self._last(m) and self.hands
        assert self_hands == game.rules["win"]["hands"] + sum(verdict["bid"] is None for verdict in game.verdicts)
        assert game.winners == [unit for unit in game.units if game.final[unit] == max(game.final.values())]
        self._each_had(m["had"])

    def _others_lost(self, m: Any) -> None:
        self._last(m)
        self._own(m)
        lost_at = self.game.rules["win"]["lost_at"]
        assert number(m["lost"]) == lost_at
        left = {unit: total for unit, total in self.game.final.items() if total > lost_at} or self.game.final
        assert len(left) < len(self.game.units) or max(left.values()) <= lost_at
        assert self.game.winners == [unit for unit in left if left[unit] == max(left.values())]

    def _took_everything(self, m: Any) -> None:
        self._last(m)
        self._winners_named(m["who"])
        assert self.game.rules["win"]["all_points"] in ("anyone", "bidder")
        (side,) = {owner for owner, _, _ in self.game.verdicts[-1]["points"].values()}
        assert self.game.winners == [side]

    def _counted_out(self, m: Any) -> None:
        """Add up the points of the last hand in the order of the rules: the winners must reach the target first."""
        self._own(m)
        self._crowd(m["crowd"])
        rules, last, there = self.game.rules, self.game.verdicts[-1], self._there()
        worth = {point["key"]: point["worth"] for point in rules["points"]}
        running = {unit: self.game.totals[-2][unit] for unit in there}
        for key in rules["win"]["order"]:
            owner = last["points"][key][0]
            running |= {unit: total + worth[key] for unit, total in running.items() if last["who"][unit] == owner}
            if over := [unit for unit, total in running.items() if total >= self._target]:
                assert over == self.game.winners
                return
        raise AssertionError("nobody is over by points taken")

    def _special(self, m: Any) -> dict[str, Any]:
        """Check that the sentence names the last hand's special bid; return it."""
        self._last(m)
        last = self.game.verdicts[-1]
        (found,) = (one for one in self.game.rules["auction"]["specials"] if one["bid"] == last["bid"])
        assert m["bid"] == found["name"]
        return dict(found)

    def _special_won(self, m: Any) -> None:
        special, last = self._special(m), self.game.verdicts[-1]
        self._winners_named(m["who"])
        assert special["made"] == "win"
        assert last["made"]
        assert self.game.winners == last["bidding_units"]

    def _special_lost(self, m: Any) -> None:
        special, last = self._special(m), self.game.verdicts[-1]
        self._winners_named(m["who"])
        assert special["failed"] == "lose"
        assert not last["made"]
        bidder = self.game.seatings[-1][last["bidder"] - 1]
        assert people(m["bidder"], set(self.game.seatings[-1])) == {bidder}
        others = {unit: total for unit, total in self.game.final.items() if unit not in last["bidding_units"]}
        assert self.game.winners == [unit for unit in others if others[unit] == max(others.values())]

    def _set_too_often(self, m: Any) -> None:
        game, most = self.game, self.game.rules["win"]["lost_sets"]
        self._last(m)
        self._own(m)
        assert times(m["times"]) == most
        sets = {unit: sum(game.is_set(unit, hand) for hand in range(1, self.hands + 1)) for unit in game.units}
        assert max(sets.values()) == most
        losers = {name for unit in game.units if sets[unit] == most for name in game.sitting(unit)}
        assert self._people(m["set"]) == losers
        left = {unit: total for unit, total in game.final.items() if sets[unit] < most} or game.final
        assert game.winners == [unit for unit in left if left[unit] == max(left.values())]

    def _early(self, m: Any) -> None:
        self._last(m)
        self._own(m)
        (winner,), rule = self.game.winners, self.game.rules["win"]["early"]
        assert self.game.final[winner] >= rule["at"]
        others = [self.game.final[unit] for unit in self.game.units if unit != winner]
        assert max(others) <= number(m["most"]) == rule["others_at_most"]
        assert bool(m["made"]) == (rule["eligible"] == "made-bid")

    # --- unfinished games ---

    def _abandoned(self, m: Any) -> None:
        assert self.game.is_abandoned
        assert not self.game.winners
        assert number(m["hands"]) == self.hands
        self._named_totals(m["totals"])

    def _named_totals(self, text: str) -> None:
        parts = re.findall(r"(.+?) (−?\d+)(?:, |$)", text)
        assert {self._unit(who): number(total) for who, total in parts} == self.game.final

    def _nobody_leads(self, m: Any) -> None:
        assert number(m["hands"]) == self.hands
        assert not self.game.winners
        assert list(self.game.final.values()).count(max(self.game.final.values())) > 1
        self._totals(m["totals"], self.game.by_score)

    def _totals(self, text: str, units: list[str]) -> None:
        if len(units) > 3:
            self._named_totals(text)
        else:
            assert [number(one) for one in text.split(" to ")] == [self.game.final[unit] for unit in units]

    def _leads(self, m: Any) -> None:
        leader, final = self._unit(m["who"]), self.game.final
        assert number(m["hands"]) == self.hands
        assert not self.game.winners
        assert not self.game.is_abandoned
        assert all(final[leader] > final[unit] for unit in self.game.units if unit != leader)
        alone = len(self.game.sitting(leader)) == 1
        assert (m["verb"] == "leads") == alone
        self._totals(m["totals"], self.game.by_score)
        assert bool(m["percent"]) == self.has_chances
        if m["percent"]:
            assert (m["their"] == "The") == alone
            self._near(m["percent"], self.chances.at(final)[leader])

    # --- leads and comebacks ---

    def _ahead(self, m: Any) -> None:
        (winner,) = self.game.winners
        self._winners_named(m["who"])
        assert (m["verb"] == "was") == (len(self.game.sitting(winner)) == 1)
        assert all(self.game.behind(winner, totals) <= 0 for totals in self.game.totals[:-1])

    def _behind(self, m: Any) -> None:
        assert bool(m["percent"]) == self.has_chances
        (winner,) = self.game.winners
        when = number(m["hand"]) if m["hand"] else 0
        assert self._unit(m["who"], when or -1) == winner  # who sat there then
        assert (m["verb"] == "was") == (len(self.game.sitting(winner)) == 1)
        gaps = [self.game.behind(winner, totals) for totals in self.game.totals[:-1]]
        assert gaps[when] == max(gaps) == number(m["points"]) > 0
        assert gaps.index(max(gaps)) == when
        assert is_plural(max(gaps), m["unit"])
        if m["percent"]:
            self._near(m["percent"], self.chances.at(self.game.totals[when])[winner])
            assert (m["a"] == "an") == (m["percent"][0] == "8" or m["percent"] in ("11", "18"))

    def _lead_changes(self) -> int:
        leaders: list[str] = []
        for totals in self.game.totals:
            best = [unit for unit in totals if totals[unit] == max(totals.values())]
            if len(best) == 1 and best != leaders[-1:]:
                leaders += best
        return max(0, len(leaders) - 1)

    def _lead_changed(self, m: Any) -> None:
        assert times(m["times"]) == self._lead_changes()

    # --- the turning point ---

    def _line(self) -> list[dict[str, float]]:
        """The chances before the first hand and after each."""
        game = self.game
        line = [self.chances.at(totals) for totals in (game.totals[:-1] if game.winners else game.totals)]
        part = {unit: (unit in game.winners) / len(game.winners) for unit in game.units} if game.winners else None
        return [*line, part] if part else line

    def _turning_point(self, m: Any) -> None:
        hand, line = number(m["hand"]), self._line()
        unit = self._unit(m["whose"], hand)
        before, after = line[hand - 1][unit], line[hand][unit]
        self._near(m["before"], before)
        self._near(m["after"], after)
        assert [unit] == self.game.winners
        off = self.chances.off_by(0.5)
        assert number(m["before"]) <= 50 < number(m["after"])
        assert all(100 * now[unit] > 50 - off for now in line[hand:])
        assert any(100 * then[unit] < 50 + off for then in line[:hand])
        assert hand < self.hands or number(m["before"]) < 40
        self._call(m["call"], hand)

    def _must_have_turned(self) -> bool:
        """True if a turning point is required: the winner was behind before the last hands, and never near 50 %."""
        if not self.has_chances or len(self.game.winners) != 1:
            return False
        mine = [100 * now[self.game.winners[0]] for now in self._line()]
        is_behind, off = [chance < 49.4 for chance in mine], self.chances.off_by(0.5) + 0.5
        return any(is_behind[:-2]) and not is_behind[-2] and all(abs(chance - 50) > off for chance in mine[1:])

    def _call(self, text: str, hand: int) -> None:
        """Check a call such as "Ann bid 2, took 4" and the penalties of that hand."""
        verdict = self.game.verdicts[hand - 1]
        call, *penalties = re.split(r"; ", text)
        assert penalties == [self._penalty(one, hand) for one in verdict["said"]]
        if verdict["bid"] is None:
            assert call == "all passed"
            return
        found = re.fullmatch(
            r"(?P<who>.+?) bid (?P<bid>\w+), took (?P<took>\d+)(?P<trick> but lost a trick)?(?P<set>, set)?", call
        )
        assert found, call
        self._bidders(found["who"], hand)
        assert self._bid(found["bid"]) == verdict["bid"]
        assert number(found["took"]) == verdict["earned"][verdict["bidding_side"]]
        assert bool(found["set"]) != verdict["made"]
        if found["trick"]:
            assert verdict["sweep"] != verdict["bidding_side"]

    def _penalty(self, told: dict[str, Any], hand: int) -> str:
        sign = "+" if told["points"] > 0 else "−"
        return f"{self._team(told['unit'], hand)} {sign}{abs(told['points'])}: {told['reason']}"

    def _team(self, unit: str, hand: int) -> str:
        """A pair by both first names, a larger team by its first player's; a short or shared name is whole."""
        there, shorts = self.game.seatings[hand], []
        for name in self.game.sitting(unit, hand):
            first = name.split()[0]
            alike = [one.split()[0] for one in there].count(first) > 1
            is_whole = alike or len(name) < 10 or first.endswith(".") or first == "Little"
            shorts.append(name if is_whole else first)
        return f"{shorts[0]}’s team" if len(shorts) > 2 else " and ".join(shorts)

    def _bidders(self, who: str, hand: int) -> None:
        verdict, there = self.game.verdicts[hand - 1], self.game.seatings[hand]
        bidder = there[verdict["bidder"] - 1]
        if self.game.teams:
            assert people(who, set(there)) == {bidder}
        else:
            side = {there[seat - 1] for seat in self.game.seats if self.game.unit_of(seat) in verdict["bidding_units"]}
            assert people(who, set(there)) == side
            assert people(re.split(r", | and ", who)[0], set(there)) == {bidder}

    def _bid(self, text: str) -> int:
        specials = {special["name"]: special["bid"] for special in self.game.rules["auction"]["specials"]}
        return int(specials.get(text) or text)

    # --- the bids ---

    def _sets(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for hand, verdict in enumerate(self.game.verdicts, 1):
            if verdict["bid"] is not None and not verdict["made"]:
                name = self.game.seatings[hand][verdict["bidder"] - 1]
                found[name] = found.get(name, 0) + 1
        return found

    def _bid_count(self) -> int:
        return sum(verdict["bid"] is not None for verdict in self.game.verdicts)

    def _only_bid(self, m: Any) -> None:
        assert self._bid_count() == 1
        assert (m["how"] == "set") == bool(self._sets())

    def _bids(self, m: Any) -> None:
        sets, count = self._sets(), self._bid_count()
        made = count - sum(sets.values())
        assert made == (number(m["some"]) if m["some"] else count if m["how"] == "made" else 0)
        assert bool(m["all"]) == (made in (0, count))
        assert m["all"] in (None, "Both" if count == 2 else f"All {count}")
        assert m["all"] or number(m["of"]) == count
        self._set(m["who"] or m["only"], sets)

    def _set(self, text: str | None, sets: dict[str, int]) -> None:
        parts = re.findall(rf"({self._one})(?: (once|twice|\d+ times))?(?:, | and |\.?$)", text or "")
        found = {}
        for who, often in parts:
            (name,) = self._people(who)
            found[name] = times(often) if often else 1
        assert found == sets, (found, sets)

    # --- games without hands ---

    def _on_paper(self, _: Any) -> None:
        assert self.game.paper
        assert not self.game.is_forfeit

    def _not_played(self, _: Any) -> None:
        assert self.game.is_forfeit

    def _no_hands(self, _: Any) -> None:
        assert not self.hands

    # --- what the chances are based on ---

    @property
    def has_chances(self) -> bool:
        """True if a game ends by scores only, and scores change by bids and points taken only."""
        win, specials = self.game.rules["win"], self.game.rules["auction"]["specials"]
        otherwise = win["hands"], win["lost_at"] is not None, win["lost_sets"], win["all_points"] != "nobody"
        effects = {effect for special in specials for effect in (special["made"], special["failed"])}
        return not any(otherwise) and "count-out" not in win["both"] and effects <= {"bid", "taken"}

    def check_source(self, text: str) -> None:
        if not self.has_chances:
            assert text == OTHER_ENDS
            return
        numbers = [number(one) for one in re.findall(r"\d+", text)]
        own = self.chances.own
        off = OFF_BY[max(hands for hands in OFF_BY if hands <= own)]
        assert re.sub(r"\d+", "N", text) == (BY_HAND if own else BY_COMPUTER)
        assert numbers == ([own, off] if own else [off])

    # --- charts ---

    def check_score_chart(self, summary: str, rows: list[list[str]]) -> None:
        """Check the summary of the score chart and its table."""
        game = self.game
        teams = {self._team(unit, -1): unit for unit in game.units}
        m = re.fullmatch(r"After (\d+) hands?: (.+?)\.", summary)
        assert m, summary
        assert number(m[1]) == self.hands
        totals = re.findall(r"(.+?) (−?\d+)(?:, |$)", m[2])
        assert {teams[name]: number(total) for name, total in totals} == game.final
        head, *body = rows
        assert head == ["Hand", *teams]
        for hand, row in enumerate(body, 1):
            cells = [f"{game.totals[hand][u]}{' (set)' if game.is_set(u, hand) else ''}" for u in game.units]
            assert row == [str(hand), *(cell.replace("-", "−") for cell in cells)]
        assert len(body) == self.hands

    def check_chance_chart(self, summary: str, rows: list[list[str]]) -> None:
        """Check the summary of the chance chart and its table, whose rows add up to 100 except for rounding."""
        line = self._line()
        head, *body = rows
        teams = {self._team(unit, -1): unit for unit in self.game.units}
        assert head == ["Hand", *teams]
        assert len(body) == len(line)
        for place, row in enumerate(body):
            assert row[0] == (str(place) if place else "before")
            for percent, unit in zip(row[1:], self.game.units, strict=True):
                self._near(percent.removesuffix("%"), line[place][unit])
        m = re.fullmatch(r"After (\d+) hands?: (.+?)\.", summary)
        assert m, summary
        assert number(m[1]) == self.hands
        assert re.findall(r"(.+?) (\d+%)(?:, |$)", m[2]) == [*zip(head[1:], body[-1][1:], strict=True)]


N, WHO = r"−?[\d,]+", "PEOPLE"
NAMED, AGAIN, OWN, HAND = f"(?P<who>{WHO})", f"(?P<who>{WHO}|They)", f"(?P<own>{N})", r"hand (?P<hand>\d+)"
CROWD = r"(?P<crowd>(?:both|several) [\w ]+ reach \d+)"
RULE = r"(?P<rule>From \d+ on, only [\w ]+ bid can win\.)"
KINDS: dict[str, Callable[[StoryCheck, Any], None]] = {
    rf"{AGAIN} had {OWN} after hand (?P<hand>\d+), the only score of (?P<target>\d+) or more\.": (
        StoryCheck._only_score
    ),
    rf"{AGAIN} bid (?P<bid>\w+) in {HAND}, made it, and had {OWN}\. {RULE}": StoryCheck._made_it,
    rf"(?P<bidder>{WHO}) made (?P<bid>\w+) in {HAND} with {NAMED}, who had {OWN}\. {RULE}": (
        StoryCheck._on_the_side
    ),
    rf"When {CROWD}, the (?P<what>bidding team|bidder) wins: {NAMED} had the bid in {HAND} and "
    rf"finished with {OWN}\.": StoryCheck._bidder_wins,
    rf"When {CROWD}(?P<unless> and the bidder does not)?, the highest score wins: {NAMED} had {OWN} after "
    r"hand (?P<hand>\d+)\.": StoryCheck._highest_wins,
    rf"When (?:{CROWD}|the highest scores of (?P<target>\d+) or more tie), they win together: (?P<had>.+?) after hand "
    r"(?P<hand>\d+)\.": StoryCheck._they_share,
    r"Hand (?P<hand>\d+) was the last, and the highest score wins: (?P<had>.+?) after hand \d+\.": (
        StoryCheck._last_hand
    ),
    rf"A score of (?P<lost>{N}) or less loses the game\. {NAMED} won with {OWN} after {HAND}\.": (
        StoryCheck._others_lost
    ),
    rf"{AGAIN} took every point of {HAND}, which wins the game\.": StoryCheck._took_everything,
    rf"When {CROWD}, the points are counted one by one: {NAMED} got there first, with {OWN}\.": (
        StoryCheck._counted_out
    ),
    rf"{AGAIN} made the (?P<bid>.+?) bid in {HAND}, which wins the game\.": StoryCheck._special_won,
    rf"(?P<bidder>{WHO}) bid (?P<bid>.+?) in {HAND} and was set, which loses the game\. {NAMED} won\.": (
        StoryCheck._special_lost
    ),
    rf"(?P<set>{WHO}) (?:was|were) set (?P<times>once|twice|\d+ times?)\. "
    rf"{NAMED} won with {OWN} after {HAND}\.": (
        StoryCheck._set_too_often
    ),
    rf"{AGAIN} won early(?P<made> by a made bid)?: {OWN} in {HAND}, with everyone else at "
    rf"(?P<most>{N}) or less\.": StoryCheck._early,
    r"Scored on paper: there is only a final score\.": StoryCheck._on_paper,
    r"The game was not played\.": StoryCheck._not_played,
    r"No hands yet\.": StoryCheck._no_hands,
    r"The game was abandoned after (?P<hands>\d+) hands?: (?P<totals>.+?\d)\.": StoryCheck._abandoned,
    r"After (?P<hands>\d+) hands? nobody leads: (?P<totals>.+?\d)\.": StoryCheck._nobody_leads,
    rf"After (?P<hands>\d+) hands? {NAMED} (?P<verb>leads?): (?P<totals>.+?\d)\.(?: (?P<their>The|Their) chance to win "
    r"is (?P<percent>\d+)%\.)?": StoryCheck._leads,
    rf"{AGAIN} (?P<verb>was|were) never behind\.": StoryCheck._ahead,
    rf"(?:(?:They|The winner) \(then )?{AGAIN}\)? (?P<verb>was|were) (?P<points>\d+) (?P<unit>points?) behind at "
    r"worst, (?:after hand (?P<hand>\d+)|before the first hand)"
    r"(?:, with (?P<a>an?) (?P<percent>\d+)% chance to win)?\.": StoryCheck._behind,
    r"The lead changed (?P<times>twice|\d+ times)\.": StoryCheck._lead_changed,
    rf"The turning point was hand (?P<hand>\d+): (?P<call>.+?)\. (?P<whose>{WHO})’s chance to win rose from "
    r"(?P<before>\d+)% to (?P<after>\d+)%\.": StoryCheck._turning_point,
    r"The only bid was (?P<how>set|made)\.": StoryCheck._only_bid,
    r"(?:(?P<all>Both|All \d+) bids were (?P<how>made|set)(?:: (?P<who>.+?))?|"
    r"Bidders made (?P<some>\d+) of (?P<of>\d+) bids\. Set as bidder: (?P<only>.+))(?:\.|(?<=\.))$": (
        StoryCheck._bids
    ),
    rf"{NAMED} (?P<verb>wins?)(?:, (?P<line>{N}(?: to {N})+)|, with {OWN}|(?P<forfeit> by forfeit))"
    r"(?:, by (?P<lead>\d+) (?P<points>points?))?(?:, in (?P<hands>\d+) hands?)?\.": StoryCheck._result,
}  # fmt: skip
