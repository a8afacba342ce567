"""What hand entry says: what is missing, what cannot be, what looks wrong, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.scoring.rules.fields import SUIT_ENDS
from scorekeeper.web.common.words import suit_end

BROKEN = "Part of this form is missing. Reload the page."
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
WHO_PLAYED = {"keeper": "Who played {}?", **dict.fromkeys(("holder", "taker"), "Who was dealt {}?")}  # by the owner
CARDS_LEFT = "{} cards left that count"
ONE_CARD_LEFT = "1 card left that counts"
REST_NOT_DEALT = "{}. Tap them, or “not dealt” for the rest."
BURY_FIRST = "Tap the {} first."

# --- what cannot be -----------------------------------------------------------------------------------------------

NO_SUCH_BID = "These rules have no such bid. Tap another."
NO_SUCH_CARD = "That card is not in this deck. Tap another."
NO_SUCH_PILE = "There is no such pile. Tap another."
CANNOT_HAVE_IT = "They cannot have this point. Tap another."
PLAYS_ALONE = "A bidder who has the called card plays alone. Tap nobody."
CALLED_IS_BURIED = "The called card is buried. Tap nobody."
LONE_TRUMP = "High and Low are one card here. Tap the same for both."
OTHER_COUNT_TOO = "Enter the others’ card points too, or tap the buried cards."
GAME_IS_OVER = "This game is over. Correct a hand on the score sheet, or play again."
SWEPT = "Whoever took every trick took these points too. Change one."
NOTE_TOO_LONG = "This note is too long. Shorten it to {} letters."
COUNT_RANGE = "Card points are a number from 0 to {}."
TOO_MANY_IN_PILES = "Only {} cards are dealt. Take some out of the piles."
TOO_MANY_BURIED = "Only {} can be buried. You tapped {}."
COUNTS_TOO_HIGH = "The card points add up to more than {}. Check both numbers."
SAME_CARD = "The {} is both {}. Tap the same for both."

# --- whose turn it is ---------------------------------------------------------------------------------------------

ALL_PASSED = "All passed."
JOKER_LED = "A joker was led. What is trump?"
WHAT_IS_TRUMP = "What is trump?"
ALL_PLAYED = "All tricks played"
BIDS = "{} bids {}."
PLAYS_WITHOUT_BID = "All passed. {} plays without a bid."
FOLLOW_SUIT = "{} led. Follow suit if you can."
FOLLOW_OR_TRUMP = "{} led. Follow suit if you can, or play trump."
TRUMPS_ONLY = "Only trumps are played."
REVOKED = "{0} has a {1} ({2}), but played {3} when {4} were led in trick {5}."

# --- a tap that is not taken, or that throws something away -------------------------------------------------------

WHO_LEADS = "Who bid? Tap a name first: the bidder leads."
OTHERS_TURN = "Another player is next."
BIDDING_IS_OVER = "The bidding is over."
NOT_NOW = "That bid is not allowed now."
CALLS_CLEARED = "The bid was changed, so the bidding seat by seat was cleared."
CALLS_CUT = "The bids that are not allowed now were taken back."
PLAY_SHOWS_PARTNER = "The cards played show who had the called card."
HAS_EVERY_CARD = "One pile has every card. Tap yes under every trick, or move a card."
IS_BURIED, IS_PLAYED = "{} is buried.", "{} is already played."
LAST_CARD = "{} was the only card left."
TRUMP_WAS_LED = "{} was led, so trump is {}."
PLAY_CLEARED = "Trump is {} now, so the cards played were cleared."
PLAY_CUT = "{} is buried now, so the play goes back to before it."
CARDS_DECIDE = "The cards decide {}, not your tap under points."

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
SWEEP_SCORES = "+{} with every point"
WHO_HAD = "who was dealt it"
OWNER_HINTS = {"keeper": "who played it", "holder": WHO_HAD, "taker": ""}

# --- what looks wrong, and may be right all the same --------------------------------------------------------------

TOOK_ALL = "Did {} take all {}?"
BOLD_BID = "Was the bid really {}? It took nothing, and the highest bid made this year is {}."
WAS_DEALT = "{} was dealt. Who took it?"
WAS_DRAWN = "The {} sees every card left. Did nobody have {}?"
WAS_TURNED_UP = "{} was turned up, so nobody had it. Tap none."
FEWER_BURIED = "{} cards were buried. You tapped {}."
TOO_MANY_GONE = "{} {}, so somebody took {}."
COUNTS_DIFFER = "The card points add up to {}, but {} were dealt."
NOT_THE_DEALER = "It was {}’s turn to deal, not {}’s."

# --- the result ---------------------------------------------------------------------------------------------------

AFTER_HAND = " after hand {}"
SCORE = "Score: {}."

# --- saving -------------------------------------------------------------------------------------------------------

UPDATED = "Scorekeeper was updated. Check the hand, then save again."
AFTER_THE_END = "The game is over. This won’t count."
NOTHING_CHANGED = "Nothing was changed in hand {}."
KEPT_IN = "Hand {} was not removed: {} without it."
CHANGED_ELSEWHERE = "Another phone changed hand {}, so it was not removed. {}"
SAVED_TWICE = "Another phone already saved the same hand {}. It counts once."
NO_SUCH_HAND = "Another phone removed a hand. There is no hand {} now."
CHANGED_FIRST = "Another phone changed hand {} first."
SAVED_FIRST = "Another phone saved hand {} first."


def corrected_elsewhere(mine: Sequence[str]) -> str:
    """What to say on the page of a correction whose hand another phone has changed; `mine` is what this one had."""
    had = f" You had: {'; '.join(mine)}." if mine else ""
    return f"Another phone changed this hand too.{had} This is how it is now."
