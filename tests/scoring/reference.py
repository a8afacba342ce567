"""A slow and simple reference scorer, written from the documents only, for comparison with the scoring core.

It shares no code with the core: rules are the plain data of `RuleSet.to_dict()`, a hand is the record of one given by
tricks, and everything is computed card by card.

`judge` scores a hand, or returns None if it is impossible; `referee` finds the winners of a game.
"""

import itertools
from collections.abc import Iterable
from typing import Any

Rules = dict[str, Any]
Facts = dict[str, Any]
SUITS = ("S", "H", "D", "C")
OTHER_JACK = {"S": "JC", "C": "JS", "H": "JD", "D": "JH"}


# --- the deck ---------------------------------------------------------------------------------------------------


def all_cards(rules: Rules) -> list[str]:
    jokers = ["XR", "XB", "X3", "X4"][: rules["deck"]["jokers"]]
    return [rank + suit for suit in SUITS for rank in rules["deck"]["ranks"]] + jokers


def trump_row(rules: Rules, trump: str) -> list[str]:
    """The trump cards from the highest to the lowest."""
    row = []
    for name in rules["trump"]["order"].split():
        if name == "L":
            row.append(OTHER_JACK[trump])
        elif name.startswith("L"):
            row.append(name[1] + OTHER_JACK[trump][1])
        elif name.startswith("X"):
            row.append(name)
        else:
            row.append(name + trump)
    return row


def undealt_count(rules: Rules, players: int) -> int:
    return len(all_cards(rules)) - players * hand_size(rules, players)


def hand_size(rules: Rules, players: int) -> int:
    """The number of cards each player plays with."""
    size = rules["deck"]["hand"]
    return size if isinstance(size, int) else next(cards for number, cards in size if number == players)


def game_value(rules: Rules, card: str) -> int:
    name = card if card in ("XR", "XB") else card[0]
    return rules["game"]["values"].get(name, 0)


# --- the bidding ------------------------------------------------------------------------------------------------


def every_bid(auction: Rules) -> list[int]:
    bids = {*range(auction["min"], auction["max"] + 1), *(special["bid"] for special in auction["specials"])}
    return sorted(bids | ({least_of_a_forced_dealer(auction)} if auction["all_pass"] == "dealer-forced" else set()))


def least_of_a_forced_dealer(auction: Rules) -> int:
    forced = auction["forced_bid"]
    return max(2, auction["min"]) if forced is None else forced


def next_to_say(
    auction: Rules, players: int, dealer: int, calls: list[tuple[int, int | None]]
) -> tuple[int | None, list[int | None]]:
    """The next seat to call with its legal calls (None: pass); (None, []) once the auction is over."""
    round_table = list(itertools.islice(itertools.cycle(range(1, players + 1)), dealer, dealer + players))
    seller = round_table.pop(0) if auction["seller"] == "eldest" else None
    if seller in [seat for seat, _ in calls]:
        return None, []
    holder, high = won_by(calls)
    waiting = who_waits(auction, round_table, calls, holder)
    if not waiting and seller is not None:
        return seller, [None] if high is None else [None, high]
    if not waiting:
        return None, []
    return waiting[0], sayings_of(auction, waiting[0], players, dealer, calls)


def who_waits(
    auction: Rules, round_table: list[int], calls: list[tuple[int, int | None]], holder: int | None
) -> list[int]:
    """The seats still to call, next first; without the seller of a hand."""
    if auction["rounds"] == "single":
        return round_table[len(calls) :]
    passed = {seat for seat, bid in calls if bid is None}
    start = round_table.index(calls[-1][0]) + 1 if calls else 0
    waiting = [seat for seat in (*round_table[start:], *round_table[:start]) if seat not in passed]
    return [] if waiting == [holder] else waiting


def sayings_of(
    auction: Rules, seat: int, players: int, dealer: int, calls: list[tuple[int, int | None]]
) -> list[int | None]:
    """The legal calls of the seat whose turn it is."""
    holder, high = won_by(calls)
    if high is None:
        alone = seat == dealer and len({seat for seat, bid in calls if bid is None}) == players - 1
        if alone and auction["all_pass"] == "dealer-forced":
            return [bid for bid in every_bid(auction) if bid >= least_of_a_forced_dealer(auction)]
        return [None, *(bid for bid in every_bid(auction) if bid >= auction["min"])]
    sayings: list[int | None] = [None]
    for bid in every_bid(auction):
        again = bid == auction["max"] and auction["max_again"] == "anyone"
        may_take = again or (seat == dealer and dealer_may_take(auction, bid))
        if bid > high or (bid == high and seat != holder and may_take):
            sayings.append(bid)
    return sayings


def dealer_may_take(auction: Rules, bid: int) -> bool:
    """True if the dealer may take the bid over at the same number."""
    top = auction["max"]
    if auction["dealer"] == "match":
        return True
    if auction["dealer"] == "match-below-max":
        return bid < top
    if auction["dealer"] == "match-max":
        return bid == top
    if auction["dealer"] == "match-not-special":
        return bid not in [special["bid"] for special in auction["specials"]]
    return False


def is_settled(auction: Rules, players: int, dealer: int, calls: list[tuple[int, int | None]]) -> bool:
    """True if only passes are left to be called."""
    calls = list(calls)
    while True:
        seat, sayings = next_to_say(auction, players, dealer, calls)
        if seat is None:
            return True
        if sayings != [None]:
            return False
        calls.append((seat, None))


def won_by(calls: list[tuple[int, int | None]]) -> tuple[int | None, int | None]:
    """The bidder and bid so far; (None, None) if all passed."""
    bids = [(seat, bid) for seat, bid in calls if bid is not None]
    return bids[-1] if bids else (None, None)


# --- the play ---------------------------------------------------------------------------------------------------


def suit_played(card: str, row: list[str], trump: str) -> str:
    return trump if card in row else card[1]


def may_play(rules: Rules, card: str, hand: list[str], led: str | None, row: list[str], trump: str) -> bool:
    """Trump at any time, else the suit led, else anything when void; some games are stricter."""
    strict = rules["play"]["follow"]
    if strict == "trumps-only":
        return card in row
    if led is None or (card in row and strict == "follow-or-trump"):
        return True
    suit = suit_played(led, row, trump)
    if suit_played(card, row, trump) == suit:
        return True
    return not [other for other in hand if suit_played(other, row, trump) == suit]


def winning_place(cards: list[str], row: list[str], rules: Rules) -> int:
    """The index of the card that wins a trick."""
    best, ranks, alike = 0, rules["deck"]["ranks"], rules["trump"]["jokers"]
    for place in range(1, len(cards)):
        card, top = cards[place], cards[best]
        if alike != "ranked" and card[0] == top[0] == "X":
            better = alike == "last"
        elif card in row:
            better = top not in row or row.index(card) < row.index(top)
        else:
            better = top not in row and card[1] == top[1] and ranks.index(card[0]) < ranks.index(top[0])
        if better:
            best = place
    return best


# --- sides ------------------------------------------------------------------------------------------------------


def unit_of(seat: int, teams: int) -> str:
    return "ABCDEF"[(seat - 1) % teams] if teams else str(seat)


def side_names(rules: Rules, players: int, teams: int) -> list[str]:
    if rules["table"]["sides"] in ("called-partner", "seat-partner"):
        return ["bidding", "defending"]
    return sorted({unit_of(seat, teams) for seat in range(1, players + 1)}, key=lambda name: (len(name), name))


def side_of(seat: int, rules: Rules, players: int, teams: int, bidder: int, partner: int | None) -> str:
    if rules["table"]["sides"] == "seat-partner":
        partner = bidder
        for _ in range(rules["table"]["partner_right"]):
            if rules["table"]["direction"] == "right":  # seats are numbered to the right
                partner = partner + 1 if partner < players else 1
            else:
                partner = partner - 1 if partner > 1 else players
    if rules["table"]["sides"] in ("called-partner", "seat-partner"):
        return "bidding" if seat in (bidder, partner) else "defending"
    return unit_of(seat, teams)


# --- a hand -----------------------------------------------------------------------------------------------------


def judge(rules: Rules, players: int, teams: int, facts: Facts) -> Facts | None:
    """Score a hand given by tricks; None if it is impossible."""
    contract = contract_of(rules, players, facts)
    if contract is None:
        return None
    bidder, bid = contract
    eldest = facts["dealer"] % players + 1
    if bidder is None or bid is None:
        return passed_out(rules, players, teams, facts)
    if facts.get("misdeal"):
        return None
    may_be = bid == free_bid(rules) and bidder == eldest
    if bid not in every_bid(rules["auction"]) and not may_be:
        return None
    played = follow(rules, players, bidder, facts)
    if played is None:
        return None
    partner = None
    if rules["table"]["sides"] == "called-partner":
        possible, partner = called_partner(rules, bidder, facts, played)
        if not possible:
            return None
    elif "called" in facts or "partner" in facts:
        return None
    verdict = reckon(rules, players, teams, facts["trump"], facts["dealer"], (bidder, bid, partner), played)
    verdict["events"] = before_the_play(rules, players, teams, facts)
    for unit, points in verdict["events"].items():
        verdict["change"][unit] += points
    return verdict


def before_the_play(rules: Rules, players: int, teams: int, facts: Facts) -> dict[str, int]:
    """The changes by cards turned up, a gift and a misdeal, by unit."""
    scored: dict[str, int] = {}
    dealing, eldest = unit_of(facts["dealer"], teams), unit_of(facts["dealer"] % players + 1, teams)
    for rank in facts.get("turned_up", []):
        scored[dealing] = scored.get(dealing, 0) + rules["trump"]["turned"].get(rank, 0)
    if facts.get("gift"):
        alike = rules["trump"].get("gift_to", "eldest") == "others"
        everyone = {unit_of(seat, teams) for seat in range(1, players + 1)} if alike else {eldest}
        for unit in everyone - {dealing}:
            scored[unit] = scored.get(unit, 0) + rules["trump"]["gift"]
    if facts.get("misdeal"):
        for unit in {unit_of(seat, teams) for seat in range(1, players + 1)} - {dealing}:
            scored[unit] = scored.get(unit, 0) + rules["deck"]["misdeal"]
    return {unit: points for unit, points in scored.items() if points}


def called_partner(
    rules: Rules, bidder: int, facts: Facts, played: list[list[tuple[int, str]]]
) -> tuple[bool, int | None]:
    """(True if the call is possible, the partner's seat or None)."""
    called, row = facts["called"], trump_row(rules, facts["trump"])
    if called not in all_cards(rules) or (rules["table"]["call"] == "trump" and called not in row):
        return False, None
    partner = next((seat for seat, card in itertools.chain(*played) if card == called), None)
    partner = None if partner == bidder else partner
    unseen = called not in [*row, *facts.get("buried", []), *(card for _, card in itertools.chain(*played))]
    if unseen and rules["play"]["follow"] == "trumps-only":  # the card may have stayed in a player's hand
        partner = facts.get("partner", bidder)
        return partner != bidder, partner
    return facts.get("partner", partner) == partner, partner


def passed_out(rules: Rules, players: int, teams: int, facts: Facts) -> Facts | None:
    """A hand that all passed: the dealer's unit may pay for it. None if the record has other facts."""
    if facts.keys() - {"dealer", "bids", "turned_up", "gift", "misdeal"}:
        return None
    change = {unit_of(seat, teams): 0 for seat in range(1, players + 1)}
    for unit, points in before_the_play(rules, players, teams, facts).items():
        change[unit] += points
    change[unit_of(facts["dealer"], teams)] -= 0 if facts.get("misdeal") else rules["auction"]["pass_cost"]
    return {"status": "passed-out", "change": change}


def contract_of(rules: Rules, players: int, facts: Facts) -> tuple[int | None, int | None] | None:
    """(bidder, bid) of the auction; None if the auction is impossible, or contradicts the recorded outcome."""
    if facts.get("misdeal") and "bids" not in facts and "bidder" not in facts:
        return None, None
    if rules["auction"]["rounds"] == "none":
        eldest = facts["dealer"] % players + 1
        if facts.get("bidder", eldest) != eldest or facts.get("bid", 0) != 0 or "bids" in facts:
            return None
        return (eldest, 0) if "trump" in facts or "bidder" in facts else (None, None)
    if "bids" not in facts:
        return facts.get("bidder"), facts.get("bid")
    said: list[tuple[int, int | None]] = []
    for call in facts["bids"]:
        seat, bid = call["seat"], None if call["bid"] == "pass" else call["bid"]
        turn, sayings = next_to_say(rules["auction"], players, facts["dealer"], said)
        if seat != turn or bid not in sayings:
            return None
        said.append((seat, bid))
    if not is_settled(rules["auction"], players, facts["dealer"], said):
        return None
    winner, high = won_by(said)
    if winner is None and rules["auction"]["all_pass"] == "eldest-plays":
        winner, high = facts["dealer"] % players + 1, 0
    return (winner, high) if facts.get("bidder") in (None, winner) and facts.get("bid") in (None, high) else None


def follow(rules: Rules, players: int, bidder: int, facts: Facts) -> list[list[tuple[int, str]]] | None:
    """The tricks as (seat, card); None if a card was not legal."""
    tricks, trump = facts["tricks"], facts["trump"]
    row = trump_row(rules, trump)
    if rules["play"]["follow"] == "trumps-only":
        return follow_short(rules, players, bidder, facts)
    if not cards_are_possible(rules, players, facts):
        return None
    opening = tricks[0]["cards"][0]
    if rules["trump"]["by"] == "lead" and opening not in ("XR", "XB") and opening[1] != trump:
        return None
    leader, played = bidder, []
    for trick in tricks:
        if trick.get("lead", leader) != leader:
            return None
        seats = [*range(leader, players + 1), *range(1, leader)]
        played.append(list(zip(seats, trick["cards"], strict=True)))
        leader = seats[winning_place(trick["cards"], row, rules)]
    return played if nobody_revoked(rules, players, played, row, trump) else None


def follow_short(rules: Rules, players: int, bidder: int, facts: Facts) -> list[list[tuple[int, str]]] | None:
    """Like `follow`, for tricks of trumps only: a player without trumps is out for the rest of the hand."""
    row, last, played = trump_row(rules, facts["trump"]), bidder, []
    if not short_cards_are_possible(rules, facts):
        return None
    for trick in facts["tricks"]:
        cards = trick["cards"]
        everybody = [*range(last, players + 1), *range(1, last)]
        here = trick.get("seats", [*range(trick.get("lead", last), players + 1), *range(1, trick.get("lead", last))])
        if len(here) != len(cards) or not cards or any(card not in row for card in cards):
            return None
        before = {seat for seat, _ in played[-1]} if played else set(everybody)
        if here != [seat for seat in everybody if seat in here] or not set(here) <= before:
            return None
        if trick.get("lead", here[0]) != here[0]:
            return None
        played.append(list(zip(here, cards, strict=True)))
        last = here[winning_place(cards, row, rules)]
    return played if len(played) <= hand_size(rules, players) else None


def short_cards_are_possible(rules: Rules, facts: Facts) -> bool:
    deck, buried = all_cards(rules), facts.get("buried", [])
    known = [*buried, *itertools.chain(*(trick["cards"] for trick in facts["tricks"]))]
    if "buried" in facts and rules["deck"]["undealt"] != "buried":
        return False
    return all(card in deck and known.count(card) == 1 for card in known)


def cards_are_possible(rules: Rules, players: int, facts: Facts) -> bool:
    """True if the cards are in the deck, distinct, and not too many."""
    tricks, buried, deck = facts["tricks"], facts.get("buried", []), all_cards(rules)
    if "buried" in facts and rules["deck"]["undealt"] != "buried":
        return False
    known = [*buried, *itertools.chain(*(trick["cards"] for trick in tricks))]
    return (
        len(buried) <= undealt_count(rules, players)
        and all(card in deck and known.count(card) == 1 for card in known)
        and len(tricks) == hand_size(rules, players)
        and all(len(trick["cards"]) == players for trick in tricks)
    )


def nobody_revoked(rules: Rules, players: int, played: list[list[tuple[int, str]]], row: list[str], trump: str) -> bool:
    hands: dict[int, list[str]] = {seat: [] for seat in range(1, players + 1)}
    for seat, card in itertools.chain(*played):
        hands[seat].append(card)
    for trick in played:
        led = None
        for seat, card in trick:
            if not may_play(rules, card, hands[seat], led, row, trump):
                return False
            hands[seat].remove(card)
            led = led or card
    return True


def reckon(
    rules: Rules,
    players: int,
    teams: int,
    trump: str,
    dealer: int,
    contract: tuple[int, int, int | None],
    played: list[list[tuple[int, str]]],
) -> Facts:
    """The points and changes of a hand with legal tricks."""
    bidder, bid, partner = contract
    row = trump_row(rules, trump)
    who = {seat: side_of(seat, rules, players, teams, bidder, partner) for seat in range(1, players + 1)}
    eldest = dealer % players + 1
    sides = side_names(rules, players, teams)
    dealt_to, taken_by, swept, alone, won_by = {}, {}, set(), set(), []
    for trick in played:
        winner = trick[winning_place([card for _, card in trick], row, rules)][0]
        won_by.append(who[winner])
        swept.add(who[winner])
        alone.add(winner)
        for seat, card in trick:
            dealt_to[card], taken_by[card] = who[seat], who[winner]
    cards = point_cards(rules, row, dealt_to, trump)
    lies_with = dict(taken_by)
    for point in rules["points"]:
        card = cards[point["key"]]
        if point["owner"] == "keeper" and card in dealt_to:
            lies_with[card] = dealt_to[card]
    counts = {side: sum(game_value(rules, card) for card in lies_with if lies_with[card] == side) for side in sides}
    points = whose_points(rules, counts, cards, (dealt_to, lies_with, won_by), (who[bidder], who[dealer], who[eldest]))
    captured = [
        p["key"] for p in rules["points"] if p["captured"] and dealt_to.get(cards[p["key"]]) != points[p["key"]][0]
    ]
    worth = {p["key"]: p["captured"] if p["key"] in captured else p["worth"] for p in rules["points"]}
    earned = {side: sum(worth[key] for key in worth if points[key][0] == side) for side in sides}
    sweep = swept.pop() if len(swept) == 1 else None
    lone = sweep if alone == {bidder} else None
    if sweep and bid not in special_bids(rules) and {owner for owner, _, _ in points.values()} == {sweep}:
        earned[sweep] += rules["settle"].get("sweep", 0)
    made = made_it(rules, bid, who[bidder], earned, (sweep, lone), points)
    effect = special_effect(rules, bid, made=made)
    change = changes(rules, teams, (bidder, bid), who, earned, effect, made=made)
    seller, sold = eldest, {}
    if rules["auction"]["seller"] == "eldest" and sells(rules, seller, bidder, who) and bid:
        sold = {unit_of(seller, teams): bid}
        change[unit_of(seller, teams)] += bid
    return {
        "status": "scored",
        "effect": effect,
        "all_to": side_with_everything(points),
        "who": {unit_of(seat, teams): who[seat] for seat in who},
        "bidder": bidder,
        "bid": bid,
        "bidding_side": who[bidder],
        "bidding_units": sorted({unit_of(seat, teams) for seat in who if who[seat] == who[bidder]}),
        "points": points,
        "counts": counts,
        "earned": earned,
        "made": made,
        "change": change,
        "sold": sold,
        "worth": worth,
        "captured": captured,
        "can_be_captured": {point["key"]: bool(point["captured"]) for point in rules["points"]},
        "sweep": sweep,
        "lone": lone,
        "taken_by": taken_by,
        "dealt_to": dealt_to,
        "trumps_dealt": [card for card in row if card in dealt_to],
    }


def changes(
    rules: Rules,
    teams: int,
    contract: tuple[int, int],
    who: dict[int, str],
    earned: dict[str, int],
    effect: Any,
    *,
    made: bool,
) -> dict[str, int]:
    """The change of each unit by the bid, before payments for the hand."""
    bidder, bid = contract
    result = earned | {who[bidder]: result_of_bid(rules, bid, earned[who[bidder]], made)}
    if not made and rules["settle"]["defenders"] != "taken":
        both = rules["settle"]["defenders"] == "both"
        result |= {side: bid + (earned[side] if both else 0) for side in earned if side != who[bidder]}
    if made and rules["settle"]["made"] == "difference" and bid not in [*special_bids(rules), free_bid(rules)]:
        ranking = sorted(earned.values())
        result = {side: max(0, earned[side] - ranking[-2]) for side in earned}
    change = {unit_of(seat, teams): result[who[seat]] for seat in who}
    mine = sorted({unit_of(seat, teams) for seat in who if who[seat] == who[bidder]})
    return change | {unit: special_change(rules, effect, 0, made=made) for unit in mine if is_absolute(effect)}


def sells(rules: Rules, seller: int, bidder: int, who: dict[int, str]) -> bool:
    """True if the bidder buys the hand from another side; a partner is called only after the sale is paid."""
    calls = rules["table"]["sides"] == "called-partner"
    return bidder != seller if calls else who[seller] != who[bidder]


def whose_points(
    rules: Rules,
    counts: dict[str, int],
    cards: Facts,
    where: tuple[Facts, Facts, list[str]],
    sides: tuple[str, str, str],
) -> Facts:
    """For each point (side, card, reason); without a side, the reason."""
    dealt_to, lies_with, won_by = where
    points = {}
    for point in rules["points"]:
        key, card = point["key"], cards[point["key"]]
        if point["card"] == "game":
            points[key] = whose_game(rules, counts)
        elif point["card"] in ("first-trick", "last-trick"):
            side = won_by[0 if point["card"] == "first-trick" else -1] if won_by else None
            points[key] = (side, None, None if side else "not captured")
        elif card not in dealt_to:
            points[key] = (None, card, "buried" if rules["deck"]["undealt"] == "buried" else "not dealt")
        else:
            points[key] = ((dealt_to if point["owner"] == "holder" else lies_with)[card], card, None)
    for point in rules["points"]:
        if point["card"] == "game" and points[point["key"]][2] == "tied":
            points[point["key"]] = tied_game(rules, counts, sides, points)
    return points


def special_effect(rules: Rules, bid: int, *, made: bool) -> tuple[str, int | None] | None:
    """The effect of a special bid, made or failed, with its number."""
    for special in rules["auction"]["specials"]:
        if special["bid"] == bid:
            return (special["made"], special["made_to"]) if made else (special["failed"], special["failed_to"])
    return None


def free_bid(rules: Rules) -> int | None:
    """The bid that stands for a hand played without a bid; None if the rules have no such hands."""
    return 0 if rules["auction"]["all_pass"] == "eldest-plays" or rules["auction"]["rounds"] == "none" else None


def special_bids(rules: Rules) -> list[int]:
    return [special["bid"] for special in rules["auction"]["specials"]]


def is_absolute(effect: tuple[str, int | None] | None) -> bool:
    """True if the score after the hand is set without regard to points."""
    return effect is not None and effect[0] in ("set-to", "target")


def special_change(rules: Rules, effect: tuple[str, int | None], score: int, *, made: bool) -> int:
    target = rules["win"]["target"]
    if effect[0] == "set-to":
        return effect[1] - score
    if not made:
        return -target
    return 0 - score if score < 0 else target - score


def side_with_everything(points: dict[str, Any]) -> str | None:
    owners = {owner for owner, _, _ in points.values()}
    return owners.pop() if len(owners) == 1 else None


def tied_game(
    rules: Rules, counts: dict[str, int], sides: tuple[str, str, str], points: dict[str, Any]
) -> tuple[str | None, None, str | None]:
    """A tied Game by the rules: for one of the tied sides, or for none."""
    tied = [side for side in counts if counts[side] == max(counts.values())]
    way = rules["game"]["tie"]
    choice = dict(zip(("bidder", "dealer", "eldest"), sides, strict=True)).get(way)
    if way == "points":
        owners = [points[key][0] for key in rules["game"]["tie_points"]]
        choice = next((owner for owner in owners if owner is not None), None)
    return (choice, None, None) if choice in tied else (None, None, "tied")


def point_cards(rules: Rules, row: list[str], dealt: Iterable[str], trump: str) -> dict[str, str | None]:
    """The card of each point; None for Game or a trick, and for High and Low if no trump was dealt."""
    trumps = [card for card in row if card in dealt] or [None]
    names = rules["trump"]["order"].split()
    cards: dict[str, str | None] = {}
    for point in rules["points"]:
        name = point["card"]
        natural = [card for card in trumps if card and card[1] == trump]
        found = {"highest": trumps[0], "lowest": trumps[-1], "game": None, "first-trick": None, "last-trick": None}
        found["lowest-natural"] = natural[-1] if natural else None
        if name[-2:-1] == "-" and name[-1] in SUITS:
            found[name] = end_of_a_suit(rules, row, dealt, name, trump)
        if name not in found and name not in names:
            found[name] = name
        cards[point["key"]] = found[name] if name in found else row[names.index(name)]
    return cards


def end_of_a_suit(rules: Rules, row: list[str], dealt: Iterable[str], name: str, trump: str) -> str | None:
    """The highest or lowest card of a suit as printed, without jacks that are trump in another suit."""
    end, suit = name.split("-")
    ranking = row if suit == trump else [rank + suit for rank in rules["deck"]["ranks"] if rank + suit not in row]
    found = [card for card in ranking if card.endswith(suit) and not card.startswith("X") and card in dealt]
    return found[0 if end == "highest" else -1] if found else None


def result_of_bid(rules: Rules, bid: int, earned: int, made: bool) -> int:
    """The change of the bidding side's score."""
    if made and bid == free_bid(rules):
        return earned
    if made:
        special = next((special for special in rules["auction"]["specials"] if special["bid"] == bid), None)
        if special:
            return bid if special["made"] == "bid" else earned
        return bid if rules["settle"]["made"] == "bid" else earned
    if rules["settle"]["set"] == "nothing":
        return 0
    return earned - bid if rules["settle"]["set"] == "bid-less-taken" else -bid


def whose_game(rules: Rules, counts: dict[str, int]) -> tuple[str | None, None, str | None]:
    ranking = sorted(counts.values())
    if ranking[-1] == ranking[-2]:
        return None, None, "tied"
    if rules["game"]["award"] == "at-least" and ranking[-1] < rules["game"]["at_least"]:
        return None, None, "below threshold"
    return next(side for side in counts if counts[side] == ranking[-1]), None, None


def made_it(
    rules: Rules,
    bid: int,
    side: str,
    earned: dict[str, int],
    sweeps: tuple[str | None, str | None],
    points: dict[str, Any],
) -> bool:
    for special in rules["auction"]["specials"]:
        if special["bid"] == bid:
            if "every-trick" in special["needs"] and sweeps[0] != side:
                return False
            if "every-trick-alone" in special["needs"] and sweeps[1] != side:
                return False
            if special["takes"] is not None and earned[side] < special["takes"]:
                return False
            return "every-point" not in special["needs"] or [owner for owner, _, _ in points.values()].count(
                side
            ) == len(points)
    return earned[side] >= bid


# --- a game -----------------------------------------------------------------------------------------------------


def referee(
    rules: Rules, start: dict[str, int], verdicts: list[Facts], bidder_units: list[str | None]
) -> tuple[list[dict[str, int]], list[str], str | None]:
    """The scores after each hand up to the end, the winners, and the reason.

    `adjusted` of a verdict has (unit, points), added to the change by the cards.
    """
    history = [dict(start)]
    for verdict, bidder in zip(verdicts, bidder_units, strict=True):
        cards, extra = dict(verdict.get("change", {})), verdict.get("adjusted", [])
        if is_absolute(verdict.get("effect")):
            for unit in verdict["bidding_units"]:
                cards[unit] = special_change(rules, verdict["effect"], history[-1][unit], made=verdict["made"])
                cards[unit] += verdict["sold"].get(unit, 0) + verdict["events"].get(unit, 0)
        more = {unit: sum(points for other, points in extra if other == unit) for unit in start}
        history.append({unit: history[-1][unit] + cards.get(unit, 0) + more[unit] for unit in start})
        if verdict["status"] == "passed-out" and not extra and not any(cards.values()):
            continue
        made = verdict["bidding_units"] if verdict.get("made") else []
        if verdict.get("bid", -1) == free_bid(rules):
            made = []
        winners, reason = at_once(rules["win"], verdict, history[-1])
        if not winners:
            winners, reason = crossed(rules, history[-1], bidder, made, verdict, cards)
        if not winners:
            winners, reason = early(rules["win"], history, made)
        if not winners:
            done = verdicts[: len(history) - 1]
            winners, reason = ended_otherwise(rules["win"], done, history[-1])
        if winners:
            return history[1:], winners, reason
    return history[1:], [], None


def best(totals: dict[str, int], units: list[str]) -> list[str]:
    return [unit for unit in units if totals[unit] == max(totals[other] for other in units)]


def at_once(win: Rules, verdict: Facts, totals: dict[str, int]) -> tuple[list[str], str | None]:
    """The winners of a hand that ends the game at any score: by a special bid, or by every point."""
    effect = verdict.get("effect")
    if effect and effect[0] == "win":
        return list(verdict["bidding_units"]), "special"
    if effect and effect[0] == "lose":
        return best(totals, [unit for unit in totals if unit not in verdict["bidding_units"]]), "special-lost"
    taker = verdict.get("all_to")
    if taker is None or win["all_points"] == "nobody":
        return [], None
    if win["all_points"] == "bidder" and not (verdict["made"] and taker == verdict["bidding_side"]):
        return [], None
    return [unit for unit in totals if verdict["who"][unit] == taker], "all-points"


def ended_otherwise(win: Rules, verdicts: list[Facts], totals: dict[str, int]) -> tuple[list[str], str | None]:
    """The winners if a unit has lost, or the last hand was played."""
    played = [verdict for verdict in verdicts if verdict["status"] == "scored"]
    for reason, losers in (
        ("lost", [unit for unit in totals if win["lost_at"] is not None and totals[unit] <= win["lost_at"]]),
        ("sets", [unit for unit in totals if win["lost_sets"] and sets_of(unit, played) >= win["lost_sets"]]),
        ("sets-in-a-row", [unit for unit in totals if was_set_running(unit, played, win.get("lost_in_a_row"))]),
    ):
        if losers:
            return best(totals, [unit for unit in totals if unit not in losers] or list(totals)), reason
    if win["hands"] and len(played) >= win["hands"]:
        return best(totals, list(totals)), "hands"
    return [], None


def sets_of(unit: str, played: list[Facts]) -> int:
    return sum(unit in verdict["bidding_units"] and not verdict["made"] for verdict in played)


def was_set_running(unit: str, played: list[Facts], often: int | None) -> bool:
    return bool(often) and len(played) >= often and sets_of(unit, played[-often:]) == often


def counted_out(rules: Rules, over: list[str], totals: dict[str, int], verdict: Facts, cards: dict[str, int]) -> list:
    """The units that reach the target first when the points of the hand are counted in order."""
    running = before_the_points(over, totals, verdict, cards)
    usual = [p["key"] for p in rules["points"] if p["card"] != "game"] + [
        p["key"] for p in rules["points"] if p["card"] == "game"
    ]
    if verdict["status"] == "passed-out":  # with an adjustment: there are no points to count
        return over
    worth = verdict["worth"]
    for key in rules["win"]["order"] or usual:
        for unit in over:
            running[unit] += worth[key] if verdict["points"][key][0] == verdict["who"][unit] else 0
        if first := [unit for unit in over if running[unit] >= rules["win"]["target"]]:
            return first
    return over


def before_the_points(over: list[str], totals: dict[str, int], verdict: Facts, cards: dict[str, int]) -> dict[str, int]:
    """The scores with adjustments, sales and events before the play, but without the hand's points."""
    running = {}
    for unit in over:
        running[unit] = totals[unit] - cards.get(unit, 0)
        for paid in (verdict.get("sold", {}), verdict.get("events", {})):
            running[unit] += paid.get(unit, 0)
    return running


def crossed(
    rules: Rules, totals: dict[str, int], bidder: str | None, made: list[str], verdict: Facts, cards: dict[str, int]
) -> tuple[list[str], str | None]:
    win = rules["win"]
    if verdict.get("bid") is not None and verdict["bid"] == free_bid(rules):  # a hand without a bid has no bidder
        bidder = None
    over = [unit for unit in totals if totals[unit] >= win["target"]]
    if win["eligible"] == "made-bid":
        over = [unit for unit in over if unit in made]
    if len(over) < 2:
        return over, "target"
    if "count-out" in win["both"]:
        scores = before_the_points(over, totals, verdict, cards)
        ahead = [unit for unit in over if scores[unit] >= win["target"]]
        if len(ahead) == 1:
            return ahead, "count-out"
        over = ahead or over
    for way in win["both"]:
        if way == "play-on":
            break
        chosen = {
            "bidder": [unit for unit in over if unit == bidder] or over,
            "count-out": counted_out(rules, over, totals, verdict, cards) if way == "count-out" else over,
            "highest": best(totals, over),
            "share": over,
        }[way]
        over = over if way == "bidder" and len(chosen) > 1 else chosen
        if len(chosen) == 1 or way == "share":
            return chosen, way
    return [], None


def early(win: Rules, history: list[dict[str, int]], made: list[str]) -> tuple[list[str], str | None]:
    rule, now = win["early"], history[-1]
    for unit in now if rule else ():
        before = [totals for totals in history[:-1] if totals[unit] >= rule["at"]]
        others = [now[other] for other in now if other != unit]
        if (
            now[unit] >= rule["at"]
            and not (before and rule["when"] == "first-reach")
            and max(others) <= rule["others_at_most"]
            and (unit in made or rule["eligible"] == "anyone")
        ):
            return [unit], "early"
    return [], None
