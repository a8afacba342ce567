"""What each column of the standings means; docs/standings.md says the same, and a test compares the two."""

from __future__ import annotations

from typing import NamedTuple

WIN_SHARE = "Games won of the games played. A tied game counts half."
RESULTS = {
    "Won": "Games won, alone or with partners.",
    "Lost": "Games that somebody else won.",
    "Tied": "Games that several sides won together.",
    "Win %": WIN_SHARE,
}
SCORES = {
    "For": "All final scores of the player’s side added up.",
    "Against": "The final scores of the other side added up; with more sides, of the best of them in each game.",
    "Margin": "For less Against, per game.",
}
ORDERED = {
    "Place": "By what the table is ordered by, then by its tiebreakers. Players who are still tied share a place.",
    "Wins": "Games won. A tied game counts half. Where only the best nights count, those of these nights.",
    "Points": "So many for each game won, lost and tied, as the season has it, with nights and bonus points.",
}
LEAGUE = {
    "Nights": "Game nights that count, of those on which the player was there: 4 of 6.",
    "Bonus": "Bonus points less penalties; – for none.",
}
PLAYERS = {
    **ORDERED,
    "Games": "Finished games that count for the player.",
    **RESULTS,
    **SCORES,
    "Rating": "How strong the player has been so far, and by how much that may be off. Newcomers start at 1000.",
    **LEAGUE,
    "Division": "One of the groups A to D. Each has a table and places of its own, from all games of the season.",
}
PAIRS = {
    **ORDERED,
    "Pair": "The two players of a team of two. A pair has no rating.",
    "Games": "Finished games in which the two were a team and both are credited.",
    **RESULTS,
    **SCORES,
    **LEAGUE,
    "Division": "A pair is in a division if both players are in it.",
}
LADDER = {
    "Rung": "Whoever beats somebody higher takes that rung, or trades with the loser. The first is at the top.",
    "Arrow": "Rungs gained and lost on the last game night.",
}
PARTNERS = {
    "Partners": "Two players who were in one team. By how much more than chance they won, less what luck may explain.",
    "Win %": "Games won of the games played together. A tied game counts half.",
    "Chance": "What the win % would be by chance: 50% with two sides, 33% with three.",
    "Games": "Finished games in one team.",
    "Won": "Games won together.",
    "Lost": "Games lost together.",
    "Tied": "Games in which their side tied.",
    "Hands": "Hands that both played in one team.",
    "Swing": "What a hand changed their score by, compared with the best of the others, on average.",
}
HEAD_TO_HEAD = {
    "Schedule": "Strength of schedule: the average rating of the player’s opponents, each as it was before the game.",
    "Opponent": "A player on another side. Partners are not opponents.",
    "Games": "Finished games in which the two were on different sides. Forfeits count.",
    "Won–lost–tied": "How those games ended for the player of the line. With three sides or more, both can lose.",
    "Win %": "Of those games. A tied game counts half.",
}
OTHER_NUMBERS = {
    "Head to head": "Among tied players: games won against the others, less games lost to them.",
    "Sets per game": "Sets of the player’s side in hands the player played, per game that counts for the player. A "
    "pair: in hands both played.",
    "Form": "The last five games, the latest last: W won, L lost, T tied. Forfeits are left out.",
    "Provisional": "A rating from fewer than eight games of this table.",
    "Streak": "Games won in a row, alone or with partners. A tied game ends it, and forfeits are left out.",
}


class Section(NamedTuple):
    """The columns of one table: its key in addresses, its title, and what each column means."""

    key: str
    title: str
    columns: dict[str, str]


SECTIONS = (
    Section("players", "Players", PLAYERS),
    Section("pairs", "Fixed pairs", PAIRS),
    Section("ladder", "Ladder", LADDER),
    Section("partners", "Partners", PARTNERS),
    Section("head-to-head", "Head to head", HEAD_TO_HEAD),
    Section("other", "Other numbers", OTHER_NUMBERS),
)


def anchor(section: str, name: str) -> str:
    """Where the line of a column is on their page: players-win-share."""
    words = name.lower().replace("%", "share").replace("–", " ").split()
    return "-".join((section, *words))
