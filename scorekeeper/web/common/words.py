"""Names, cards and suits in players' terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from markupsafe import Markup

from scorekeeper.scoring.cards import OFF_SUIT, RANKS, SUIT_NAMES, build_deck

ABOUT = "Keeps score of Setback and Pitch at the card table."
NUMBER_WORDS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen"),
)
FORMATS = {0: "individual play", 2: "two teams", 3: "three teams", 4: "four teams"}
RANK_NAMES = {"A": "Ace", "K": "King", "Q": "Queen", "J": "Jack", "T": "10"}
SUIT_SIGNS = {"S": "♠︎", "H": "♥︎", "D": "♦︎", "C": "♣︎"}
SUIT_SIGN = re.compile(f"({'|'.join(SUIT_SIGNS.values())})")
SUITS_BY_SIGN = {
    sign: Markup('<span class="suit suit-{}{}">{}</span>').format(suit, " red" if suit in "HD" else "", sign)
    for suit, sign in SUIT_SIGNS.items()
}
CARD_NAMES = {"XR": "Red Joker", "XB": "Black Joker", "X3": "Third Joker", "X4": "Fourth Joker"}
# What a point is for, as in "the first trick"; a card that is a point has its own name.
POINT_CARDS = {
    "game": "most card points",
    "highest": "highest trump in play",
    "lowest": "lowest trump in play",
    "lowest-natural": "lowest card of the trump suit in play",
    "first-trick": "first trick",
    "last-trick": "last trick",
    **{name: f"other {RANK_NAMES.get(rank, rank).lower()} of trump’s color" for name, rank in OFF_SUIT.items()},
    **{
        f"{end}-{suit}": f"{end} {name.removesuffix('s')} in play"
        for suit, name in SUIT_NAMES.items()
        for end in ("highest", "lowest")
    },
}
UNFINISHED = " -.\u200d"  # characters that a shortened name must not end with
SHORT = 9  # letters of a name that is said whole, because its first word may be half a name: Mary Jo, Billy Bob
NO_NAMES = re.compile(  # first words that name nobody alone
    "the|big|little|old|young|uncle|aunt|auntie|grandma|grandpa|father|sister|brother|coach|doc|captain|.*[.]", re.I
)
CARD_POSITIONS = {card: place for place, card in enumerate(build_deck(RANKS, len(CARD_NAMES)))}


def listed(names: Sequence[str], last: str = " and ") -> str:
    """Text like "Ann, Cy and Ed"."""
    return last.join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def all_are(names: Sequence[str], state: str) -> str:
    """Text like "Winter and Spring are open again."; "" without names."""
    return f"{listed(names)} {'are' if names[1:] else 'is'} {state}." if names else ""


def in_turn(names: Sequence[str]) -> str:
    """Text like "High, Low, Jack, then Game"."""
    return listed(names, ", then ")


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """First names of long names; the full name if two share one, and of short ones like Mr. Moss, Big Ed, Mary Jo."""
    firsts = [name.partition(" ")[0] for name in names]
    alike = [first.casefold() for first in firsts]
    return tuple(
        name if len(name) <= SHORT or NO_NAMES.fullmatch(first) or alike.count(first.casefold()) > 1 else first
        for first, name in zip(firsts, names, strict=True)
    )


def cut_names(names: Sequence[str], most: int, among: Sequence[str] | None = None) -> tuple[str, ...]:
    """Cut names to `most` characters: "Christopher J." and "Christopher M.", or "Christopher Jo…" next to another J.

    They are told apart from those `among` which they are shown (default: from each other).

    Other names with the same beginning become "C. Moss" and "C. Bell", or keep the letters from where they differ.
    """
    return tuple(name if len(name) <= most else _cut(name, among or names, most) for name in names)


def _cut(name: str, names: Sequence[str], most: int) -> str:
    first = name.partition(" ")[0]
    differs = [_same_letters(name, other) for other in names if other != name and other.partition(" ")[0] == first]
    if differs and len(first) < max(differs) < most - 1:
        kept = name[: max(differs) + 1]
        return f"{kept}{'.' if kept[-2] == ' ' else '…'}"
    alike = [other for other in names if other != name and other[: most - 1] == name[: most - 1]]
    if not alike:
        kept = _in_whole_words(name, most - 1)
        if any(other.startswith(kept) for other in names if other != name):
            kept = name[: most - 1]
        return f"{kept.rstrip(UNFINISHED)}…"
    lasts = [one.split()[-1] for one in (name, *alike)]
    if name[0].isalpha() and 2 < len(lasts[0]) <= most - 3 and lasts.count(lasts[0]) == 1 and " " in name:
        return f"{name[0]}. {lasts[0]}"
    differs_at = max(_same_letters(name, other) for other in alike)
    differs_at = min(differs_at, *(len(one) - 2 for one in (name, *alike)))  # keep two differing characters
    begins = _in_whole_words(name, most // 3).rstrip(UNFINISHED)
    room, word = most - most // 3 - 1, name.rfind(" ", 0, differs_at) + 1
    kept = name[word if differs_at + 2 - word <= room else differs_at :]
    return f"{begins}…{_in_whole_words(kept.lstrip(UNFINISHED), room)}"


def _in_whole_words(text: str, most: int) -> str:
    """So many letters of a text, and the last word only where all of it fits or it is the first one."""
    kept = text[:most]
    return kept if text[most:][:1] in ("", " ", "-") else re.sub("(?<=.)[ -][^ -]*$", "", kept)


def _same_letters(one: str, other: str) -> int:
    """Length of the common prefix."""
    return sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(one, other, strict=False)))


def ended(sentence: str) -> str:
    """Add a final period unless there is one, as after "Ed Jr."."""
    return sentence if sentence.endswith(".") else f"{sentence}."


def card_name(card: str) -> str:
    """A card's name for screen readers."""
    return CARD_NAMES.get(card) or f"{RANK_NAMES.get(card[0], card[0])} of {SUIT_NAMES[card[1]]}"


def rank_name(rank: str) -> str:
    """Text like "Ace", "10", "Red Joker"."""
    return CARD_NAMES.get(rank) or RANK_NAMES.get(rank, rank)


def card_sign(card: str) -> str:
    """A card as on its corner: 10♦."""
    if card in CARD_NAMES:
        return CARD_NAMES[card].lower()
    return f"{'10' if card[0] == 'T' else card[0]}{SUIT_SIGNS[card[1]]}"


def in_suit_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Sort by suit (spades, hearts, diamonds, clubs), ace to 2, then jokers."""
    return tuple(sorted(cards, key=CARD_POSITIONS.__getitem__))


def color_suits(text: str) -> Markup:
    """Wrap suit signs in elements that the stylesheet colors."""
    return Markup("").join(SUITS_BY_SIGN.get(part, part) for part in SUIT_SIGN.split(text))


def table_name(players: int, teams: int) -> str:
    return f"{players} players, {FORMATS.get(teams, f'{teams} teams')}"


def way_round(direction: str) -> str:
    """Direction of deal, play and seat numbers."""
    return {"left": "clockwise", "right": "counterclockwise"}[direction]


def place_at_table(seat: int, players: int, direction: str = "left") -> str:
    """CSS classes for a seat's position: clockwise from the top left, or from the top center if `players` is odd.

    Mirrored for games that go to the right: counterclockwise from the top right.
    """
    odd = players % 2
    right = (players + 1) // 2 if odd else players // 2 + 1  # last seat on the right
    if seat == 1:
        column, row = ("top", "") if odd else ("left", " row-1")
    elif seat <= right:
        column, row = "right", f" row-{seat if odd else seat - 1}"
    else:
        column, row = "left", f" row-{players - seat + 2}"
    mirrored = {"left": "right", "right": "left"} if direction == "right" else {}
    return f"{mirrored.get(column, column)}{row}"


def suit_name(suit: str) -> str:
    return SUIT_NAMES[suit]


FILTERS = ended, listed, card_name, card_sign, suit_name, color_suits, place_at_table, way_round
