"""From a hand's tricks, piles or claims to the points of each side, and to the called partner."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from .cards import UNKNOWN, Card, Suit
from .facts import NOT_GIVEN, Hand, SideName
from .play import Play, Trick, play_out
from .points import (
    TIED,
    KnownCards,
    Piles,
    PointScore,
    Taken,
    check_buried,
    check_same_cards,
    check_swept,
    decide_from_counts,
    decide_game,
    fill_counts,
    nothing_buried,
    points_from_claims,
    take_from_piles,
)
from .problems import Problems
from .table import Seat, Side, Sides, Table, TrumpSuit

# --- validation -------------------------------------------------------------------------------------------------


def has_unknown(tricks: Sequence[Trick] | None) -> bool:
    """True if a card of these tricks is unknown."""
    return tricks is not None and any(UNKNOWN in trick.cards for trick in tricks)


NOTHING_BESIDE = (None, None, None, None)


def check_captures(table: Table, hand: Hand, problems: Problems) -> None:
    """Require exactly one of tricks, piles and claims, and with it only the fields that belong to it.

    Tricks with unknown cards may have claims and counts for what the cards leave open.
    """
    tricks, piles = hand.tricks is not None, hand.piles is not None
    unknown = tricks and has_unknown(hand.tricks)
    claims = hand.claims is not None and not unknown
    if not (tricks or piles or claims):
        problems.add("no-points", "", "nobody said who took what: give claims, piles or tricks")
    if tricks + piles + claims > 1:
        first, last = "tricks" if tricks else "piles", "claims" if claims else "piles"
        problems.add("two-levels", last, f"{first} and {last} tell the same thing twice: keep one of them")
    elif not unknown:
        if hand.game_counts is not None and (tricks or piles):
            problems.add("misplaced", "game_counts", "game_counts goes with claims only: other cards are counted")
        if hand.sweep is not None and tricks:
            problems.add("misplaced", "sweep", "sweep goes with piles or claims: tricks tell it anyway")
    played_by = None if table.captured and (unknown or claims) else hand.played_by
    beside = hand.low_by, hand.high_by, played_by, hand.tricks_won
    # Of a hand with both tricks and claims, or with nothing, only that is reported.
    if beside != NOTHING_BESIDE and (unknown or (tricks != claims and not piles)):
        for name, value in zip(("low_by", "high_by", "played_by", "tricks_won"), beside, strict=True):
            if value not in (None, "", 0):
                problems.add("misplaced", name, f"{name} goes with piles only")


def check_cards(table: Table, hand: Hand, problems: Problems) -> None:
    """Check that each card is in the deck and listed once, and that there are no more cards than were dealt."""
    if hand.buried is not None and not table.sees_buried:
        problems.add("never-buried", "buried", "under these rules nobody sees the buried cards")
        return
    if hand.called is not None and hand.called not in table.cards:
        problems.add("not-in-deck", "called", f"{hand.called} is not in this deck")
    buried, captured = hand.buried or (), _captured(hand)
    if not buried and not captured:
        return
    if len(buried) > table.buried:
        problems.add("too-many-cards", "buried", f"only {table.buried} cards are buried, not {len(buried)}")
    everything = list(buried)
    for _, cards in captured:
        everything += cards
    if hand.piles is not None and len(everything) - len(buried) > table.dealt:
        problems.add(
            "too-many-cards", "piles", f"only {table.dealt} cards are dealt, not {len(everything) - len(buried)}"
        )
    if len(set(everything)) != len(everything) or not table.cards.issuperset(everything):
        _find_bad_cards(table, [("buried", buried), *captured], problems)


def _captured(hand: Hand) -> list[tuple[str, tuple[Card, ...]]]:
    """The captured cards as (place in the record, cards); empty with claims, unless tricks have unknown cards."""
    if hand.claims is not None and (hand.tricks is None or not has_unknown(hand.tricks)):
        return []
    if hand.tricks is not None:
        return [(f"tricks[{index}].cards", trick.cards) for index, trick in enumerate(hand.tricks)]
    return [(f"piles.{side}", cards) for side, cards in (hand.piles or {}).items()]


def _find_bad_cards(table: Table, groups: list[tuple[str, tuple[Card, ...]]], problems: Problems) -> None:
    seen: dict[Card, str] = {}
    for place, cards in groups:
        for index, card in enumerate(cards):
            at = f"{place}[{index}]"
            if card == UNKNOWN:
                continue
            if card not in table.cards:
                problems.add("not-in-deck", at, f"{card} is not in this deck")
            elif card in seen:
                also = "buried" if seen[card].startswith("buried") and place != "buried" else f"at {seen[card]}"
                problems.add("card-twice", at, f"{card} is also {also}")
            else:
                seen[card] = at


# --- points and sides -------------------------------------------------------------------------------------------


def read_captures(
    table: Table, hand: Hand, trump: Suit, bidder: Seat, problems: Problems
) -> tuple[Taken, Sides] | None:
    """The points and the sides of a hand; None if its tricks cannot be replayed."""
    play, suit = None, table.trumps[trump]
    if hand.tricks is not None:
        check_first_lead(table, hand.tricks, trump, problems)
        play = play_out(table, suit, bidder, hand.tricks, problems)
        if play is None:
            return None
    if hand.called is not None:
        check_called(table, hand.called, suit, problems)
    partner = find_partner(table, hand, bidder, play.player_of if play else None, problems)
    if hand.buried:
        known = KnownCards(table, table.sides(bidder, partner), suit, hand.buried)
    else:
        known = nothing_buried(table, bidder, partner, trump)
    if play is not None:
        piles = _piles_of_play(known, hand.tricks or (), play)
    elif hand.piles is not None:
        piles = _piles_as_given(known, hand, problems)
    else:
        return _claimed(known, hand, problems), known.sides
    return take_from_piles(known, piles, problems), known.sides


def check_first_lead(table: Table, tricks: tuple[Trick, ...], trump: Suit, problems: Problems) -> None:
    """If the lead sets trump, the first card led must be of that suit or a joker."""
    if table.rules.trump.by != "lead" or not tricks or not tricks[0].cards:
        return
    lead = tricks[0].cards[0]
    if lead[0] != "X" and lead[1] != trump:
        problems.add("trump-contradicted", "trump", f"the first lead is {lead}, and its suit is trump")


def _piles_of_play(known: KnownCards, tricks: tuple[Trick, ...], play: Play) -> Piles:
    winners, of_seat = play.winners, known.sides.of_seat
    cards: dict[Side, tuple[Card, ...]] = dict.fromkeys(known.sides.names, ())
    for trick, winner in zip(tricks, winners, strict=True):
        cards[of_seat[winner]] += trick.cards
    won = {of_seat[winner] for winner in winners}
    ends = {"first-trick": winners[:1], "last-trick": winners[-1:]}
    tricks_won = {key: of_seat[seat] for name, key in known.table.trick_points.items() for seat in ends[name]}
    lone = winners[0] if len(set(winners)) == 1 else 0
    sweep = won.pop() if len(won) == 1 else None
    return Piles(cards, sweep=sweep, player_of=play.player_of, tricks_won=tricks_won, lone=lone)


def read_side(sides: Sides, value: SideName | None, at: str, problems: Problems) -> Side | None:
    """Resolve a side name or a seat number to its side; None for None, or with a problem for anything else."""
    if value is None:
        return None
    side = sides.aliases.get(value)
    if side is None:
        problems.add("no-such-side", at, f"there is no side {value} here: the sides are {', '.join(sides.names)}")
    return side


def read_sweeper(sides: Sides, value: SideName | None) -> Seat | None:
    """The seat that won every trick by itself, where `sweep` names a seat; None where it names a side."""
    seats = range(1, len(sides.of_seat)) if value is not None else ()
    return next((seat for seat in seats if str(seat) == str(value)), None)


def _piles_as_given(known: KnownCards, hand: Hand, problems: Problems) -> Piles:
    sides = known.sides
    cards: dict[Side, tuple[Card, ...]] = dict.fromkeys(sides.names, ())
    for written, pile in (hand.piles or {}).items():
        side = read_side(sides, written, f"piles.{written}", problems)
        if side is not None:
            cards[side] += pile
    low_by = read_side(sides, hand.low_by, "low_by", problems)
    high_by = read_side(sides, hand.high_by, "high_by", problems)
    sweep = read_side(sides, hand.sweep, "sweep", problems)
    played_by = players_of_points(known, hand, problems)
    tricks_won: dict[str, Side] = {}  # tricks that score a point, which piles do not show
    for key, winner in (hand.tricks_won or {}).items():
        at = f"tricks_won.{key}"
        if key not in known.table.trick_points.values():
            problems.add("no-such-point", at, f"these rules have no trick that scores called {key}")
        elif (side := read_side(sides, winner, at, problems)) is not None:
            tricks_won[key] = side
    lone = read_sweeper(sides, hand.sweep)
    return Piles(cards, low_by, high_by, sweep, played_by=played_by, tricks_won=tricks_won, lone=lone)


def players_of_points(known: KnownCards, hand: Hand, problems: Problems) -> dict[str, Side]:
    """The side that played each point's card, by point key, from `played_by`."""
    found: dict[str, Side] = {}
    for key, written in (hand.played_by or {}).items():
        at = f"played_by.{key}"
        if key in known.table.card_points:
            if (side := read_side(known.sides, written, at, problems)) is not None:
                found[key] = side
        elif key == known.table.game_key:
            problems.add("no-such-point", at, f"{key} is not a card, so nobody played it")
        else:
            problems.add("no-such-point", at, f"these rules have no point called {key}")
    return found


def _claimed(known: KnownCards, hand: Hand, problems: Problems) -> Taken:
    claims = hand.claims or {}
    try:
        points = points_from_claims(known, claims)
    except KeyError:  # unknown point or side
        for key in claims:
            if key not in known.table.points:
                problems.add("no-such-point", f"claims.{key}", f"these rules have no point called {key}")
        sides = {key: read_side(known.sides, side, f"claims.{key}", problems) for key, side in claims.items()}
        points = points_from_claims(known, {key: side for key, side in sides.items() if key in known.table.points})
    counts, game = (None, None) if hand.game_counts is None else read_counts(known, hand.game_counts, problems)
    sweep = lone = None
    if hand.sweep is not None:
        sweep, lone = read_side(known.sides, hand.sweep, "sweep", problems), read_sweeper(known.sides, hand.sweep)
    if known.gone:
        check_buried(known, points, problems)
    if game is not None:
        key, winner = known.table.game_key or "", game.side
        claimed, points[key] = points[key].side, game
        # A tie that the rules award to a side is broken later, when all points are known.
        given = game.why == TIED and known.table.rules.game.tie != "nobody"
        if key in claims and claimed != winner and not given:
            text = f"the card points give Game to {winner or 'nobody'}, not to {claimed or 'nobody'}"
            problems.add("game-at-odds", f"claims.{key}", text)
    if known.doubles:
        check_same_cards(known, points, problems)
    if sweep is not None:
        check_swept(known, points, sweep, problems)
    players = players_of_points(known, hand, problems) if hand.played_by else {}
    assumed = mark_captured(known, points, players, problems) if players or known.table.captured else ()
    return Taken(points, counts, sweep, assumed, lone=lone)


def mark_captured(
    known: KnownCards, points: dict[str, PointScore], players: Mapping[str, Side], problems: Problems
) -> tuple[str, ...]:
    """Mark the points whose card was captured; return those for which that matters and is not recorded."""
    for key, player in players.items():
        score = points[key]
        if key not in known.table.captured:
            text = f"{key} is worth the same whoever played it, so leave that out beside claims"
            problems.add("misplaced", f"played_by.{key}", text)
        elif score.side is None:
            problems.add("not-captured", f"played_by.{key}", f"nobody has {key}, so leave out who played it")
        elif score.side != player:
            points[key] = PointScore(score.side, score.card, captured=True)
    assumed: tuple[str, ...] = ()
    for key in known.table.captured:
        if key not in players and points[key].side is not None:
            assumed += (key,)
    return assumed


def read_counts(
    known: KnownCards, value: Mapping[SideName, int], problems: Problems
) -> tuple[dict[Side, int] | None, PointScore | None]:
    """The card points by side (None unless all are known), and the Game point (None unless they decide it)."""
    if known.table.game_key is None:
        problems.add("no-such-point", "game_counts", "these rules have no Game point")
        return None, None
    given: dict[Side, int] = {}
    for name, count in value.items():
        side = read_side(known.sides, name, f"game_counts.{name}", problems)
        if side is not None and side in given:
            problems.add("count-twice", f"game_counts.{name}", f"the card points of {side} are given twice")
        elif side is not None:
            given[side] = count
    total = known.table.deck_value - sum(known.table.value[card] for card in known.buried)
    names = known.sides.names
    if sum(given.values()) > total:
        problems.add("count-too-high", "game_counts", f"the card points add up to more than the {total} there are")
        return None, None
    counts = fill_counts(known.table, names, known.buried, given)
    if len(counts) == len(names):
        return {side: counts[side] for side in names}, decide_game(known.table.rules.game, counts)
    game = decide_from_counts(known.table, names, known.buried, given)
    if game is None:
        problems.add("count-missing", "game_counts", _missing_count(names, given))
    return None, game


def _missing_count(names: Collection[Side], given: Mapping[Side, int]) -> str:
    missing = " and ".join(side for side in names if side not in given)
    if not given:
        return f"the card points of {missing} are missing"
    known = " and ".join(f"{side}'s {given[side]}" for side in names if side in given)
    return f"the card points of {missing} are missing: {known} alone do not decide Game"


# --- partners ---------------------------------------------------------------------------------------------------


def check_called(table: Table, called: Card, trump: TrumpSuit, problems: Problems) -> None:
    """If only a trump may be called, check that the called card is one."""
    if table.rules.table.call == "trump" and called not in trump.trumps:
        problems.add("not-trump", "called", f"{called} is not trump, and only a trump may be called")


def find_partner(
    table: Table, hand: Hand, bidder: Seat, player_of: Mapping[Card, Seat] | None, problems: Problems
) -> Seat | None:
    """The called partner; None if the bidder plays alone, in games without a call, and if it is not recorded."""
    if not table.calls_partner:
        if hand.called is not None:
            problems.add("no-call", "called", "nobody calls a partner under these rules")
        if hand.partner is not NOT_GIVEN:
            problems.add("no-call", "partner", "nobody calls a partner under these rules")
        return None
    called = hand.called
    captured = [card for pile in (hand.piles or {}).values() for card in pile]
    undealt = called in (hand.buried or ()) or (len(captured) == table.dealt and called not in captured)
    # Where only trumps are played, tricks do not show who held another card.
    stays_in_hand = table.short_tricks and called not in table.trumps[hand.trump or ""].trumps
    if player_of is not None and called is not None and (called in player_of or not stays_in_hand):
        found = player_of.get(called)
    elif called is not None and undealt:
        found = None
    elif hand.partner is NOT_GIVEN:
        what = "called" if player_of is not None and called is None else "partner"
        problems.add(f"no-{what}", what, "the partner is missing: a seat, or null for a bidder who plays alone")
        return None
    else:
        found = hand.partner
        if found == bidder:
            problems.add(
                "partner-is-bidder", "partner", "a bidder who holds the called card plays alone: the partner is null"
            )
        return found
    found = None if found == bidder else found
    if hand.partner is not NOT_GIVEN and hand.partner != found:
        holder = f"seat {found} does" if found else "it is buried, or the bidder's own"
        problems.add("wrong-partner", "partner", f"the partner does not hold {called}: {holder}")
    return found
