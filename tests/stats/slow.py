"""An independent, slow implementation of a season's statistics from exported game records, without caches or sums.

It shares no code with `scorekeeper.stats`; of the program, it uses only what `scorekeeper score` returns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property
from typing import Any

from scorekeeper.scoring.record import read_game, score_output, score_record

Name = str


@dataclass
class Played:
    """A finished game: its record, its number, the credit rule by season, and the result of scoring.

    `credit` is the rule of its first season; see `in_season`.

    For a forfeit, which has no record of hands, `forfeited_to` is the unit that won.
    """

    record: dict[str, Any]
    number: int
    seasons: dict[str, str]
    credit: str = "finished"
    forfeited_to: str = ""

    def in_season(self, name: str) -> Played:
        """The game with the credit rule of that season."""
        return replace(self, credit=self.seasons[name])

    @cached_property
    def answer(self) -> dict[str, Any]:
        if self.forfeited_to:
            return {"totals": dict.fromkeys(self.units, 0), "winners": [self.forfeited_to], "hands": []}
        return score_output(read_game(self.record), score_record(self.record))

    @property
    def when(self) -> tuple[str, int]:
        return self.record["played"], self.number

    @property
    def kind(self) -> tuple[str, int, int]:
        return self.record["rules"]["id"], self.record["players"], self.record["teams"]

    @cached_property
    def seatings(self) -> list[list[Name]]:
        """The players by seat, for each hand."""
        sitting, lines = list(self.record["names"]), []
        for hand in self.record["hands"]:
            sitting = [hand.get("names", {}).get(str(seat), name) for seat, name in enumerate(sitting, 1)]
            lines.append(sitting)
        return lines

    @property
    def names(self) -> list[Name]:
        return self.seatings[-1] if self.seatings else self.record["names"]

    @property
    def units(self) -> list[str]:
        """The unit of each seat."""
        seats, teams = self.record["players"], self.record["teams"]
        return ["ABCDEF"[seat % teams] if teams else str(seat + 1) for seat in range(seats)]

    @cached_property
    def seats(self) -> list[list[Name]]:
        """The players whom the game counts for, by seat."""
        if self.credit == "finished":
            return [[name] for name in self.names]
        statuses = [result["status"] for result in self.answer["hands"]]
        sat = [line for line, status in zip(self.seatings, statuses, strict=True) if status == "scored"]
        longest = []
        for seat, last in enumerate(self.names):
            played = [line[seat] for line in sat]
            best = last
            for name in played:  # of equals, the earliest
                if played.count(name) > played.count(best):
                    best = name
            longest.append(best)
        if self.credit == "most":
            twice = any(longest.count(name) > 1 for name in longest)
            return [[name] for name in (self.names if twice else longest)]
        seats = [[name] for name in self.names]
        for seat, name in enumerate(longest):
            if not any(name in others for others in seats):
                seats[seat].append(name)
        return seats

    @cached_property
    def parts(self) -> dict[Name, dict[str, Any]]:
        """The result of the game for each player whom it counts for."""
        totals, winners = self.answer["totals"], self.answer["winners"]
        parts = {}
        credited = [(name, seat, unit) for seat, unit in enumerate(self.units) for name in self.seats[seat]]
        for name, seat, unit in credited:
            won = unit in winners
            ahead = [total for other, total in totals.items() if other in winners or (not won and total > totals[unit])]
            parts[name] = {
                "seat": seat, "unit": unit, "place": 1 if won else 1 + len(ahead), "for": totals[unit],
                "against": max(total for other, total in totals.items() if other != unit),
                "ended": "L" if not won else "W" if len(winners) == 1 else "S",
            }  # fmt: skip
        return parts

    def side(self, hand: int, seat: int) -> str:
        """The side of a seat in a hand."""
        facts, result = self.record["hands"][hand], self.answer["hands"][hand]
        if result["bidding_side"] != "bidding":
            return self.units[seat - 1]
        return "bidding" if seat in (result["bidder"], facts.get("partner")) else "defending"


# --- ratings ------------------------------------------------------------------------------------------------------

Strength = tuple[float, float]  # a rating in points, and its variance
NEWCOMER: Strength = (1000.0, 75.0**2)
LUCK, CHANGE = 300.0**2, 4.5**2  # variance of a game's result, and of a player's strength from one game to the next


def rate(
    games: Iterable[Played], guests: Collection[Name] = ()
) -> dict[Name, list[tuple[tuple[str, int], float, float]]]:
    """The ratings by docs/ratings.md: for each player and game (when, points, standard deviation)."""
    now: dict[Name, Strength] = {}
    history: dict[Name, list[tuple[tuple[str, int], float, float]]] = {}
    for game in sorted((game for game in games if not game.forfeited_to), key=lambda game: game.when):
        after = {name: _rate_one(game, name, now) for name in game.parts if name not in guests}
        now |= after
        for name, (points, variance) in after.items():
            history.setdefault(name, []).append((game.when, points, variance**0.5))
    return history


def _rate_one(game: Played, name: Name, now: dict[Name, Strength]) -> Strength:
    """A player's rating after a game, as if alone in the seat; other shared seats count as their average."""
    mine = game.parts[name]
    seats = [_seat([name] if seat == mine["seat"] else names, now) for seat, names in enumerate(game.seats)]
    sides = {unit: [seat for seat, of in zip(seats, game.units, strict=True) if of == unit] for unit in game.units}
    strong = {unit: sum(points for points, _ in side) / len(side) for unit, side in sides.items()}
    unsure = {unit: sum(variance for _, variance in side) / len(side) ** 2 for unit, side in sides.items()}
    own, others = mine["unit"], [unit for unit in sides if unit != mine["unit"]]
    expected = strong[own] - sum(strong[unit] for unit in others) / len(others)
    spread = LUCK + unsure[own] + sum(unsure[unit] for unit in others) / len(others) ** 2
    (points, variance), size = seats[mine["seat"]], len(sides[own])
    surprise = 300 * _result(game, own, others) - expected
    return points + surprise * variance / size / spread, variance - (variance / size) ** 2 / spread


def _seat(names: list[Name], now: dict[Name, Strength]) -> Strength:
    """The strength of a seat before a game: the averages of its players' points and standard deviations."""
    there = [now.get(name, NEWCOMER) for name in names]
    points, variances = [points for points, _ in there], [variance + CHANGE for _, variance in there]
    return sum(points) / len(there), (sum(variance**0.5 for variance in variances) / len(there)) ** 2


def _result(game: Played, own: str, others: list[str]) -> float:
    """The result of a side: half for winning, relative to chance, half for the margin, relative to the usual one."""
    totals, winners, sides = game.answer["totals"], game.answer["winners"], 1 + len(others)
    target = max([1, *(totals[unit] for unit in winners)])
    ahead = totals[own] - sum(totals[unit] for unit in others) / len(others)
    margin = ahead / (1.1 * target / sides**0.5)
    if winners and all(totals[unit] < max(totals.values()) for unit in winners):
        margin = 0  # a special bid or sets decided
    chance = 1 / sides
    won = ((1 / len(winners) if own in winners else 0) - chance) / (chance * (1 - chance)) ** 0.5
    return won / 2 + min(2, max(-2, margin)) / 2


# --- tables -------------------------------------------------------------------------------------------------------


def numbers(games: list[Played], name: Name) -> dict[str, int]:
    """A player's counts over some games."""
    found = dict.fromkeys(
        ("games", "won", "shared", "lost", "for", "against", "hands", "bids", "made", "sets", "inflicted", "forfeits"),
        0,
    )
    for game in games:
        part = game.parts.get(name)
        if part:
            found["games"] += 1
            found[{"W": "won", "S": "shared", "L": "lost"}[part["ended"]]] += 1
            found["for"] += part["for"]
            found["against"] += part["against"]
            found["forfeits"] += bool(game.forfeited_to)
        for index, (sitting, result) in enumerate(zip(game.seatings, game.answer["hands"], strict=True)):
            if name not in sitting or result["status"] != "scored":
                continue
            seat = sitting.index(name) + 1
            bidding = game.side(index, seat) == game.side(index, result["bidder"])
            found["hands"] += 1
            found["bids"] += result["bidder"] == seat
            found["made"] += result["bidder"] == seat and result["made"]
            found["sets"] += bidding and not result["made"]
            found["inflicted"] += not bidding and not result["made"]
    return found


def all_numbers(games: list[Played]) -> dict[Name, dict[str, int]]:
    """The counts of all players whom at least one of the games counts for."""
    return {name: numbers(games, name) for name in sorted({name for game in games for name in game.parts})}


def table(
    games: list[Played],
    of: dict[Name, dict[str, int]],
    scheme: dict[str, Any],
    rated: dict[Name, list[Any]],
    gone: set[Name],
    bonuses: Iterable[tuple[Name, int]] = (),
) -> dict[Name, int | None]:
    """Places by a scheme, from counts and ratings; a table of ratings leaves out the players in `gone`.

    `bonuses` are the bonus points that count there, as (player, points).
    """
    worth = {name: _worth(of[name], scheme, _last(games, name, rated)) for name in of}
    if scheme["by"] in ("wins", "total", "points"):
        given = [] if scheme["by"] == "wins" else list(bonuses)
        worth = {name: by_nights(games, name, scheme) + sum(n for to, n in given if to == name) for name in of}
    racing = [name for name in of if _may(of[name], scheme) and name not in gone]
    keys: dict[Name, tuple[Any, ...]] = {name: (worth[name],) for name in racing}
    for tie in scheme["ties"]:
        level = {name: [other for other in racing if keys[other] == keys[name]] for name in racing}
        keys = {name: (*keys[name], _tie(tie, name, level[name], games, of)) for name in racing}
    return {name: 1 + sum(keys[other] > keys[name] for other in racing) if name in keys else None for name in of}


def tables(
    games: list[Played],
    of: dict[Name, dict[str, int]],
    scheme: dict[str, Any],
    rated: dict[Name, list[Any]],
    gone: set[Name],
    bonuses: Iterable[tuple[Name, int]] = (),
    divisions: dict[Name, str] | None = None,
) -> dict[Name, int | None]:
    """Each player's place within the division; players without a division have places among themselves."""
    letter = {name: (divisions or {}).get(name, "") for name in of}
    places: dict[Name, int | None] = {}
    for one in sorted(set(letter.values())):
        members = {name: of[name] for name in of if letter[name] == one}
        if scheme["by"] == "ladder":
            places |= ladder(games, members, scheme)
        else:
            places |= table(games, members, scheme, rated, gone, bonuses)
    return places


def ladder(games: list[Played], of: dict[Name, dict[str, int]], scheme: dict[str, Any]) -> dict[Name, int | None]:
    """Each player's place on a ladder by docs/league.md; rung 1 is the top."""
    rung: dict[Name, int] = {}
    for game in sorted(games, key=lambda game: game.when):
        for name in sorted((n for n in game.parts if n in of), key=lambda n: (game.parts[n]["seat"], n)):
            rung.setdefault(name, len(rung) + 1)
        there = {name: rung[name] for name in game.parts if name in of}
        won = [name for name in there if game.parts[name]["ended"] == "W"]
        for name in sorted(won, key=lambda n: there[n]):
            near = [other for other in there if game.parts[other]["ended"] == "L"]
            if scheme.get("reach"):
                near = [other for other in near if there[name] - there[other] <= scheme["reach"]]
            _move_up(rung, name, min((rung[other] for other in near), default=999), scheme.get("climb", "insert"))
    ranked = [name for name in sorted(rung, key=lambda n: rung[n]) if _may(of[name], scheme)]
    return {name: ranked.index(name) + 1 if name in ranked else None for name in of}


def _move_up(rung: dict[Name, int], name: Name, to: int, climb: str) -> None:
    was = rung[name]
    if to >= was:
        return
    for other, at in rung.items():
        if climb == "swap" and at == to:
            rung[other] = was
        elif climb == "insert" and to <= at < was:
            rung[other] = at + 1
    rung[name] = to


def by_nights(games: list[Played], name: Name, scheme: dict[str, Any]) -> Fraction:
    """The total worth of a player's best nights; of all nights if the scheme has no limit."""
    nights: dict[str, list[Played]] = {}
    for game in games:
        if name in game.parts:
            nights.setdefault(game.when[0], []).append(game)
    worth = []
    for night in nights.values():
        ended = [game.parts[name]["ended"] for game in night]
        if scheme["by"] == "wins":
            worth.append(ended.count("W") + Fraction(ended.count("S"), 2))
            continue
        if scheme["by"] == "total":
            worth.append(Fraction(sum(game.parts[name]["for"] for game in night)))
            continue
        each = {"W": scheme["won"], "S": scheme["shared"], "L": scheme["lost"]}
        was_there = any(not game.forfeited_to for game in night)
        worth.append(Fraction(sum(each[letter] for letter in ended)) + (scheme.get("attended", 0) if was_there else 0))
    return sum(sorted(worth)[-scheme.get("best", 0) :], Fraction(0))  # with best = 0 the slice is the whole list


def _last(games: list[Played], name: Name, rated: dict[Name, list[Any]]) -> float:
    last = max((game.when for game in games if name in game.parts and not game.forfeited_to), default=None)
    mine = (points - 3.2 * unsure for when, points, unsure in rated.get(name, ()) if when == last)
    return next(mine, 0.0)  # no rating if there are forfeits only


def _worth(mine: dict[str, int], scheme: dict[str, Any], mu: float) -> Any:
    return {
        "wins": Fraction(2 * mine["won"] + mine["shared"], 2),
        "share": Fraction(2 * mine["won"] + mine["shared"], 2 * mine["games"]),
        "points": sum(mine[ended] * scheme[ended] for ended in ("won", "shared", "lost")),
        "rating": mu,
    }.get(scheme["by"], 0)  # by total score: see by_nights


@dataclass
class PairGame:
    """A game as seen by pairs: two names are one entry, "Ann and Bo"."""

    game: Played
    parts: dict[Name, dict[str, Any]]

    @property
    def when(self) -> tuple[str, int]:
        return self.game.when

    @property
    def forfeited_to(self) -> str:
        return self.game.forfeited_to


def pair_games(games: list[Played]) -> list[PairGame]:
    """Games with teams of two, each with an entry for every pair of players credited with its two seats."""
    found = []
    for game in games:
        parts: dict[Name, dict[str, Any]] = {}
        for unit in sorted(set(game.units)):
            seats = [names for names, of in zip(game.seats, game.units, strict=True) if of == unit]
            if len(seats) == 2:
                parts |= {" and ".join(sorted((a, b))): game.parts[a] for a in seats[0] for b in seats[1]}
        if parts:
            found.append(PairGame(game, parts))
    return found


def pair_numbers(games: list[PairGame]) -> dict[Name, dict[str, int]]:
    """The counts of each pair: hands and bids of both, sets only of hands that both played in one team."""
    found: dict[Name, dict[str, int]] = {}
    for one in games:
        for pair in one.parts:
            first, second = (numbers([one.game], name) for name in pair.split(" and "))
            mine = found.setdefault(pair, dict.fromkeys(first, 0))
            for key in mine:
                both = first[key], second[key]
                if key not in ("sets", "inflicted"):
                    mine[key] += sum(both) if key in ("hands", "bids", "made") else max(both)
            for bidding in _sets_of(one.game, *pair.split(" and ")):
                mine["sets" if bidding else "inflicted"] += 1
    return found


def _sets_of(game: Played, one: Name, other: Name) -> Iterable[bool]:
    """For every set hand in which the two were one team: True if the bid was theirs."""
    for sitting, result in zip(game.seatings, game.answer["hands"], strict=True):
        if result["status"] == "scored" and not result["made"] and {one, other} <= set(sitting):
            teams = {game.units[sitting.index(name)] for name in (one, other)}
            if len(teams) == 1:
                yield game.units[result["bidder"] - 1] in teams


def _may(mine: dict[str, int], scheme: dict[str, Any]) -> bool:
    if scheme["by"] == "share":
        return mine["games"] >= scheme["least"]
    if scheme["by"] == "rating":
        return mine["games"] - mine["forfeits"] >= max(8, scheme.get("needed", 1))
    return mine["games"] >= scheme.get("needed", 1)


def gone(games: list[Played], last_day: str) -> set[Name]:
    """Players left out of a table of ratings: no hand in the 90 days before the last game up to that day."""
    last: dict[Name, date] = {}
    for game in sorted(games, key=lambda game: game.when):
        if game.when[0] <= last_day:
            last |= {name: date.fromisoformat(game.when[0]) for line in game.seatings for name in line}
    return {name for name in last if last[name] < max(last.values()) - timedelta(days=90)}


def _tie(tie: str, name: Name, level: list[Name], games: list[Played], of: dict[Name, dict[str, int]]) -> Any:
    if len(level) == 1:
        return 0
    if tie == "head-to-head":
        return sum(_beat(games, name, other) - _beat(games, other, name) for other in level if other != name)
    mine = of[name]
    played = mine["games"] - mine["forfeits"]
    if not played:
        return Fraction(0)
    if tie == "margin":
        return Fraction(mine["for"] - mine["against"], played)
    return Fraction(-mine["sets"], played)


def _beat(games: list[Played], name: Name, other: Name) -> int:
    met = [game.parts for game in games if name in game.parts and other in game.parts]
    return sum(parts[name]["ended"] == "W" and parts[name]["unit"] != parts[other]["unit"] for parts in met)


def schedule(games: list[Played], name: Name, rated: dict[Name, list[Any]]) -> float:
    """The average rating of a player's opponents, each as before the game; guests have 1000."""
    met = []
    for game in games:
        for other, part in game.parts.items() if name in game.parts and not game.forfeited_to else ():
            if part["unit"] != game.parts[name]["unit"]:
                before = [points for when, points, _ in rated.get(other, []) if when < game.when]
                met.append(before[-1] if before else NEWCOMER[0])
    return sum(met) / len(met)


def form(games: list[Played], name: Name) -> str:
    mine = sorted((game for game in games if name in game.parts and not game.forfeited_to), key=lambda game: game.when)
    return "".join(game.parts[name]["ended"] for game in mine)[-5:]


# --- profiles -----------------------------------------------------------------------------------------------------


def details(games: list[Played], name: Name) -> Counter[str]:
    """A player's details, with other players by name."""
    found: Counter[str] = Counter()
    for game in games:
        _count_company(game, name, found)
        for index, (sitting, result) in enumerate(zip(game.seatings, game.answer["hands"], strict=True)):
            if name in sitting and result["status"] == "scored":
                _count_hand(game, index, sitting, result, name, found)
    return Counter({key: number for key, number in found.items() if number})


def _count_company(game: Played, name: Name, found: Counter[str]) -> None:
    mine = game.parts.get(name)
    for other, part in game.parts.items() if mine else ():
        if part["seat"] != mine["seat"]:
            company = "with" if part["unit"] == mine["unit"] else "vs"
            if company == "with" and game.forfeited_to:
                continue
            ended = {"W": "won", "S": "shared", "L": "lost"}[mine["ended"]]
            found[f"{company}:{other}:games"] += 1
            found[f"{company}:{other}:{ended}"] += 1


def _count_hand(
    game: Played, index: int, sitting: list[Name], result: dict[str, Any], name: Name, found: Counter[str]
) -> None:
    seat, bidder = sitting.index(name) + 1, result["bidder"]
    sides = {s: game.side(index, s) for s in range(1, len(sitting) + 1)}
    change = {s: result["change"][game.units[s - 1]] for s in sides}
    role = "bidder" if seat == bidder else "partner" if sides[seat] == sides[bidder] else "defender"
    found[f"hands:{role}"] += 1
    found[f"took:{role}"] += result["earned"][sides[seat]]
    found[f"change:{role}"] += change[seat]
    for key, point in result["points"].items():
        found[f"point:{key}:seen"] += point["side"] is not None
        found[f"point:{key}:got"] += point["side"] == sides[seat]
    against = max(change[s] for s in sides if sides[s] != sides[seat])
    for s, other in enumerate(sitting, 1):
        if s != seat:
            company = "with" if sides[s] == sides[seat] else "vs"
            found[f"{company}:{other}:hands"] += 1
            found[f"{company}:{other}:swing"] += change[seat] - against
            found[f"{company}:{other}:squares"] += (change[seat] - against) ** 2
            if company == "with" and not result["made"]:
                found[f"with:{other}:{'inflicted' if role == 'defender' else 'sets'}"] += 1
    if role == "bidder":
        for taken in (f"bid:{result['bid']}", f"trump:{game.record['hands'][index]['trump']}"):
            found[f"{taken}:taken"] += 1
            found[f"{taken}:made"] += result["made"]
            found[f"{taken}:worth"] += change[seat]
            found[f"{taken}:squares"] += change[seat] ** 2
        units = list(dict.fromkeys(game.units[s % len(sitting)] for s in range(seat - 1, seat - 1 + len(sitting))))
        found[f"out:{result['bid']}:{','.join(str(result['change'][unit]) for unit in units)}"] += 1


def page(games: list[Played], name: Name) -> dict[str, Any]:
    """The values of a player's page, as averages over lists of events."""
    events = [event for game in games for event in _events(game, name)]
    mine = [event for event in events if event["role"] == "bidder"]
    in_order = [game for game in sorted(games, key=lambda game: game.when) if name in game.parts]
    ended = [game.parts[name]["ended"] for game in in_order]
    played = [game.parts[name]["ended"] for game in in_order if not game.forfeited_to]
    return {
        "bids": {bid: _paid([e for e in mine if e["bid"] == bid]) for bid in {e["bid"] for e in mine}},
        "trumps": {trump: _paid([e for e in mine if e["trump"] == trump]) for trump in {e["trump"] for e in mine}},
        "roles": {
            role: (len(there), _mean(e["took"] for e in there), _mean(e["change"] for e in there))
            for role in {e["role"] for e in events}
            for there in [[e for e in events if e["role"] == role]]
        },
        "points": {
            key: _mean(e["points"][key] for e in events if key in e["points"])
            for key in {key for e in events for key in e["points"]}
        },
        "partners": _swings(events, "partners"),
        "opponents": _swings(events, "opponents"),
        "made": _mean(e["made"] for e in mine) if mine else None,
        "win_share": _mean({"W": Fraction(1), "S": Fraction(1, 2), "L": Fraction(0)}[e] for e in ended)
        if ended
        else None,
        "streaks": (_longest(played, "W"), _longest(played, "L"), _current(played)),
    }


def _events(game: Played, name: Name) -> Iterable[dict[str, Any]]:
    for index, (sitting, result) in enumerate(zip(game.seatings, game.answer["hands"], strict=True)):
        if name not in sitting or result["status"] != "scored":
            continue
        seat = sitting.index(name) + 1
        own, bidding = game.side(index, seat), game.side(index, result["bidder"])
        sides = {other: game.side(index, s) for s, other in enumerate(sitting, 1)}
        change = {other: result["change"][unit] for other, unit in zip(sitting, game.units, strict=True)}
        yield {
            "role": "bidder" if seat == result["bidder"] else "partner" if own == bidding else "defender",
            "bid": result["bid"], "trump": game.record["hands"][index]["trump"], "made": result["made"],
            "took": result["earned"][own], "change": change[name],
            "swing": change[name] - max(change[other] for other in sitting if sides[other] != own),
            "points": {key: point["side"] == own for key, point in result["points"].items() if point["side"]},
            "partners": [other for other in sitting if other != name and sides[other] == own],
            "opponents": [other for other in sitting if sides[other] != own],
        }  # fmt: skip


def _mean(values: Iterable[Any]) -> Fraction:
    found = list(values)
    return Fraction(sum(found)) / len(found)


def _paid(events: list[dict[str, Any]]) -> tuple[int, int, Fraction]:
    return len(events), sum(e["made"] for e in events), _mean(e["change"] for e in events)


def _swings(events: list[dict[str, Any]], company: str) -> dict[Name, tuple[int, Fraction]]:
    swings: dict[Name, list[int]] = {}
    for event in events:
        for other in event[company]:
            swings.setdefault(other, []).append(event["swing"])
    return {other: (len(found), _mean(found)) for other, found in swings.items()}


def _longest(ended: list[str], letter: str) -> int:
    text = "".join(ended)
    return max((n for n in range(len(text) + 1) if letter * n in text), default=0)


def _current(ended: list[str]) -> int:
    text = "".join(ended)
    return len(text) - len(text.rstrip(text[-1:])) if text and text[-1] != "S" else 0
