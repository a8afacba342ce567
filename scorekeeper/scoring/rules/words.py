"""The texts of each rule field for documents and form, also for the parts of points, special bids and early wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

POINT_NAMES = {
    "high": "High",
    "low": "Low",
    "jack": "Jack",
    "right_jack": "Right Jack",
    "left_jack": "Left Jack",
    "right_joker": "Right Joker",
    "left_joker": "Left Joker",
    "game": "Game",
    "left_pedro": "Left Pedro",
    "high_spade": "High Spade",
    "red_joker": "Red Joker",
    "black_joker": "Black Joker",
}
NO_CHOICES: Mapping[str, str] = {}


class Words(NamedTuple):
    """The texts of a field: its title, the hint beside it, its meaning in documents, and the labels of its choices."""

    title: str
    help: str = ""
    meaning: str = ""
    choices: Mapping[str, str] = NO_CHOICES


def point_name(key: str) -> str:
    """A point's name by its key alone; the key of a house rule is turned into words."""
    return POINT_NAMES.get(key) or key.replace("_", " ").capitalize()


WORDS: dict[str, Words] = {
    "id": Words("id", "its name for programs", "its name for programs"),
    "name": Words("name", "its name for people", "its name for people"),
    "summary": Words("In one sentence", "Describe it in one line.", "one sentence that describes it"),
    "source": Words("Where it comes from", "A book, a page or a person.", "the document it follows"),
    "table.players": Words(
        "How many play",
        "Tap each number that can play.",
        "how many may play; the first is meant where a record does not say",
    ),
    "table.sides": Words(
        "Who plays together",
        "",
        "who plays together: fixed teams in alternating seats, everyone alone, the partner who holds the called card, "
        "or the partner who sits a fixed number of places to the bidder's right",
        choices={
            "teams": "Fixed teams",
            "solo": "Everyone alone",
            "called-partner": "The bidder calls a partner by a card",
            "seat-partner": "The bidder and a fixed seat",
        },
    ),
    "table.teams": Words(
        "How many teams",
        "Partners sit in alternate seats.",
        "with sides = teams, the numbers of teams allowed, 0 for everyone alone; the first that divides the players "
        "into teams of two or more is meant where a record does not say",
        choices={
            "0": "No teams",
            "1": "1",
            "2": "2 teams",
            "3": "3 teams",
            "4": "4 teams",
            "5": "5 teams",
            "6": "6 teams",
        },
    ),
    "table.partner_right": Words(
        "Seats to the partner",
        "Counted to the bidder’s right.",
        "with sides = seat-partner, how many places to the bidder's right the partner sits",
    ),
    "table.call": Words(
        "Which card may be called",
        "Whoever holds it is the partner.",
        "with sides = called-partner, which card may be called: any, or a trump only",
        choices={
            "any": "Any",
            "trump": "A trump",
        },
    ),
    "table.direction": Words(
        "Direction of play",
        "Deal, bidding and play.",
        "which way the deal, the bidding and the play go around, and the seats are numbered; with right, the "
        "dealer's left means the dealer's right",
        choices={
            "left": "To the left, clockwise",
            "right": "To the right, counterclockwise",
        },
    ),
    "deck.ranks": Words(
        "Cards in the deck",
        "Tap a rank to add or remove it.",
        "the ranks in the deck, from high to low, in all four suits",
    ),
    "deck.jokers": Words("Jokers", "", "how many jokers: the red one, the black one, X3, X4"),
    "deck.deal": Words(
        "Cards dealt",
        "Blank: as many as they play with.",
        "cards dealt to each player where that is not deck.hand: a number, or one for each number of players",
    ),
    "deck.hand": Words(
        "Cards played with",
        "Also the number of tricks.",
        "cards each player plays with; also the number of tricks: a number, or one for each number of players",
    ),
    "deck.kitty": Words(
        "Cards in the kitty",
        "Dealt face down.",
        "cards dealt to a kitty: a number, or one for each number of players",
    ),
    "deck.kitty_to": Words(
        "Who takes the kitty",
        "",
        "who takes the kitty before discarding: the bidder, or nobody, so that it stays face down",
        choices={
            "bidder": "The bidder",
            "nobody": "Nobody",
        },
    ),
    "deck.undealt": Words(
        "Cards left over",
        "A buried point counts for nobody.",
        "what happens to the undealt cards: looked at after the hand, or never seen",
        choices={
            "buried": "Shown after the hand",
            "stock": "Never seen",
        },
    ),
    "deck.draw": Words(
        "Discard and draw",
        "Once trump is known.",
        "what is discarded and refilled to deck.hand once trump is known (discard: down to deck.hand, no refill); it "
        "changes which cards are in play and nothing else",
        choices={
            "none": "No",
            "non-trump": "All but trump, back to a full hand",
            "up-to-3": "Up to three cards",
            "up-to-4": "Up to four cards",
            "up-to-4-with-ace": "Three cards, or four with an ace",
            "discard": "Discard down to a full hand",
        },
    ),
    "deck.rob": Words(
        "Rest of the deck",
        "Who looks through it after the draw.",
        "who looks through what is left of the deck after the draw and keeps the best: nobody, the dealer, the bidder",
        choices={
            "nobody": "Nobody",
            "dealer": "The dealer",
            "bidder": "The bidder",
        },
    ),
    "deck.misdeal": Words(
        "Misdeal",
        "Points for the others. The next player deals. 0: the same dealer deals again.",
        "what each other side scores when the dealer misdeals; the next player deals then; with 0 the same dealer "
        "deals again",
    ),
    "deck.redeal": Words(
        "New deal",
        "Who may ask for one, before the first bid.",
        "which hand lets its player ask for a new deal by the same dealer, before the first bid: none, one without "
        "ace, king, queen and jack, one without a card that could score, or one without either; the hand is left out of"
        " the record",
        choices={
            "no": "Nobody",
            "no-face-cards": "A hand without ace or face card",
            "no-point-cards": "A hand that cannot score",
            "no-face-or-point-cards": "A hand that cannot score and has no face card",
        },
    ),
    "trump.by": Words(
        "How trump is made",
        "If a joker is led, the bidder names the suit.",
        "trump is the suit of the bidder's first lead (a joker led: the bidder names it), or is named first, or is the"
        " suit of the card that the dealer turns up after the deal",
        choices={
            "lead": "By the first card led",
            "named": "The bidder names it",
            "turned-up": "A card is turned up",
        },
    ),
    "trump.turned": Words(
        "Points for the card turned up",
        "For the dealer, at once.",
        "with by = turned-up, what the dealer's side scores at once for turning up a card of that rank",
    ),
    "trump.gift": Words(
        "Gift to a player who begs",
        "The dealer keeps the trump for these points. 0: none.",
        "with by = turned-up, what is scored at once when the player at the dealer's left begs and the dealer keeps the"
        " trump",
    ),
    "trump.gift_to": Words(
        "Who gets the gift",
        "Matters with three sides or more.",
        "who gets trump.gift: the side at the dealer's left, or every side but the dealer's",
        choices={"eldest": "The player who begs", "others": "Everyone but the dealer"},
    ),
    "trump.run": Words(
        "Cards when the dealer runs them",
        "More cards for each player. 0: none.",
        "with by = turned-up, how many more cards each player is dealt when the player at the dealer's left begs and "
        "the dealer turns up another card; they play with all of them",
    ),
    "trump.order": Words(
        "Order of trump",
        "High to low. Tap a card, then the one it beats.",
        "trump from high to low; L is the Left Jack, LA, LK, L9, L5 and L3 the other cards of trump's color off "
        "trump, XR, XB, X3 and X4 the jokers",
    ),
    "trump.jokers": Words(
        "Two jokers in one trick",
        "",
        "jokers in one trick: the higher in trump.order wins, or they are alike and the first or the last played wins",
        choices={
            "ranked": "The higher one",
            "first": "The first played",
            "last": "The last played",
        },
    ),
    "play.follow": Words(
        "What may be played",
        "When a suit is led.",
        "on a trick: follow suit or trump; follow suit, and trump only when void; or trumps only, and whoever has none"
        " is out of the hand",
        choices={
            "follow-or-trump": "Follow suit or trump",
            "follow": "Follow suit; trump only without it",
            "trumps-only": "Trump only; without it you are out",
        },
    ),
    "auction.rounds": Words(
        "Rounds of bidding",
        "A pass is final.",
        "each player bids once, or the bidding goes around until all others have passed (a pass is final), or there is"
        " none: the player at the dealer's left leads, and everyone scores what they take",
        choices={
            "single": "One bid each",
            "until-passed": "Until all others pass",
            "none": "No bidding",
        },
    ),
    "auction.min": Words("Lowest bid", "", "the lowest bid"),
    "auction.max": Words("Highest bid", "Not counting special bids.", "the highest bid in numbers"),
    "auction.specials": Words(
        "Special bids",
        "Above the numbers, like a smudge or a moon.",
        "bids above the numbers: name, bid (what it is worth), needs (every trick, every trick by the bidder alone, "
        "every point), takes (at least so many points), made and failed (what becomes of the score: the bid counts, "
        "the points taken do, the game is won or lost, the score is set to made_to or failed_to, or target: up to it "
        "from zero or more and to zero from below; lost from the score), least_score (the score that allows it)",
    ),
    "auction.dealer": Words(
        "The dealer’s bid",
        "The dealer bids last. What takes the bid?",
        "what the dealer may do with the highest bid: only outbid it, match it, match it below the maximum, match it "
        "at the maximum only, or match it unless it is a special",
        choices={
            "outbid": "A higher bid",
            "match": "The same bid",
            "match-below-max": "The same bid, below the maximum",
            "match-max": "A higher bid, or the maximum again",
            "match-not-special": "The same bid, but not a special",
        },
    ),
    "auction.max_again": Words(
        "Same bid at the maximum",
        "Who may take the highest possible bid by bidding the same?",
        "who may take a bid of the maximum by bidding the same: the dealer, where auction.dealer allows it, or anyone",
        choices={
            "dealer": "Only the dealer, if allowed above",
            "anyone": "Anyone",
        },
    ),
    "auction.all_pass": Words(
        "When all pass",
        "",
        "when all pass: the same dealer deals again, the next dealer deals, the dealer may not pass, or the player at "
        "the dealer's left plays without a bid, and everyone scores what they take; without bidding, who deals after a"
        " hand that was not played",
        choices={
            "redeal": "Same dealer again",
            "next-dealer": "Next player deals",
            "dealer-forced": "The dealer must bid",
            "eldest-plays": "Played without a bid",
        },
    ),
    "auction.pass_cost": Words(
        "Cost when all pass",
        "What the dealer loses. 0: nothing.",
        "when all pass, what the dealer's side loses",
    ),
    "auction.forced_bid": Words(
        "Forced dealer’s bid",
        "When the dealer is stuck. Blank: the lowest bid, but at least 2.",
        "the least a forced dealer bids, also below auction.min; left out, auction.min but at least 2",
    ),
    "auction.seller": Words(
        "Who sells the hand",
        "Bids last. Plays for the highest bid, or scores that bid and lets the bidder play.",
        "who sells the hand: nobody, or the player at the dealer's left (eldest), who speaks last, may take the hand "
        "at the highest bid, and else scores that bid",
        choices={
            "nobody": "Nobody",
            "eldest": "The player after the dealer",
        },
    ),
    "auction.cap": Words(
        "How high a bid may go",
        "A high bid could win the game for the seller.",
        "with a seller, how high one may bid: to the maximum, or never so high that the seller would reach the target",
        choices={
            "maximum": "To the highest bid",
            "seller-short": "Never enough for the seller to win",
        },
    ),
    "points": Words(
        "Points",
        "What scores, and who gets it.",
        "what scores: key, card (a trump by its name in trump.order, highest, lowest, lowest-natural for the lowest "
        "card of the trump suit itself, highest-S or lowest-S for that spade in play and the same of H, D and C, trump"
        " or not, a card like AS in any suit, first-trick, last-trick, or game for the most card points), owner "
        "(taker: who won it; holder: who was dealt it; keeper: who played it, and the card moves along), worth, "
        "captured (what it is worth instead to a side that wins it from another), called (what the table calls it, "
        "where that is not its key in words; no two points have the same name)",
    ),
    "game.values": Words("Card points", "What each card counts toward Game.", "what cards are worth toward Game"),
    "game.award": Words(
        "Who wins Game",
        "By card points.",
        "Game goes to the most, alone; or needs game.at_least as well",
        choices={
            "most": "The most card points",
            "at-least": "At least a number",
        },
    ),
    "game.at_least": Words(
        "Card points for Game", "The fewest that win it.", "with award = at-least, the fewest card points that win it"
    ),
    "game.tie": Words(
        "A tie for Game",
        "Who gets it.",
        "a tied Game goes to nobody, to the bidder's side, to the dealer's side, to the side at the dealer's left, or "
        "to whoever has the first point of game.tie_points that somebody has, if that side is among the tied",
        choices={
            "nobody": "Nobody gets it",
            "bidder": "The bidder",
            "dealer": "The dealer",
            "eldest": "The player after the dealer",
            "points": "Whoever has a certain point",
        },
    ),
    "game.tie_points": Words(
        "Points that decide the tie",
        "If nobody has the first, the next decides.",
        "with tie = points, the keys of the points that decide it, in order",
    ),
    "settle.made": Words(
        "When the bid is made",
        "What it scores.",
        "a made bid scores what was taken, or only the bid; or (difference) only the side that took the most scores, "
        "and that by how much more it took than the next",
        choices={
            "taken": "Everything taken",
            "bid": "Only the bid",
            "difference": "Only the difference",
        },
    ),
    "settle.set": Words(
        "When the bid is set",
        "What it costs.",
        "a set side loses its bid; or what it took counts against the loss; or it scores nothing",
        choices={
            "bid": "The bid",
            "bid-less-taken": "The bid, minus points taken",
            "nothing": "Nothing",
        },
    ),
    "settle.sweep": Words(
        "Every trick and every point",
        "Extra points for taking them all, if nobody bid it.",
        "what a side takes beside the points when it wins every trick and every point, under a bid that is no special",
    ),
    "settle.defenders": Words(
        "The others, when a bid is set",
        "What each of them scores.",
        "when a bid is set, each of the others scores what it took, the bid, or both",
        choices={
            "taken": "What they took",
            "bid": "The bid",
            "both": "Both",
        },
    ),
    "win.target": Words("Play to", "The score that wins.", "the score that wins"),
    "win.eligible": Words(
        "Who can win",
        "",
        "who can win: anyone, or only a side that made its own bid in that hand",
        choices={
            "anyone": "Anyone who reaches the score",
            "made-bid": "Only the side that made its bid (bid out)",
        },
    ),
    "win.both": Words(
        "Several reach the score",
        "In the same hand. What decides first, and what next?",
        "several at the target after one hand, in this order: the bidder wins, the highest wins, the first when the "
        "hand's points are counted one by one (count-out), all tied win, nobody yet",
        choices={
            "bidder": "The bidder wins",
            "highest": "The highest score wins",
            "count-out": "Points are counted one by one",
            "share": "They win together",
            "play-on": "Play on",
        },
    ),
    "win.early": Words(
        "An early win",
        "Win early when far ahead.",
        "a win below the target: at, others_at_most, when (first-reach or any-hand), eligible; null for none",
    ),
    "win.order": Words(
        "Order of the points",
        "Counted one by one. Blank: as listed under points.",
        "with both = count-out, the keys of the points in the order in which they count; left out, that of points",
    ),
    "win.all_points": Words(
        "Every point of a hand",
        "Take them all and win at once.",
        "who wins the game at once by taking every point of a hand: nobody, the bidding side, or any side",
        choices={
            "nobody": "No",
            "bidder": "The bidder",
            "anyone": "Anyone",
        },
    ),
    "win.hands": Words(
        "Number of hands",
        "Then the highest score wins. Blank: no limit.",
        "how many hands a game has at most: after the last the highest score wins; null for no limit",
    ),
    "win.lost_at": Words(
        "Too far below zero",
        "Lose at this score. Blank: no limit.",
        "the score, below zero, at which a side loses the game to the others; null for none",
    ),
    "win.lost_sets": Words(
        "Too many sets",
        "Lose after this many sets. Blank: no limit.",
        "how often a side can be set before it loses the game to the others; null for any number",
    ),
    "win.lost_in_a_row": Words(
        "Sets in a row",
        "Lose after this many sets in a row. Blank: no limit.",
        "in how many hands in a row a side can be set before it loses the game to the others; null for any number",
    ),
    "win.counted": Words(
        "How scores count",
        "Down: points won come off.",
        "how scores are shown: counted up to the target, or down from the target to 0; nothing is scored otherwise",
        choices={
            "up": "Up from 0",
            "down": "Down to 0",
        },
    ),
    "points.key": Words("Key"),
    "points.called": Words("Name"),
    "points.card": Words("What it is"),
    "points.owner": Words(
        "Who gets it",
        choices={
            "taker": "Who wins the trick",
            "holder": "Who was dealt it",
            "keeper": "Who plays it",
        },
    ),
    "points.worth": Words("Worth"),
    "auction.specials.name": Words("Name"),
    "auction.specials.bid": Words("Worth", "More than the highest bid in numbers."),
    "auction.specials.needs": Words(
        "It needs",
        choices={
            "every-trick": "Every trick",
            "every-trick-alone": "Every trick alone",
            "every-point": "Every point",
        },
    ),
    "auction.specials.takes": Words("Points needed", "At least this many. Blank: any."),
    "auction.specials.made": Words(
        "Made",
        choices={
            "bid": "Like any other bid",
            "taken": "Scores what was taken",
            "win": "Wins the game",
            "set-to": "Sets the score",
            "target": "Goes up to the winning score",
        },
    ),
    "auction.specials.made_to": Words("Score after it is made"),
    "auction.specials.failed": Words(
        "Set",
        choices={
            "bid": "Like any other bid",
            "lose": "Loses the game",
            "set-to": "Sets the score",
            "target": "Goes down by the winning score",
        },
    ),
    "auction.specials.failed_to": Words("Score after it is set"),
    "auction.specials.least_score": Words("Score needed to bid it", "Blank: any score."),
    "win.early.at": Words("Score", "Blank: no early win."),
    "win.early.others_at_most": Words("All others have at most"),
    "win.early.when": Words(
        "When",
        choices={
            "first-reach": "When first reached",
            "any-hand": "After any hand",
        },
    ),
    "win.early.eligible": Words(
        "Who",
        choices={
            "anyone": "Anyone",
            "made-bid": "Only the side that made its bid",
        },
    ),
    "points.captured": Words("Worth when captured", "For whoever wins it from another. Blank: the same."),
}
