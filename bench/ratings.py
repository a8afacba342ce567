"""Quality of rating models: clubs are simulated, and each game is forecast before its result is revealed.

`python -m bench.ratings` simulates the clubs and writes the tables of docs/ratings.md (minutes); `python -m
bench.ratings pages` only the last one, about schedules, margins and best partners (a minute); `python -m bench.ratings
fit` simulates other clubs and prints the result of each setting (many minutes).

A hand is one of the 20,000 that scorekeeper.simulator has counted for that table. Players differ in how much more often
a hand is favorable for their side than was counted: with a `skill` of 0.06, a hand is 6 % likelier for each point that
it gains and less likely for each that it costs. A side's skill is the mean of its players'. This matches the
simulator's own players when they judge and play worse or better; those play the last kind of club, card by card.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import accumulate, islice
from math import exp, log, sqrt
from operator import mul
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple, Protocol

from scorekeeper.scoring.record import find_table
from scorekeeper.simulator import draw_styles
from scorekeeper.simulator.hands import play_game
from scorekeeper.simulator.outcomes import find_outcomes
from scorekeeper.stats import ratings
from scorekeeper.stats.odds import WinCases, moves_of, read_steps
from scorekeeper.stats.query import Person
from scorekeeper.stats.ratings import LEAST_GAMES, NEWCOMER, NOISE, START, Rating, Side, chances, rate_game, results_of
from scorekeeper.stats.records import RatedResult, best_partners, excess_over_ratings
from scorekeeper.stats.standings import Partnership

PAGE = Path(__file__).parent.parent / "docs" / "ratings.md"
SEEDS, OTHER_SEEDS = range(20), range(2000, 2040)
PLAYERS, GAMES, PLAYED_GAMES = 12, 300, 200
LONGEST = 400
TEAMS = (
    ("west-michigan-6", 6, 2), ("west-michigan-4", 4, 2), ("shankar", 4, 2), ("classic", 4, 2), ("partnership", 4, 2)
)  # fmt: skip
MIXED = (("shankar", 2, 0), ("shankar", 3, 0), ("west-michigan-5", 5, 0), ("west-michigan-6", 6, 2))
LEAVES = 0.04  # probability that a player is replaced by a new one before a game

Games = list[list[Side]]


# --- clubs --------------------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of club: its name in the tables, the spread of skills, and whether people come, go and change.

    In a paired one, partners never change.
    """

    name: str
    skill: float
    is_mixed: bool = False
    is_played: bool = False
    is_paired: bool = False


KINDS = (
    Kind("players differ", 0.06),
    Kind("players differ little", 0.02),
    Kind("nobody differs", 0.0),
    Kind("people come, go and change; 2, 3, 5 and 6 of them", 0.05, is_mixed=True),
    Kind("the simulator's players", 0.0, is_played=True),
)


class HandTable:
    """A table whose hands are drawn as counted, slightly more favorable for the better side."""

    def __init__(self, rules: str, players: int, teams: int) -> None:
        self.table = find_table(rules, players, teams, {})
        outcomes = find_outcomes(self.table)
        self.moves = moves_of(read_steps(tuple(sorted(outcomes.items()))), len(self.table.units))
        self.ends = WinCases(self.table)

    def play(self, rng: Random, seated: Sequence[int], skill: Sequence[float]) -> list[Side]:
        """Simulate a game to its end."""
        sides = [tuple((seated[seat - 1],) for seat in self.table.seats_of[unit]) for unit in self.table.units]
        skills = [fmean(skill[player] for (player,) in side) for side in sides]
        scores, winners = self._play(rng, [one - fmean(skills) for one in skills])
        units = self.table.units
        return [
            Side(side, score, unit in winners) for side, score, unit in zip(sides, scores, units, strict=True)
        ]  # fmt: skip

    def _play(self, rng: Random, edges: Sequence[float]) -> tuple[tuple[int, ...], tuple[str, ...]]:
        weights = [
            move.share * exp(sum(edge * change for edge, change in zip(edges, move.changes, strict=True)))
            for move in self.moves
        ]
        up_to, scores = list(accumulate(weights)), (0,) * len(edges)
        for _ in range(LONGEST):
            move = rng.choices(self.moves, cum_weights=up_to)[0]
            before, scores = scores, tuple(map(sum, zip(scores, move.changes, strict=True)))
            if max(scores) >= self.ends.mark:
                winners = self.ends.winners(move.bidder, move.step, before, scores)
                if winners:
                    return scores, winners
        return scores, self.table.units


_tables: dict[tuple[str, int, int], HandTable] = {}


def table_for(form: tuple[str, int, int]) -> HandTable:
    if form not in _tables:
        _tables[form] = HandTable(*form)
    return _tables[form]


def club(kind: Kind, seed: int) -> Games:
    """Return the games of a club in order."""
    return list(games_of(kind, seed, []))


def games_of(kind: Kind, seed: int, skill: list[float]) -> Iterator[list[Side]]:
    """Yield the games of a club; `skill` is updated in place to all players' skills in the latest game."""
    rng = Random(f"ratings {kind.name} {seed}")
    if kind.is_played:
        return _played(rng, TEAMS[seed % len(TEAMS)])
    skill += [rng.gauss(0, kind.skill) for _ in range(PLAYERS)]
    if kind.is_mixed:
        return _mixed(rng, kind, skill)
    return _steady(rng, kind, table_for(form_of(kind, seed)), skill)


def form_of(kind: Kind, seed: int) -> tuple[str, int, int]:
    teams = TEAMS[1:] if kind.is_paired else TEAMS  # the first of them has teams of three
    return teams[seed % len(teams)]


def _steady(rng: Random, kind: Kind, table: HandTable, skill: list[float]) -> Iterator[list[Side]]:
    for _ in range(GAMES):
        seated = rng.sample(range(PLAYERS), table.table.players)
        if kind.is_paired:
            one, other = (2 * pair for pair in rng.sample(range(PLAYERS // 2), 2))
            seated = [one, other, one + 1, other + 1]
        yield table.play(rng, seated, skill)


def _mixed(rng: Random, kind: Kind, skill: list[float]) -> Iterator[list[Side]]:
    here = list(range(PLAYERS))
    for _ in range(GAMES):
        if rng.random() < LEAVES:
            here[rng.randrange(PLAYERS)] = len(skill)
            skill.append(rng.gauss(0, kind.skill))
        for player in here:
            skill[player] += rng.gauss(0, kind.skill / 25)
        table = table_for(rng.choice(MIXED))
        yield table.play(rng, rng.sample(here, table.table.players), skill)


def _played(rng: Random, form: tuple[str, int, int]) -> Iterator[list[Side]]:
    """Yield games of the simulator's players, card by card."""
    table, styles = find_table(*form, {}), draw_styles(rng, PLAYERS)
    for _ in range(PLAYED_GAMES):
        seated = rng.sample(range(PLAYERS), table.players)
        _, score = play_game(table, rng, [styles[player] for player in seated], rng.choice(table.seats))
        yield [
            Side(tuple((seated[seat - 1],) for seat in table.seats_of[unit]), score.totals[unit], unit in score.winners)
            for unit in table.units
        ]


# --- models -------------------------------------------------------------------------------------------------------


class Model(Protocol):
    """A forecasting model: it forecasts each side's chance to win a game, then learns the result."""

    def forecast(self, game: Sequence[Side]) -> Sequence[float]: ...

    def learn(self, game: Sequence[Side]) -> None: ...


class Chance:
    """Equal chances for every side."""

    def forecast(self, game: Sequence[Side]) -> list[float]:
        return [1 / len(game)] * len(game)

    def learn(self, game: Sequence[Side]) -> None:
        pass


@dataclass
class WinShare:
    """Games won so far beyond chance, shrunk as if by `shrink` games without."""

    shrink: float = 20
    won: dict[int, tuple[float, int]] = field(default_factory=dict)

    def _of(self, player: int) -> float:
        won, games = self.won.get(player, (0.0, 0))
        return won / (games + self.shrink)

    def forecast(self, game: Sequence[Side]) -> list[float]:
        even = 1 / len(game)
        sides = [fmean(self._of(player) for (player,) in side.seats) for side in game]
        parts = [max(0.01, even + 2 * even * (one - fmean(sides))) for one in sides]
        return [part / sum(parts) for part in parts]

    def learn(self, game: Sequence[Side]) -> None:
        for side, part in zip(game, _ended(game), strict=True):
            for (player,) in side.seats:
                won, games = self.won.get(player, (0.0, 0))
                self.won[player] = won + part - 1 / len(game), games + 1


@dataclass
class Margins:
    """Mean margin of each player's side over the others, shrunk as if by `shrink` games without."""

    shrink: float = 20
    ahead: dict[int, tuple[float, int]] = field(default_factory=dict)

    def forecast(self, game: Sequence[Side]) -> list[float]:
        sides = [fmean(self._of(player) for (player,) in side.seats) for side in game]
        return chances([START + ratings.NOISE * one for one in sides], 1.0)

    def _of(self, player: int) -> float:
        ahead, games = self.ahead.get(player, (0.0, 0))
        return ahead / (games + self.shrink)

    def learn(self, game: Sequence[Side]) -> None:
        for side, result in zip(game, results_of(game), strict=True):
            for (player,) in side.seats:
                ahead, games = self.ahead.get(player, (0.0, 0))
                self.ahead[player] = ahead + result, games + 1


class OpenSkill:
    """openskill's Plackett-Luce model, with default or other settings."""

    def __init__(self, **options: float) -> None:
        from openskill.models import PlackettLuce

        self.model: Any = PlackettLuce(**options)
        self.ratings: dict[int, Any] = {}

    def _sides(self, game: Sequence[Side]) -> list[list[Any]]:
        return [[self.ratings.get(player) or self.model.rating() for (player,) in side.seats] for side in game]

    def forecast(self, game: Sequence[Side]) -> list[float]:
        found: list[float] = self.model.predict_win(self._sides(game))
        return found

    def learn(self, game: Sequence[Side]) -> None:
        keys = [(not side.won, 0 if side.won else -side.score) for side in game]
        after = self.model.rate(self._sides(game), ranks=[1 + sum(other < key for other in keys) for key in keys])
        for side, after_it in zip(game, after, strict=True):
            self.ratings |= {player: rating for (player,), rating in zip(side.seats, after_it, strict=True)}


SHARES = (0.5, 1.0, 2.0)  # assumed true differences between players, as fractions of those in ratings
PROOF = 10.0  # likelihood ratio in favor of differing players that results must reach before ratings are used
ASSUMED = 20.0  # prior number of results with the usual luck, for the estimate of a club's luck


@dataclass
class Trust:
    """How far a club's ratings can be trusted, from the results of the edges that they gave, game by game.

    In a club whose players hardly differ, ratings differ by luck alone and predict nothing. So they are ignored until
    the results are PROOF times likelier with differing players, by one of the SHARES of their rating differences; and
    ignored again when the results are no likelier.
    """

    evidence: list[float] = field(default_factory=lambda: [0.0] * len(SHARES))  # log likelihood by share, at usual luck
    squares: float = ASSUMED  # sum of squared results, without dependent ones
    free: float = ASSUMED  # number of those results
    is_proven: bool = False

    def add(self, strengths: Sequence[float], results: Sequence[float]) -> None:
        """Add a game: its sides' ratings before it, and their results."""
        own = len(results) - 1  # of n results, one follows from the others
        for place, share in enumerate(SHARES):
            foretold = [share * edge / NOISE for edge in edges(strengths)]
            likelier = sum(one * result - one * one / 2 for one, result in zip(foretold, results, strict=True))
            self.evidence[place] += likelier * own / len(results)
        self.squares += sum(result * result for result in results) * own / len(results)
        self.free += own
        likeliest, weights = self._weights()
        proof = likeliest + log(sum(weights) / len(weights))
        self.is_proven = proof >= (0.0 if self.is_proven else log(PROOF))

    def _weights(self) -> tuple[float, list[float]]:
        """Return the maximal log likelihood over the SHARES, and each share's likelihood relative to it.

        Results weigh more in a club with less luck than usual.
        """
        luck = self.squares / self.free
        likeliest = max(self.evidence)
        return likeliest / luck, [exp((one - likeliest) / luck) for one in self.evidence]

    @property
    def share(self) -> float:
        """Fraction of rating differences to use in forecasts: the mean of the SHARES by likelihood, or 0."""
        if not self.is_proven:
            return 0.0
        _, weights = self._weights()
        return sum(share * weight for share, weight in zip(SHARES, weights, strict=True)) / sum(weights)


def edges(strengths: Sequence[float]) -> list[float]:
    """Return how much stronger each side is than the mean of the others."""
    count, total = len(strengths), sum(strengths)
    return [own - (total - own) / (count - 1) for own in strengths]


class Ours:
    """Scorekeeper's ratings: as far as they are trusted, or fully."""

    def __init__(self, *, trusts: bool = False) -> None:
        self.ratings: dict[int, Rating] = {}
        self.trust, self.trusts = Trust(), trusts

    def forecast(self, game: Sequence[Side]) -> list[float]:
        return chances(self._strengths(game), 1.0 if self.trusts else self.trust.share)

    def _strengths(self, game: Sequence[Side]) -> list[float]:
        return [fmean(self.ratings.get(player, NEWCOMER).mu for (player,) in side.seats) for side in game]

    def learn(self, game: Sequence[Side]) -> None:
        self.trust.add(self._strengths(game), results_of(game))
        self.ratings |= rate_game(game, self.ratings)


MODELS: dict[str, Callable[[], Model]] = {
    "always chance": Chance,
    "win share so far, shrunk by 20 games": WinShare,
    "margins so far, shrunk by 20 games": Margins,
    "openskill as it comes": OpenSkill,
    "openskill, beta 33, sigma 8.3, no tau": lambda: OpenSkill(beta=100 / 3, sigma=25 / 3, tau=0.0),
    "openskill, beta 33, sigma 4.2, no tau": lambda: OpenSkill(beta=100 / 3, sigma=25 / 6, tau=0.0),
    "our ratings, fully trusted": lambda: Ours(trusts=True),
    "**our ratings, as the club has proven them**": Ours,
}


# --- scores -------------------------------------------------------------------------------------------------------


def _ended(game: Sequence[Side]) -> list[float]:
    """Return the result as chances; tied winners share equally."""
    winners = sum(side.won for side in game)
    return [side.won / winners for side in game]


def score(model: Model, games: Games) -> tuple[float, float]:
    """Return the Brier score (per side) and the log loss (per game) of forecasts made in the order of the games."""
    brier, loss = 0.0, 0.0
    for game in games:
        ended, said = _ended(game), model.forecast(game)
        brier += fmean((p - e) ** 2 for p, e in zip(said, ended, strict=True))
        loss -= sum(e * log(max(p, 1e-9)) for p, e in zip(said, ended, strict=True))
        model.learn(game)
    return brier / len(games), loss / len(games)


def apart(scores: Sequence[float], others: Sequence[float]) -> str:
    """Return the mean difference of scores of the same clubs (below 0: better), in thousandths.

    Paired by club, so that luck common to both models cancels; followed by the standard error over the clubs.
    """
    less = [1000 * (one - other) for one, other in zip(scores, others, strict=True)]
    return f"{fmean(less):+.1f} ± {stdev(less) / sqrt(len(less)):.1f}".replace("-", "\N{MINUS SIGN}")


Scores = dict[str, dict[Kind, list[float]]]


def rows(title: str, found: Scores, write: Callable[[list[float], Kind], str]) -> Iterator[str]:
    """Yield the lines of a table: a row for each model and a column for each kind of club."""
    yield f"{title} | {' | '.join(kind.name for kind in KINDS)}"
    yield " | ".join(["---"] * (1 + len(KINDS)))
    for name, by_kind in found.items():
        yield f"{name} | {' | '.join(write(by_kind[kind], kind) for kind in KINDS)}"
    yield ""


def tables(
    models: dict[str, Callable[[], Model]], seeds: Sequence[int], titles: Sequence[str] = ("Brier score", "log loss")
) -> Iterator[str]:
    """Yield tables of Brier scores and log losses, relative to chance and to the last model."""
    clubs = {kind: [club(kind, seed) for seed in seeds] for kind in KINDS}
    both = {
        name: {kind: [score(make(), games) for games in clubs[kind]] for kind in KINDS} for name, make in models.items()
    }
    for place, title in enumerate(titles):
        found = {
            name: {kind: [one[place] for one in scores] for kind, scores in by_kind.items()}
            for name, by_kind in both.items()
        }
        *rivals, ours = found
        chance = found["always chance"]
        yield from rows(
            title, found, lambda mine, kind, chance=chance: f"{fmean(mine):.4f} ({apart(mine, chance[kind])})"
        )
        yield from rows(
            f"{title} less ours",
            {name: found[name] for name in rivals},
            lambda theirs, kind, ours=found[ours]: apart(theirs, ours[kind]),
        )


# --- what pages say about ratings ---------------------------------------------------------------------------------

MUCH = 0.10
CIRCLES = (
    Kind("players differ much", MUCH),
    *KINDS[:3],
    Kind("partners never part", KINDS[0].skill, is_paired=True),
    Kind("partners never part and differ much", MUCH, is_paired=True),
    Kind("people come, go and change", KINDS[3].skill, is_mixed=True),
    Kind("people come, go, change and differ much", MUCH, is_mixed=True),
)
SEEN_AFTER = 5, 20, 100  # games of a player
ABOUT_100 = 1.875, 3.125  # rating difference of 75 to 125 points
LEARNT = 1_500


@cache
def worth_of_skill(form: tuple[str, int, int], spread: float) -> float:
    """Return the rating points per unit of a side's skill, among players with that spread of skills."""
    rng, told, squares = Random(7), 0.0, 0.0
    for number in range(LEARNT):
        if number % 100 == 0:
            skill = [rng.gauss(0, spread) for _ in range(PLAYERS)]
        game = table_for(form).play(rng, rng.sample(range(PLAYERS), form[1]), skill)
        stronger = edges([fmean(skill[player] for (player,) in side.seats) for side in game])
        told += sum(edge * result for edge, result in zip(stronger, results_of(game), strict=True))
        squares += sum(edge * edge for edge in stronger)
    return ratings.NOISE * told / squares if squares else 0.0


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the correlation coefficient; 0 if one variable is constant."""
    columns = [[each - fmean(column) for each in column] for column in zip(*pairs, strict=True)]
    both, one, other = (sum(map(mul, *two)) for two in (columns, columns[:1] * 2, columns[1:] * 2))
    return both / sqrt(one * other) if one * other else 0.0


class Seen:
    """A club as its pages show it, with the true strengths of its players."""

    def __init__(self, kind: Kind, seed: int, games: int = GAMES) -> None:
        self.kind, self.seed = kind, seed
        self.ratings: dict[int, Rating] = {}
        self.met: dict[int, list[tuple[float, float]]] = defaultdict(list)  # opponents: rating before the game, skill
        self.after: dict[int, list[tuple[int, Rating, float]]] = defaultdict(
            list
        )  # by number of games: player, rating, skill
        self.favored: list[float] = []  # results of sides rated about 100 points higher
        self.rows: list[RatedResult] = []  # as awards read them
        self.skill: list[float] = []
        played: Counter[int] = Counter()
        for number, game in enumerate(islice(games_of(kind, seed, self.skill), games)):
            self._see(number, game)
            self.ratings |= rate_game(game, self.ratings)
            for player in (player for side in game for (player,) in side.seats):
                played[player] += 1
                self.after[played[player]].append((player, self.ratings[player], self.skill[player]))

    def _see(self, number: int, game: list[Side]) -> None:
        rated = {player: self.ratings.get(player, NEWCOMER).mu for side in game for (player,) in side.seats}
        for place, (side, part) in enumerate(zip(game, _ended(game), strict=True)):
            others = [player for other in game if other is not side for (player,) in other.seats]
            for seat, (player,) in enumerate(side.seats):
                self.met[player] += [(rated[other], self.skill[other]) for other in others]
                self.rows.append(
                    RatedResult(
                        number, player, 10 * place + seat, str(place), part == 1, 0 < part < 1, None, None, None
                    )
                )
            edge = fmean(rated[player] for (player,) in side.seats) - fmean(rated[player] for player in others)
            if len(game) == 2 and ABOUT_100[0] <= edge <= ABOUT_100[1]:
                self.favored.append(part)

    @cached_property
    def worth(self) -> float:
        forms = MIXED if self.kind.is_mixed else [form_of(self.kind, self.seed)]
        return fmean(worth_of_skill(form, self.kind.skill) for form in forms)

    @property
    def schedule(self) -> float:
        """Correlation of the schedule's strength with the opponents' skill, among players with eight games."""
        known = {player for player, *_ in self.after[LEAST_GAMES]}
        return correlation([tuple(map(fmean, zip(*self.met[player], strict=True))) for player in sorted(known)])

    def covered(self, games: int = 0) -> list[bool]:
        """For each player after that many games, or now: True if the true strength is within the margin of error."""
        now = [(player, rating, self.skill[player]) for player, rating in self.ratings.items()]
        usual = fmean(self.skill)
        return [
            abs(rating.mu - START - self.worth * (skill - usual)) <= rating.margin
            for _, rating, skill in (self.after[games] if games else now)
        ]

    @property
    def has_best_partners(self) -> bool:
        """True if a pair is named, although no player plays better with one partner than with another."""
        beyond = excess_over_ratings([row._replace(**self.ratings[row.player_id]._asdict()) for row in self.rows])
        people = {player: Person(player, str(player), False) for player in self.ratings}
        pairs = [Partnership(people[one], people[other], of.of, 0, 0, 0, 0, 0) for (one, other), of in beyond.items()]
        return bool(best_partners(pairs, beyond).holders)


def pages(seeds: Sequence[int]) -> Iterator[str]:
    """Yield a table of what pages say in each kind of club."""
    clubs = {kind: [Seen(kind, seed) for seed in seeds] for kind in CIRCLES}
    told: dict[str, Callable[[list[Seen]], str]] = {
        "schedule and true strength of opponents, correlation": lambda some: (
            f"{fmean(one.schedule for one in some):+.2f}"
        ),
        **{
            f"within the margin after {games} games": lambda some, games=games: _share(
                some, lambda one: one.covered(games)
            )
            for games in SEEN_AFTER
        },
        "within the margin at the end": lambda some: _share(some, Seen.covered),
        "won when rated 100 points higher": lambda some: _share(some, lambda one: one.favored),
        "clubs in which best partners are named": lambda some: _share(some, lambda one: [one.has_best_partners]),
    }
    yield f"{len(seeds)} clubs each | {' | '.join(kind.name for kind in CIRCLES)}"
    yield " | ".join(["---"] * (1 + len(CIRCLES)))
    for name, tell in told.items():
        yield f"{name} | {' | '.join(tell(clubs[kind]) for kind in CIRCLES)}"
    yield ""


def _share(some: Sequence[Seen], of: Callable[[Seen], Sequence[float]]) -> str:
    """Return the mean over all values of these clubs, in percent; a dash if there are few."""
    found = [each for one in some for each in of(one)]
    return f"{100 * fmean(found):.0f}%" if len(found) >= len(some) else "–"


# --- the command --------------------------------------------------------------------------------------------------


def candidates() -> dict[str, Callable[[], Model]]:
    """Return the settings to compare."""
    found: dict[str, Callable[[], Model]] = {"always chance": Chance}
    for shrink in (10, 20, 40):
        found[f"win share {shrink}"] = lambda shrink=shrink: WinShare(shrink)
        found[f"margins {shrink}"] = lambda shrink=shrink: Margins(shrink)
    for beta in (50 / 3, 100 / 3):
        for sigma in (25 / 6, 25 / 3):
            for tau in (0.0, 25 / 300):
                name = f"openskill beta {beta:.1f} sigma {sigma:.1f} tau {tau:.2f}"
                found[name] = lambda b=beta, s=sigma, t=tau: OpenSkill(beta=b, sigma=s, tau=t)
    return found


SETTINGS = {
    "SPREAD": (1.125, 1.5, 1.875, 2.25, 3.0),
    "DRIFT": (0.0, 0.225),
    "WON": (0.0, 1.0),
    "PROOF": (5.0, 20.0),
}


def fit() -> None:
    """Print the results of all candidates, and those of our ratings with one setting changed at a time."""
    print("\n".join(tables(candidates(), OTHER_SEEDS)), flush=True)
    for name, values in SETTINGS.items():
        kept = getattr(ratings, name)
        for value in values:
            setattr(ratings, name, value)
            ratings.NEWCOMER = globals()["NEWCOMER"] = Rating(START, ratings.SPREAD)
            print(
                f"{name} {value}", *tables({"always chance": Chance, "ours": Ours}, OTHER_SEEDS), sep="\n", flush=True
            )
        setattr(ratings, name, kept)
    ratings.NEWCOMER = globals()["NEWCOMER"] = Rating(START, ratings.SPREAD)


def main(wanted: Sequence[str]) -> None:
    """Write all tables, or the last one, into the document, or print those of the fit."""
    if wanted == ["fit"]:
        fit()
        return
    if wanted != ["pages"]:
        scores, less_ours = "\n".join(tables(MODELS, SEEDS, ("Brier score",))).split("\n\n", 1)
        print(scores)
        write("measured", less_ours)
    write("pages", "\n".join(pages(SEEDS)))


def write(what: str, text: str) -> None:
    """Print a table, and write it into the document between its marks."""
    print(text)
    beginning, end = f"<!-- {what} -->\n", "<!-- end -->\n"
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(beginning)
    PAGE.write_text(f"{before}{beginning}{text}{end}{rest.partition(end)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
