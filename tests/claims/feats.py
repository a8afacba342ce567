"""Recompute every record and award of a page from the club file."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import exp, pi, sqrt
from statistics import NormalDist
from typing import Any

from tests.claims.book import Book, Game, Name
from tests.claims.page import part, text, texts
from tests.claims.table import LEAST_RATED, Table, percent

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
LEAST_BIDS, LEAST_TOGETHER, LEAST_NIGHTS, LEAST_STREAK = 20, 8, 3, 3


@dataclass(frozen=True)
class Feat:
    """A record or an award as shown on a page."""

    group: str
    title: str
    value: str
    who: str
    said: str


def feats(html: str) -> list[Feat]:
    """Parse all records and awards of a page; awards have the group "Awards"."""
    found, group = [], ""
    pattern = r"<h[23][^>]*>(?P<head>.*?)</h[23]>|<div class=\"feat\">(?P<feat>.*?)</div>"
    for m in re.finditer(pattern, part(html, '<section id="found">', "</section>"), re.S):
        if m["feat"] is None:
            group = text(m["head"])
            continue
        one = m["feat"]
        (title,) = texts(one, r"<dt>(.*?)</dt>")
        patterns = r"<b[^>]*>(.*?)</b>", r'<span class="who">(.*?)</span>', r"<small>(.*?)</small>"
        value, who, said = (" ".join(texts(one, pattern)) for pattern in patterns)
        found.append(Feat(group, title, value, who, said))
    return found


def day(iso: str) -> str:
    year, month, on = iso.split("-")
    return f"{MONTHS[int(month) - 1]} {int(on)}, {year}"


def figure(value: int) -> str:
    return str(value).replace("-", "−")


@dataclass(frozen=True)
class Deed:
    """A candidate for a record: value, game, place in the game, players."""

    value: int
    game: Game
    where: str = ""
    names: tuple[Name, ...] = ()


@dataclass
class FeatCheck:
    """Checks the records and awards of some games, given in the order of play."""

    book: Book
    games: list[Game]
    season: dict[str, Any] | None = None
    said: set[str] = field(default_factory=set)

    def check(self, html: str) -> None:
        """Check the whole page; records or awards that are missing or of an unknown kind fail."""
        shown = feats(html)
        for feat in shown:
            if not feat.group.startswith("Awards"):
                self._record(feat)
        awards = {feat.title: feat for feat in shown if feat.group.startswith("Awards")}
        assert set(awards) <= set(AWARDS)
        if self.season and any(game.counts for game in self.games):
            for title, check in AWARDS.items():  # an award that is not shown must have no winner
                check(self, awards.get(title, Feat("Awards", title, "", "", "")))
        else:
            assert not awards
        records = {(feat.group, feat.title) for feat in shown if not feat.group.startswith("Awards")}
        assert records == set(self._expected())

    def _members(self, names: Iterable[Name]) -> tuple[Name, ...]:
        return tuple(name for name in names if name not in self.book.guests)

    def _named(self, feat: Feat, names: Iterable[Name]) -> None:
        assert sorted(re.split(r", | and ", feat.who) if feat.who else []) == sorted(set(names)), feat

    # --- records ---

    def _expected(self) -> Iterator[tuple[str, str]]:
        streaks = [Deed(length, ended) for length, _, ended, _ in self._streaks()]
        if streaks and _is_rare(streaks, max(deed.value for deed in streaks)):
            yield "Under any rules", "Longest winning streak"
        for rules in dict.fromkeys(game.rules["name"] for game in self._played()):
            for title in RECORDS:
                deeds = self._deeds(title, rules)
                if deeds and _is_rare(deeds, _best(title, deeds)):
                    yield rules, title

    def _played(self) -> list[Game]:
        """Games that count, without forfeits."""
        return [game for game in self.games if game.counts and not game.is_forfeit]

    def _deeds(self, title: str, rules: str) -> list[Deed]:
        """All candidates in the order of play, except those by guests only."""
        every = [deed for game in self._played() if game.rules["name"] == rules for deed in RECORDS[title][0](game)]
        return [deed for deed in every if not deed.names or self._members(deed.names)]

    def _record(self, feat: Feat) -> None:
        if feat.title == "Longest winning streak":
            assert feat.group == "Under any rules"
            self._streak_record(feat)
            return
        deeds = self._deeds(feat.title, feat.group)
        best = _best(feat.title, deeds)
        same = [deed for deed in deeds if deed.value == best]
        together = [deed for deed in same if (deed.game.number, deed.where) == (same[0].game.number, same[0].where)]
        self._named(feat, self._members(name for deed in together for name in deed.names))
        assert feat.value == self._value(feat.title, best, same[0].game)
        self._where(feat, same[0].where or f"game {same[0].game.number}", same[0].game, same)

    @staticmethod
    def _value(title: str, best: int, game: Game) -> str:
        if title == "Highest bid made":
            return next((s["name"] for s in game.rules["auction"]["specials"] if s["bid"] == best), str(best))
        one, many = RECORDS[title][1]
        return f"{figure(best)} {one if abs(best) == 1 else many}"

    @staticmethod
    def _where(feat: Feat, where: str, game: Game, same: list[Deed]) -> None:
        equaled = r"(?:; equaled (?P<again>once|twice|[\d,]+ times) since)?"
        m = re.fullmatch(rf"(?P<where>.+?), (?P<day>\w+ \d+, \d+){equaled}", feat.said)
        assert m, feat
        assert m["where"] == where[:1].upper() + where[1:], (feat, where)
        assert m["day"] == day(game.day)
        again = {deed.game.number for deed in same} - {game.number}
        times = {0: None, 1: "once", 2: "twice"}.get(len(again), f"{len(again):,} times")
        assert m["again"] == times, (feat, again)

    def _streaks(self) -> list[tuple[int, Game, Game, Name]]:
        """All streaks of two or more wins in the order of their ends: length, first game, last game, player."""
        running: dict[Name, list[Game]] = defaultdict(list)
        found = []
        for game in self._played():
            for unit in game.units:
                for name in self._members(game.counts_for(unit)):
                    if game.winners == [unit]:
                        running[name].append(game)
                    else:
                        found.append((name, running.pop(name, [])))
        runs = [(len(run), run[0], run[-1], name) for name, run in [*found, *running.items()] if len(run) > 1]
        return sorted(runs, key=lambda run: Book.when(run[2]))

    def _streak_record(self, feat: Feat) -> None:
        runs = self._streaks()
        best = max(length for length, *_ in runs)
        same = [run for run in runs if run[0] == best]
        _, begun, last, _ = same[0]
        mine = [run for run in same if (run[1], run[2]) == (begun, last)]
        self._named(feat, [name for *_, name in mine])
        assert feat.value == f"{best} {'win' if best == 1 else 'wins'} in a row"
        deeds = [Deed(length, ended) for length, _, ended, _ in same]
        is_in_order = last.number - begun.number >= best - 1
        games = f"games {begun.number} to {last.number}" if is_in_order else f"the last in game {last.number}"
        self._where(feat, games, last, deeds)

    # --- awards ---

    def _nobody(self, feat: Feat) -> None:
        """Assert that the award is not shown."""
        assert (feat.value, feat.who, feat.said) == ("", "", "")

    def _most(self, feat: Feat, numbers: dict[Name, int], value: Callable[[int], str], rule: str) -> None:
        """Check an award for the highest number, shared by all who have it."""
        most = max((count for name, count in numbers.items() if self._members([name])), default=0)
        best = [name for name, count in numbers.items() if count == most and self._members([name])]
        if most <= 0 or 1 < len(best) >= len(self._members(self._parts())) - 1:
            self._nobody(feat)
            return
        if " more" not in feat.who:
            self._named(feat, best)
        assert (feat.value, feat.said) == (value(most), rule)

    def _parts(self) -> dict[Name, list[Game]]:
        """Games that were played, by player credited."""
        found: dict[Name, list[Game]] = defaultdict(list)
        for game in self._played():
            for name in set(game.credited):
                found[name].append(game)
        return found

    def _most_games(self, feat: Feat) -> None:
        counts = {name: len(games) for name, games in self._parts().items()}
        rule = "Played the most games that count."
        self._most(feat, counts, lambda many: f"{many} {'game' if many == 1 else 'games'}", rule)

    def _always_there(self, feat: Feat) -> None:
        nights = len({game.day for game in self._played()})
        counts = {name: len({game.day for game in games}) for name, games in self._parts().items()}
        if nights < LEAST_NIGHTS:
            self._nobody(feat)
            return
        rule = "Played on the most game nights, in games that count."
        self._most(feat, counts, lambda many: f"{many} of {nights} nights", rule)

    def _most_sets(self, feat: Feat) -> None:
        counts: dict[Name, int] = defaultdict(int)
        for hand, (game, verdict) in self._with_hands():
            for seat in game.seats:
                name = game.seatings[hand][seat - 1]
                if not verdict["made"] and game.unit_of(seat) not in verdict["bidding_units"]:
                    counts[name] += 1
        rule = "Set opponents most often, in the hands they played."
        self._most(feat, counts, lambda many: f"{many} {'set' if many == 1 else 'sets'}", rule)

    def _with_hands(self) -> Iterator[tuple[int, tuple[Game, dict[str, Any]]]]:
        for game in self._played():
            for hand, verdict in enumerate(game.verdicts, 1):
                if verdict["bid"] is not None:
                    yield hand, (game, verdict)

    def _best_bidder(self, feat: Feat) -> None:
        taken: dict[Name, list[bool]] = defaultdict(list)
        for hand, (game, verdict) in self._with_hands():
            taken[game.seatings[hand][verdict["bidder"] - 1]].append(verdict["made"])
        enough = {n: made for n, made in taken.items() if len(made) >= LEAST_BIDS and self._members([n])}
        every = [made for mine in enough.values() for made in mine]
        usual = sum(every) / len(every) if every else 0
        best = _standing_out(
            {name: ([float(made) for made in mine], usual * (1 - usual)) for name, mine in enough.items()}
        )
        if not best:
            self._nobody(feat)
            return
        self._named(feat, best)
        mine = [made for name in best for made in enough[name]]
        share = percent(Fraction(sum(mine), len(mine)))
        assert feat.value == f"{share} of {len(mine)} bids made{' together' if len(best) > 1 else ''}"
        assert feat.said == "Made bids clearly more often than the others, with 20 bids or more."

    def _best_partners(self, feat: Feat) -> None:
        """Ratings after the last game; their uncertainty is treated as luck that is the same in every game."""
        played, more, luck, unsure = (defaultdict(list) for _ in range(4))  # type: ignore[var-annotated]
        for game in (one for one in self._played() if one.teams):
            sides = {unit: [self._table.rated_last(name) for name in game.counts_for(unit)] for unit in game.units}
            width = 300 * sqrt(1 - 1 / len(sides)) * sqrt(6) / pi
            weight = {unit: exp(sum(points for points, _ in side) / len(side) / width) for unit, side in sides.items()}
            for unit, side in sides.items():
                names, chance = self._members(game.counts_for(unit)), weight[unit] / sum(weight.values())
                part_of_it = 0.0 if unit not in game.winners else 1.0 if len(game.winners) == 1 else 0.5
                error = sqrt(sum(sd**2 for _, sd in side)) / len(side) / (300 * sqrt(1 / 2) * sqrt(6) / pi)
                for pair in {frozenset((one, other)) for one in names for other in names if one != other}:
                    played[pair].append(part_of_it)
                    more[pair].append(part_of_it - chance)
                    luck[pair].append(chance * (1 - chance))
                    unsure[pair].append(chance * (1 - chance) * error)
        enough = {pair: won for pair, won in played.items() if len(won) >= LEAST_TOGETHER}
        samples = {
            pair: (more[pair], (sum(luck[pair]) + sum(unsure[pair]) ** 2) / len(won)) for pair, won in enough.items()
        }
        best = _standing_out(samples)
        if len(best) != 1 or not _is_above_nothing(*samples[best[0]], many=len(samples)):
            self._nobody(feat)
            return
        self._named(feat, best[0])
        won = enough[best[0]]
        assert feat.value == f"{percent(Fraction(sum(won)) / len(won))} of {len(won)} games won"

    def _most_gained(self, feat: Feat) -> None:
        who, value = self._table.gained()
        if not who:
            self._nobody(feat)
            return
        self._named(feat, who)
        assert (feat.value, feat.said) == (value, f"Gained the most rating, in {LEAST_RATED} games or more.")

    def _longest_streak(self, feat: Feat) -> None:
        runs = [run for run in self._streaks() if run[0] >= LEAST_STREAK]
        counts: dict[Name, int] = defaultdict(int)
        for length, *_, name in runs:
            counts[name] = max(counts[name], length)
        rule = f"Won the most games in a row, {LEAST_STREAK} or more."
        self._most(feat, counts, lambda many: f"{many} wins in a row", rule)

    def _champion(self, feat: Feat) -> None:
        who, value = self._table.champions()
        if not who:
            self._nobody(feat)
            return
        self._named(feat, who)
        assert feat.value == value

    @cached_property
    def _table(self) -> Table:
        return Table(self.book, self.games, self.season)


def _best(title: str, deeds: Sequence[Deed]) -> int:
    return (min if title == "Lowest final score" else max)(deed.value for deed in deeds)


def _is_rare(deeds: Sequence[Deed], best: int) -> bool:
    """True if the best value was reached in at most six games; more common values are no record."""
    return len({deed.game.number for deed in deeds if deed.value == best}) <= 6


def _standing_out(samples: dict[Any, tuple[list[float], float]]) -> list[Any]:
    """Entries significantly above the mean of all others, with those not significantly below the first of them."""
    if len(samples) < 2:
        return []
    errors = _errors(len(samples))

    def is_above(one: tuple[list[float], float], other: tuple[list[float], float]) -> bool:
        (mean, variance), (low, more) = _mean_and_variance(*one), _mean_and_variance(*other)
        return mean - low > errors * sqrt(variance + more)

    def others(but: Any) -> tuple[list[float], float]:
        rest = {key: sample for key, sample in samples.items() if key != but}
        return [one for values, _ in rest.values() for one in values], min(least for _, least in rest.values())

    def safe(key: Any) -> float:
        mean, variance = _mean_and_variance(*samples[key])
        return mean - 2.5 * sqrt(variance)

    out = [key for key in sorted(samples, key=safe, reverse=True) if is_above(samples[key], others(key))]
    return [key for key in out if not is_above(samples[out[0]], samples[key])]


def _errors(many: int) -> float:
    return max(2.5, NormalDist().inv_cdf(1 - 0.05 / many))


def _mean_and_variance(values: list[float], least: float) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, max(least, sum((one - mean) ** 2 for one in values) / len(values)) / len(values)


def _is_above_nothing(values: list[float], least: float, *, many: int) -> bool:
    mean, variance = _mean_and_variance(values, least)
    return mean > _errors(many) * sqrt(variance)


# --- candidates for records ---------------------------------------------------------------------------------------


def _scores(game: Game) -> Iterator[Deed]:
    for unit in game.units:
        yield Deed(game.final[unit], game, "", tuple(game.counts_for(unit)))


def _margins(game: Game) -> Iterator[Deed]:
    if len(game.winners) == 1 and game.behind(game.winners[0], game.final) < 0:
        (winner,) = game.winners
        yield Deed(-game.behind(winner, game.final), game, "", tuple(game.counts_for(winner)))


def _comebacks(game: Game) -> Iterator[Deed]:
    if len(game.winners) == 1 and game.hands:
        (winner,) = game.winners
        gaps = [game.behind(winner, totals) for totals in game.totals]
        most = max(gaps)
        if most > 0:
            when = f"after hand {gaps.index(most)}" if gaps.index(most) else "before the first hand"
            yield Deed(most, game, f"{when} of game {game.number}", tuple(game.sitting(winner)))


def _bids(game: Game) -> Iterator[Deed]:
    """The highest bid made in a game, the first of equals."""
    made = [(v["bid"], -hand) for hand, v in enumerate(game.verdicts, 1) if v["bid"] is not None and v["made"]]
    if made:
        bid, hand = max(made)
        name = game.seatings[-hand][game.verdicts[-hand - 1]["bidder"] - 1]
        yield Deed(bid, game, f"hand {-hand} of game {game.number}", (name,))


def _sweeps(game: Game) -> Iterator[Deed]:
    for hand, verdict in enumerate(game.verdicts, 1):
        if verdict["bid"] is not None:
            owners = {owner for owner, _, _ in verdict["points"].values()}
            if len(owners) == 1 and None not in owners:
                (side,) = owners
                names = tuple(
                    game.seatings[hand][seat - 1] for seat in game.seats if _side(game, verdict, seat) == side
                )
                yield Deed(verdict["earned"][side], game, f"hand {hand} of game {game.number}", names)


def _side(game: Game, verdict: dict[str, Any], seat: int) -> str:
    unit = game.unit_of(seat)
    if verdict["bidding_side"] == "bidding":
        return "bidding" if unit in verdict["bidding_units"] else "defending"
    return unit


def _lengths(game: Game) -> Iterator[Deed]:
    if game.hands:
        yield Deed(len(game.hands), game)


def _sets(game: Game) -> Iterator[Deed]:
    number_of = sum(verdict["bid"] is not None and not verdict["made"] for verdict in game.verdicts)
    if number_of:
        yield Deed(number_of, game)


POINTS = "point", "points"
RECORDS: dict[str, tuple[Callable[[Game], Iterable[Deed]], tuple[str, str]]] = {
    "Highest final score": (_scores, POINTS),
    "Lowest final score": (_scores, POINTS),
    "Biggest win": (_margins, ("point ahead", "points ahead")),
    "Biggest comeback": (_comebacks, ("point behind, and won", "points behind, and won")),
    "Highest bid made": (_bids, ("", "")),
    "Clean sweep: every point in one hand": (_sweeps, POINTS),
    "Longest game": (_lengths, ("hand", "hands")),
    "Most sets in a game": (_sets, ("set", "sets")),
}
AWARDS: dict[str, Callable[[FeatCheck, Feat], None]] = {
    "Champion": FeatCheck._champion,
    "Most games": FeatCheck._most_games,
    "Always there": FeatCheck._always_there,
    "Best bidder": FeatCheck._best_bidder,
    "Most sets of opponents": FeatCheck._most_sets,
    "Most rating gained": FeatCheck._most_gained,
    "Longest streak": FeatCheck._longest_streak,
    "Best partners": FeatCheck._best_partners,
}
