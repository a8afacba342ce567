"""Read a club file as plain JSON and score its games with the reference scorer, without importing scorekeeper."""

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tests.scoring import reference

OF_NO_CARD = {"names", "note", "adjustments"}  # fields of a hand that the reference scorer does not read
Name = str


@dataclass
class Game:
    """A game of the file: the recorded facts, and their score by the reference scorer."""

    line: dict[str, Any]
    names_by_uid: dict[str, Name]
    credit: str = "finished"

    @property
    def number(self) -> int:
        return int(self.line["x-number"])

    @property
    def day(self) -> str:
        return str(self.line["played"])

    @property
    def rules(self) -> dict[str, Any]:
        return dict(self.line["rules"])

    @property
    def players(self) -> int:
        return int(self.line["players"])

    @property
    def teams(self) -> int:
        return int(self.line["teams"])

    @property
    def seats(self) -> range:
        return range(1, self.players + 1)

    @property
    def units(self) -> list[str]:
        return list(dict.fromkeys(reference.unit_of(seat, self.teams) for seat in self.seats))

    def unit_of(self, seat: int) -> str:
        return reference.unit_of(seat, self.teams)

    def seats_of(self, unit: str) -> list[int]:
        return [seat for seat in self.seats if self.unit_of(seat) == unit]

    # --- players ---

    @cached_property
    def seatings(self) -> list[list[Name]]:
        """The players by seat: before the first hand, then in each hand."""
        lines = [[self.names_by_uid[uid] for uid in self.line["x-seats"]]]
        for hand in self.hands:
            changed = hand.get("names", {})
            lines.append([changed.get(str(seat), name) for seat, name in enumerate(lines[-1], 1)])
        return lines

    @property
    def everybody(self) -> set[Name]:
        """Everyone who played in the game, substitutes included."""
        return {name for line in self.seatings for name in line}

    def sitting(self, unit: str, hand: int = -1) -> list[Name]:
        """The players of a unit in a hand, counted from 1; by default at the end."""
        return [self.seatings[hand][seat - 1] for seat in self.seats_of(unit)]

    @cached_property
    def credited(self) -> list[Name]:
        """The players whom the game counts for, by seat."""
        last = self.seatings[-1]
        if self.credit == "finished":
            return last
        longest = []
        for seat, name in enumerate(last):
            sat = [line[seat] for line, verdict in zip(self.seatings[1:], self.verdicts, strict=True) if verdict["bid"]]
            longest.append(max([name, *sat], key=sat.count))
        return last if len(set(longest)) < len(longest) else longest

    @property
    def by_score(self) -> list[str]:
        """The units, winners first, then the others by descending score."""
        others = [unit for unit in self.units if unit not in self.winners]
        return [*self.winners, *sorted(others, key=lambda unit: -self.final[unit])]

    def counts_for(self, unit: str) -> list[Name]:
        return [self.credited[seat - 1] for seat in self.seats_of(unit)]

    # --- hands and scores ---

    @property
    def hands(self) -> list[dict[str, Any]]:
        return list(self.line["hands"])

    @property
    def paper(self) -> dict[str, Any] | None:
        return self.line.get("x-paper")

    @property
    def is_forfeit(self) -> bool:
        return bool(self.paper and self.paper.get("forfeit"))

    @property
    def start(self) -> dict[str, int]:
        return dict.fromkeys(self.units, 0) | (self.line.get("start") or {})

    @cached_property
    def verdicts(self) -> list[dict[str, Any]]:
        """The reference scorer's verdict on each hand; for a hand that was passed out, without a bid."""
        return [self._verdict(hand) for hand in self.hands]

    def _verdict(self, hand: dict[str, Any]) -> dict[str, Any]:
        facts = {key: value for key, value in hand.items() if key not in OF_NO_CARD}
        verdict = reference.judge(self.rules, self.players, self.teams, facts)
        assert verdict is not None, (self.number, facts)
        extra = [(one["unit"], one["points"]) for one in hand.get("adjustments", [])]
        usual = {"bid": None, "bidder": None, "made": False, "change": {}, "bidding_units": []}
        return usual | verdict | {"adjusted": extra, "said": hand.get("adjustments", [])}

    @cached_property
    def _ended(self) -> tuple[list[dict[str, int]], list[str], str | None]:
        if self.paper:
            return [self.paper["totals"]], self.paper["winners"], "paper"
        bidders = [verdict["bidder"] and self.unit_of(verdict["bidder"]) for verdict in self.verdicts]
        return reference.referee(self.rules, self.start, self.verdicts, bidders)

    @property
    def totals(self) -> list[dict[str, int]]:
        """The scores before the first hand, then after each; of a game from paper, the final scores last."""
        return [self.start, *self._ended[0]]

    @property
    def final(self) -> dict[str, int]:
        return self.totals[-1]

    @property
    def winners(self) -> list[str]:
        return self._ended[1]

    @property
    def reason(self) -> str | None:
        return self._ended[2]

    @property
    def is_abandoned(self) -> bool:
        return bool(self.line["x-state"] == "abandoned")

    @property
    def counts(self) -> bool:
        """True for a finished game that counts and is not abandoned."""
        return bool(self.winners) and not self.line.get("x-left-out") and not self.is_abandoned

    def is_set(self, unit: str, hand: int) -> bool:
        """True if the unit was on the side that was set in a hand, counted from 1."""
        verdict = self.verdicts[hand - 1]
        return bool(verdict["bid"] is not None and not verdict["made"] and unit in verdict["bidding_units"])

    def behind(self, unit: str, totals: dict[str, int]) -> int:
        """The difference between the best score of the other units and the unit's own."""
        return max(totals[other] for other in self.units if other != unit) - totals[unit]


@dataclass
class Book:
    """A club file: its members (guests are not members) and its games in the order of play."""

    text: str
    guests: set[Name] = field(default_factory=set)
    retired: set[Name] = field(default_factory=set)
    names: dict[str, Name] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lines = [json.loads(line) for line in self.text.splitlines()]
        people = [line for line in lines if line.get("type") == "player"]
        self.names = {line["uid"]: line["name"] for line in people}
        self.guests = {line["name"] for line in people if line["guest"]}
        self.retired = {line["name"] for line in people if line["retired"]}
        self.seasons = {line["uid"]: line for line in lines if line.get("type") == "season"}
        self.games = sorted((self._game(line) for line in lines if "x-number" in line), key=self.when)

    @staticmethod
    def when(game: Game) -> tuple[str, int]:
        return game.day, game.number

    def _game(self, line: dict[str, Any]) -> Game:
        season = self.seasons.get(line.get("x-season", ""))
        return Game(line, self.names, season["settings"].get("credit", "finished") if season else "finished")

    def of_season(self, uid: str) -> list[Game]:
        """The games of a season, credited by the season's `credit` setting."""
        credit = self.seasons[uid]["settings"].get("credit", "finished")
        mine = (game for game in self.games if uid in (game.line.get("x-season"), *game.line.get("x-also", [])))
        return [replace(game, credit=credit) for game in mine]
