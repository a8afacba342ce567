"""What each column of the standings means; docs/standings.md says the same, and a test compares the two."""

from __future__ import annotations

COLUMNS = {
    "Place": "By what the table is ordered by, then by its tiebreakers. Players who are still tied share a place.",
    "Wins": "Games won. A tied game counts half.",
    "Points": "So many for each game won, tied and lost, as the season has it.",
    "Games": "Finished games that count for the player.",
    "Won": "Games won, alone or with partners.",
    "Tied": "Games that several sides won together.",
    "Lost": "Games that somebody else won.",
    "Win %": "Games won of the games played. A tied game counts half.",
    "For": "All final scores of the player’s side added up.",
    "Against": "The final scores of the other side added up; with more sides, of the best of them in each game.",
    "Margin": "For less Against, per game.",
    "Rating": "How strong the player has been so far, and by how much that may be off. Newcomers start at 1000.",
    "Error": "By how much the rating may be off.",
    "Last game": "What the last game changed the rating by.",
    "Nights": "Game nights that count, of those on which the player was there.",
    "Bonus": "Bonus points less penalties.",
}
OTHER_NUMBERS = {
    "Head to head": "Among tied players: games won against the others, less games lost to them.",
    "Form": "The last five games, the latest last: W won, T tied, L lost. Forfeits are left out.",
    "Provisional": "A rating from fewer than eight games of this table.",
    "Streak": "Games won in a row, alone or with partners. A tied game ends it, and forfeits are left out.",
}
