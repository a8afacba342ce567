"""What hand entry says: what is missing, what cannot be, what looks wrong, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.scoring.cards import SUIT_NAMES
from scorekeeper.scoring.vocabulary import SUIT_ENDS
from scorekeeper.web.common.numbers import counted
from scorekeeper.web.common.words import card_name, card_sign, listed, point_name, suit_end

BROKEN = "Part of this form is missing. Reload the page."
MOST_CARDS_NAMED = 6
MOST_LETTERS = 16  # of a name on the page; two of these fit into a question beside Save
ROOM_BESIDE_SAVE = 80  # letters in three lines of a small phone
FEWER_LETTERS = (11, 8)  # of a name in a sentence that is longer

# --- what is missing ----------------------------------------------------------------------------------------------

WHO_BID = "Who bid? Tap a name."
HOW_MUCH = "How much was bid? Tap a number."
WHAT_TRUMP = "What was trump? Tap a suit."
WHO_HAD_IT = "Who had the called card? Tap a name, or nobody."
WHO_DEALT = "Who dealt? Tap a name."
WHO_WON_TRICK = "Who won the trick that scores? Tap it under points first."
REST_NOT_DEALT = "Is that every card that counts? Then tap “not dealt”."


def cards_left(cards: Sequence[str]) -> str:
    """2 cards left: 10♦ A♣"""
    named = " ".join(map(card_sign, cards[:MOST_CARDS_NAMED]))
    return f"{counted(len(cards), 'card')} left: {named}{' …' if len(cards) > MOST_CARDS_NAMED else ''}"


def cards_left_to_place(number: int) -> str:
    """12 cards left, or that there is nothing more to do."""
    return f"{counted(number, 'card')} left" if number else ALL_SETTLED


def bury_first(number: int) -> str:
    """Tap the other buried card first."""
    return "Tap the other buried card first." if number == 1 else f"Tap the other {number} buried cards first."


def tap_buried(named: int, of: int) -> str:
    """Tap the 2 buried cards; once there are some: 1 of 2 buried."""
    return f"{named} of {of} buried" if named else f"Tap the {counted(of, 'buried card')}"


# --- what cannot be -----------------------------------------------------------------------------------------------

NO_SUCH_BID = "These rules have no such bid. Tap another."
NO_SUCH_CARD = "That card is not in this deck. Tap another."
NO_SUCH_PILE = "There is no such pile. Tap another."
CANNOT_HAVE_IT = "That side cannot have this point. Tap another."
PLAYS_ALONE = "A bidder who has the called card plays alone. Tap nobody."
CALLED_IS_BURIED = "The called card is buried. Tap nobody."
LONE_TRUMP = "The only trump is both High and Low. Give both to the same side."
OTHER_COUNT_TOO = "Enter the other side’s card points too, or tap the buried cards."
GAME_IS_OVER = "This game is over. Correct a hand on the score sheet, or play again."
SWEPT = "The side that took every trick took these points too. Change one or the other."
NOTE_TOO_LONG = "This note is too long. Shorten it to {} letters."


def count_range(most: int) -> str:
    return f"Card points are a number from 0 to {most}."


def too_many_in_piles(dealt: int) -> str:
    return f"Only {dealt} cards are dealt. Take some out of the piles."


def too_many_buried(buried: int, tapped: int) -> str:
    return f"Only {counted(buried, 'card')} can be buried. You tapped {tapped}."


def counts_too_high(total: int) -> str:
    return f"The card points add up to more than {total}. Check both numbers."


def same_card(card: str | None, points: Sequence[str]) -> str:
    """The 2 of hearts is both High and Low. Give both to the same side."""
    return f"The {card_name(card) if card else 'card'} is both {listed(points)}. Give both to the same side."


# --- whose turn it is ---------------------------------------------------------------------------------------------

ALL_PASSED = "All passed."
BIDDER_LEADS = "The bidder leads"
JOKER_LED = "A joker was led. What is trump?"
WHAT_IS_TRUMP = "What is trump?"
ALL_PLAYED = "All tricks played"
ALL_SETTLED = "All points settled"


def bids(name: str, bid: str) -> str:
    return f"{name} bids {bid}."


def to_bid(name: str) -> str:
    return f"{name} to bid"


def must_bid(name: str) -> str:
    return f"{name} dealt and must bid"


NO_BID = "no bid"


def plays_without_bid(name: str) -> str:
    return f"All passed. {name} plays without a bid."


def can_keep_it(name: str, bid: str) -> str:
    return f"{name} can play it for {bid}, or sell it"


def can_take_it(name: str, bid: str) -> str:
    return f"{name} dealt and can take it for {bid}"


def sets_trump(name: str) -> str:
    return f"{name}’s first card sets trump"


def to_play(trick: int, name: str, *, leads: bool) -> str:
    return f"Trick {trick}: {name} to lead" if leads else f"Trick {trick}: {name} to play"


def follow_suit(suit: str, *, is_trump: bool) -> str:
    if is_trump:
        return f"{suit} led. Follow suit if you can."
    return f"{suit} led. Follow suit if you can, or play trump."


TRUMPS_ONLY = "Only trumps are played."


def has_no_trump(name: str) -> str:
    return f"{name} has no trump"


def revoked(name: str, suit: str, held: str, trick: int, played: str) -> str:
    """Cy has a heart (2♥), but played A♦ when hearts were led in trick 1."""
    one, held, played = suit.removesuffix("s"), card_sign(held), card_sign(played)
    return f"{name} has a {one} ({held}), but played {played} when {suit} were led in trick {trick}."


# --- a tap that is not taken, or that throws something away -------------------------------------------------------

WHO_LEADS = "Who bid? Tap a name first: the bidder leads."
OTHERS_TURN = "Another player is next."
BIDDING_IS_OVER = "The bidding is over."
NOT_NOW = "That bid is not allowed now."
CALLS_CLEARED = "The bid was changed, so the bidding seat by seat was cleared."
CALLS_CUT = "The bids that are not allowed now were taken back."
PLAY_SHOWS_PARTNER = "The cards played show who had the called card."
HAS_EVERY_CARD = "Every card is in one pile, so that side took every trick. Tap yes, or move a card."


def is_gone(card: str, *, buried: bool) -> str:
    return f"{card_sign(card)} is {'buried' if buried else 'already played'}."


def trump_was_led(card: str, trump: str) -> str:
    return f"{card_sign(card)} was led, so trump is {SUIT_NAMES[trump]}."


def play_cleared(trump: str) -> str:
    return f"Trump is {SUIT_NAMES[trump]} now, so the cards played were cleared."


def play_cut(card: str) -> str:
    return f"{card_sign(card)} is buried now, so the play goes back to before it."


def cards_decide(keys: Sequence[str]) -> str:
    named = listed([EVERY_TRICK.lower() if key == "sweep" else point_name(key) for key in keys])
    return f"The cards decide {named}, not your tap under points."


# --- the rows of points -------------------------------------------------------------------------------------------

FACE_NAMES = {
    "highest": "the highest trump",
    "lowest": "the lowest trump",
    "game": "the card points",
    "lowest-natural": "the lowest trump that is no joker",
    "first-trick": "the first trick",
    "last-trick": "the last trick",
    "L": "the other jack of trump’s color",
    "LA": "the other ace of trump’s color",
    "L5": "the other 5 of trump’s color",
    "L3": "the other 3 of trump’s color",
    **{end: f"the {suit_end(end)}" for end in SUIT_ENDS},
}
BIDDER, OTHERS, THE_OTHERS, BIDDING_SIDE = "bidder", "others", "the others", "the bidding side"
POINT_IS_BURIED = "buried, so nobody has it"
OWNER_HINTS = {"keeper": "who played it", "holder": "who was dealt it", "taker": ""}
MOST_CARD_POINTS = "most card points"
EVERY_TRICK, TOOK_EVERY_TRICK = "Every trick", "took every trick"
TAP_TEAMS, TAP_OTHERS, TAP_MANY = (
    "Tap points the other team took",
    "Tap points the others took",
    "Tap points somebody else took",
)
TAP_DEALERS = "Tap points the dealer’s side took"  # without bidding all points go to the others first


def goes_along(leader: str) -> str:
    return f"same card as {point_name(leader)}"


def needs_card_points(least: int) -> str:
    return f"{counted(least, 'card point')} or more"


def card_points(total: int | None) -> str:
    return "Card points (optional)" if total is None else f"Card points, {total} in all (optional)"


# --- what looks wrong, and may be right all the same --------------------------------------------------------------


def took_all(bidders: str, points: int) -> str:
    return f"Did {bidders} take all {points}?"


def bold_bid(bid: str, best: str) -> str:
    return f"Was the bid really {bid}? It took nothing, and the highest bid made this year is {best}."


def was_dealt(key: str) -> str:
    return f"{point_name(key)} was dealt. Who took it?"


def was_turned_up(key: str) -> str:
    return f"{point_name(key)} was turned up, so nobody had it. Tap none."


def too_many_gone(left: int, keys: Sequence[str], *, buried: bool) -> str:
    taken = listed([point_name(key) for key in keys], "or")
    cards = "Only 1 card was" if left == 1 else f"Only {left} cards were" if left else "No cards were"
    return f"{cards} {'buried' if buried else 'not dealt'}, so somebody took {taken}."


def counts_differ(total: int, dealt: int) -> str:
    return f"The card points add up to {total}, but {dealt} were dealt."


def not_the_dealer(turn: str, dealt: str) -> str:
    return f"It was {turn}’s turn to deal, not {dealt}’s."


def sat_elsewhere(before: str, seat: int, now: str) -> str:
    return f"{before} sat in seat {seat} last time. Now {now} does."


# --- saving -------------------------------------------------------------------------------------------------------

UPDATED = "Scorekeeper was updated since this page was opened. Check the hand, then save it again."
AFTER_THE_END = "This hand is after the end of the game, so it does not count."


def nothing_changed(position: int) -> str:
    return f"Nothing was changed in hand {position}."


def in_hand(position: int, why: str) -> str:
    """What a correction would spoil in another hand."""
    return f"Hand {position}: {why}"


def kept_in(position: int, why: str) -> str:
    """Hand 3 was not removed: ... without it."""
    return f"Hand {position} was not removed: {why} without it."


def changed_elsewhere(position: int, meanwhile: str) -> str:
    return f"Another phone changed hand {position}, so it was not removed. {meanwhile}"


def saved_twice(position: int) -> str:
    return f"Another phone already saved the same hand {position}. It counts once."


def corrected_elsewhere(mine: Sequence[str]) -> str:
    """What to say on the page of a correction whose hand another phone has changed; `mine` is what this one had."""
    if not mine:
        return "Another phone changed this hand while you were correcting it. This is how it is now."
    had = "; ".join(mine)
    return (
        f"Another phone changed this hand while you were correcting it. You had: {had}. This is the hand as it is now."
    )


# --- two phones ---------------------------------------------------------------------------------------------------


def no_such_hand(position: int) -> str:
    return f"Another phone removed a hand, so there is no hand {position} now."


def was_first(position: int, *, corrected: bool) -> str:
    if corrected:
        return f"Another phone changed hand {position} first."
    return f"Another phone saved hand {position} first."


THEIRS, MINE = "Theirs, saved", "Yours, not saved yet"
WAS_REMOVED, STILL_HERE = "Theirs, removed", "Yours, still on this phone"
KEEP_THEIRS, LEAVE_REMOVED, REPLACE = "Keep theirs", "Leave it removed", "Replace it with mine"


def save_as(position: int) -> str:
    return f"Save mine as hand {position}"


# --- the cards ----------------------------------------------------------------------------------------------------

NOT_DEALT, REST_WAS_NOT_DEALT = "not dealt", "The rest was not dealt"
DECIDED, ALL_COUNTED, STILL_OPEN = "decided", "all counted", "still open"


def rest_to(pile: str) -> str:
    return f"The rest to {pile}"
