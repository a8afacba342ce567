"""What is set for a season beside its games, in a club file: whether it is what stats.league keeps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from scorekeeper.models import UID_LENGTH
from scorekeeper.scoring.problems import Problems
from scorekeeper.stats.league import DIVISIONS, LONGEST_REASON, MOST_BONUSES, MOST_POINTS, SIZES, matches_of
from scorekeeper.transfer.fields import MOST, Fields, is_text

BONUS = {"uid", "player", "points", "reason", "undone", "day"}
NEWER = {"playoffs", "start"}  # only where there is one
EXTRA = 6  # numbers: the worth as a fraction, and four more


def is_league(league: Mapping[str, Any], players: Collection[str]) -> bool:
    """Whether it is what scorekeeper.stats.league keeps, of players by their uids."""
    bonuses, divisions = league.get("bonuses"), league.get("divisions")
    return (
        league.keys() | NEWER == {"bonuses", "divisions"} | NEWER
        and ("start" not in league or _is_start(league["start"], players))
        and ("playoffs" not in league or _are_playoffs(league["playoffs"], players))
        and isinstance(bonuses, list)
        and len(bonuses) <= MOST_BONUSES
        and all(isinstance(bonus, dict) and _is_bonus(bonus, players) for bonus in bonuses)
        and isinstance(divisions, dict)
        and _are_divisions(divisions, players)
        and bool(bonuses or divisions or league.keys() & NEWER)
    )


def _is_bonus(bonus: Mapping[str, Any], players: Collection[str]) -> bool:
    points = bonus.get("points")
    return (
        bonus.keys() == BONUS
        and is_text(bonus["uid"], UID_LENGTH)
        and isinstance(bonus["player"], str)
        and bonus["player"] in players
        and type(points) is int
        and 0 < abs(points) <= MOST_POINTS
        and is_text(bonus["reason"], LONGEST_REASON)
        and isinstance(bonus["undone"], bool)
        and _is_day(bonus["day"])
    )


def _are_divisions(divisions: Mapping[str, Any], players: Collection[str]) -> bool:
    """Whether every player of them is in one alone; written in their order, none of them empty."""
    if list(divisions) != sorted(divisions) or not divisions.keys() <= set(DIVISIONS):
        return False
    if not all(isinstance(members, list) and members for members in divisions.values()):
        return False
    there = [player for members in divisions.values() for player in members]
    known = all(isinstance(player, str) and player in players for player in there)
    return known and len(set(there)) == len(there)


def _is_start(start: object, players: Collection[str]) -> bool:
    """Whether it is a ladder's starting order: players, each once."""
    if not isinstance(start, list) or not start or not all(isinstance(uid, str) for uid in start):
        return False
    return len(set(start)) == len(start) and set(start) <= set(players)


def _are_playoffs(playoffs: object, players: Collection[str]) -> bool:
    """Whether it is a bracket: its size, seeds of one or two players, each once, and games by their matches."""
    if not isinstance(playoffs, dict) or playoffs.keys() != {"size", "seeds", "games"}:
        return False
    size, seeds, games = playoffs["size"], playoffs["seeds"], playoffs["games"]
    if type(size) is not int or size not in SIZES or not isinstance(seeds, list) or not isinstance(games, dict):
        return False
    if not all(isinstance(seed, list) and 0 < len(seed) <= 2 for seed in seeds) or not 2 <= len(seeds) <= size:
        return False
    there = [player for seed in seeds for player in seed]
    known = all(isinstance(player, str) and player in players for player in there)
    keys = [key for keys in matches_of(size) for key in keys]
    sorted_keys = list(games) == sorted(games) and set(games) <= set(keys)
    return known and sorted_keys and all(is_text(uid, UID_LENGTH) for uid in games.values())


def _is_day(value: object) -> bool:
    fields = Fields({"day": value}, problems := Problems())
    fields.day("day")
    return not problems


def is_extra(extra: object) -> bool:
    """Whether it is what a frozen table keeps of nights and bonus points, or nothing."""
    if extra is None:
        return True
    if not isinstance(extra, list) or len(extra) != EXTRA:
        return False
    return all(type(number) is int and abs(number) <= MOST for number in extra) and extra[1] > 0
