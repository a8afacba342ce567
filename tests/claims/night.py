"""Check the sentences about games in the story of a night against the club file; table.py checks the others."""

import re
from collections import Counter

from tests.claims.book import Game, Name
from tests.claims.story import number


def names_in(text: str, games: list[Game]) -> set[Name]:
    """The set of full names in a list such as "Ann, Bo and Cy"."""
    there = {name for game in games for name in game.everybody}
    found = {name for name in re.split(r", | and ", text) if name}
    assert found <= there, text
    return found


def winners(game: Game) -> set[Name]:
    return {name for unit in game.winners for name in game.counts_for(unit)}


def check(text: str, games: list[Game]) -> str:
    """Check the sentences about the games of a night; return the rest of the text, which is about the table."""
    won = Counter(name for game in games if len(game.winners) == 1 for name in winners(game))
    most = max(won.values(), default=0)
    best = {name for name, many in won.items() if many == most}
    for pattern, is_so in KINDS.items():
        if found := re.match(rf"(?:(?P<games>\d+) games\. |One game)?{pattern}(?: |$)", text):
            assert number(found["games"] or found.groupdict().get("no_more") or "1") == len(games)
            is_so(found, games, won, best)
            return text[found.end() :]
    raise AssertionError(f"a sentence of an unknown kind: {text!r}")


def _one_tie(m, games, won, best):
    (game,) = games
    assert len(game.winners) > 1
    assert names_in(m["who"], games) == winners(game)
    _check_line(m, game)


def _one(m, games, won, best):
    (game,) = games
    assert names_in(m["who"], games) == winners(game) == best
    _check_line(m, game)
    first, *others = (game.final[unit] for unit in game.by_score)
    assert bool(m["why"]) == (first <= max(others) and not game.paper)
    if m["why"] in ("because the bidder goes out first", "by making the bid"):
        assert game.unit_of(game.verdicts[-1]["bidder"]) in game.winners


def _check_line(m, game):
    said = [number(total) for total in m["line"].removeprefix("with ").split(" to ")]
    assert said == [game.final[unit] for unit in game.by_score][: len(said)]
    assert len(said) == (1 if len(game.units) > 3 else len(game.units))


def _all_ties(m, games, won, best):
    assert not won
    assert (m[0].split()[2] == "Both") == (len(games) == 2)


def _won_all(m, games, won, best):
    assert names_in(m["who"], games) == best
    assert {won[name] for name in best} == {len(games)}
    assert m["all"] == ("both" if len(games) == 2 else f"all {len(games)}")


def _alone_all(m, games, won, best):
    (name,) = names_in(m["who"], games)
    played = sum(name in game.credited for game in games)
    assert best == {name}
    assert won[name] == played == number(m["played"]) < len(games)
    assert m["all"] == ("both" if played == 2 else f"all {played}")


def _alone(m, games, won, best):
    (name,) = names_in(m["who"], games)
    assert best == {name}
    played = sum(name in game.credited for game in games)
    assert m["many"] == ("one" if played == 1 else f"{won[name]} of {played}")


def _two_games(m, games, won, best):
    assert len(games) == 2
    assert [names_in(m[which], games) for which in ("first", "second")] == [winners(game) for game in games]


def _nobody_two(m, games, won, best):
    assert max(won.values()) == 1
    assert len(best) > 1


def _several(m, games, won, best):
    assert names_in(m["who"], games) == best
    assert {won[name] for name in best} == {number(m["many"])}
    assert len(best) > 1


WHO = r"(?P<who>[^:]+?)"
LINE = r"(?P<line>(?:with )?−?\d+(?: to −?\d+)*)(?:, (?P<why>[^.]+))?"
KINDS = {
    rf", a tie\. {WHO} won together, {LINE}\.": _one_tie,
    rf"\. {WHO} won, {LINE}\.": _one,
    r"(?:Both|All) were ties\.": _all_ties,
    r"(?P<first>[^:]+?) won the first, (?P<second>[^:]+?) the second\.": _two_games,
    rf"{WHO} played (?P<played>\d+) and won (?P<all>both|all \d+)\.": _alone_all,
    rf"{WHO} won (?P<all>both|all \d+)\.": _won_all,
    rf"{WHO} won the most, (?P<many>\d+) each\.": _several,
    rf"{WHO} won the most, (?P<many>one|\d+ of \d+)\.": _alone,
    r"(?P<no_more>\d+) games\.": _nobody_two,
}
