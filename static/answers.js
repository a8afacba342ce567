// Answers questions about rules offline, like web/rulebook/ask.py. A test compares the two over thousands of taps in
// every rule set. Independent of the DOM; requires settle.js.
//
// `about` is the table's data from asked_data in web/rulebook/ask.py; a question has question, trump, cards, bid,
// taken.
const answers = (() => {
  const BIDDER = 1, OTHER = 2, PARTNER = 3;
  const CAPTURED = "-captured"; // suffix of a point's key: captured, with another worth
  const toggled = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);
  const took = (list, one) => {
    const point = one.replace(CAPTURED, ""), other = one === point ? point + CAPTURED : point;
    return toggled(list.filter((key) => key !== other), one);
  };

  // The question after a tap on another question, a trump suit, a card, a bid or a point, or on Clear.
  const tap = (about, asked, name, value) => {
    if (name === "ask") return { question: value, trump: asked.trump, cards: [], bid: about.bid, taken: [] };
    if (name === "suit") return { ...asked, trump: value };
    if (name === "call") return { ...asked, bid: Number(value) };
    if (name === "take") return { ...asked, taken: took(asked.taken, value) };
    const cards = toggled(asked.cards, value);
    return { ...asked, cards: asked.question === "trick" ? cards.slice(0, about.players) : cards };
  };

  // The cards that can be tapped: trump first, each suit from high to low.
  const deck = (about, { question, trump }) => {
    const { order } = about.trumps[trump];
    const rest = about.deck.filter((card) => "SHDC".includes(card[1]) && !order.includes(card));
    const suits = question === "points" && !about.seesBuried ? about.endSuits : "SHDC";
    return [...order, ...[..."SHDC"].filter((suit) => suits.includes(suit)).flatMap((suit) => rest.filter((card) => card[1] === suit))];
  };

  const hint = (about, { question, trump, cards, bid }) => {
    const { say } = about;
    if (question === "hand") return bid === null ? say.WHICH_BID : about.bid === null ? say.TAP_TAKEN : say.TAP_SIDE_TOOK;
    if (!trump) return say.WHICH_TRUMP;
    if (question === "points") return about.seesBuried ? say.TAP_BURIED : say.TAP_SEEN;
    if (question === "trick") return cards.length === about.players ? "" : say.TAP_TRICK;
    return cards.length ? say.TAP_HAND : say.TAP_LED;
  };

  // --- the answers ---

  const either = (cards, about) => {
    const signs = cards.map((card) => about.signs[card]);
    return signs.length > 1 ? `${signs.slice(0, -1).join(", ")} or ${signs.at(-1)}` : signs.join("");
  };

  const suitOf = (about, trump, card) => (about.trumps[trump].order.includes(card) ? trump : card[1]);

  const trick = (about, { trump, cards }) => {
    const led = suitOf(about, trump, cards[0]), { strength } = about.trumps[trump];
    const takers = cards.filter((card) => [led, trump].includes(suitOf(about, trump, card)));
    if (about.lastJokerWins) takers.reverse();
    const card = takers.reduce((best, one) => (strength[one] > strength[best] ? one : best));
    const sign = about.signs[card].replace(/^./, (letter) => letter.toUpperCase());
    if (suitOf(about, trump, card) !== trump)
      return [`${sign} wins. Nobody played trump, and it is the highest of the ${about.suits[led]}, the suit led.`];
    const only = cards.filter((one) => suitOf(about, trump, one) === trump).length === 1;
    return [`${sign} wins. It is the ${only ? "only" : "highest"} trump.`];
  };

  const legal = (about, trump, led, hand) => {
    const suit = suitOf(about, trump, led), of = (...suits) => hand.filter((card) => suits.includes(suitOf(about, trump, card)));
    if (about.follow === "trumps-only") return of(trump);
    if (!of(suit).length) return hand;
    return about.follow === "follow" ? of(suit) : of(suit, trump);
  };

  const play = (about, { trump, cards: [led, ...hand] }) => {
    const may = legal(about, trump, led, hand), refused = hand.filter((card) => !may.includes(card));
    if (hand.length && !may.length) return [about.say.NOTHING_TO_PLAY];
    const told = may.length ? [`You may play ${either(may, about)}.`] : [];
    return refused.length ? [...told, `Not ${either(refused, about)}: ${why(about, trump, led, may)}`] : told;
  };

  const why = (about, trump, led, may) => {
    const suit = suitOf(about, trump, led), kept = may.find((card) => suitOf(about, trump, card) === suit);
    if (!kept) return "these rules ask for trump.";
    return `${suit === trump ? "trump was led" : `${about.suits[suit]} were led`}, and you have ${about.signs[kept]}.`;
  };

  // Which card each point is: name, card if certain, and a remark.
  const rows = (about, { question, trump, cards }) => {
    if (question !== "points" || !trump) return [];
    return about.seesBuried ? buried(about, trump, cards.slice(0, about.buried)) : seen(about, trump, cards);
  };

  const buried = (about, trump, gone) => {
    const { literal, ends } = about.trumps[trump], all = gone.length === about.buried;
    return about.keys.map((key) => {
      if (!literal[key] && !(ends[key] && all)) return [about.names[key], null, about.say.UNKNOWN];
      const card = literal[key] ?? ends[key].find((one) => !gone.includes(one)) ?? null;
      return [about.names[key], card, card === null || gone.includes(card) ? about.say.BURIED : about.rules[key]];
    });
  };

  const seen = (about, trump, cards) => {
    const { literal, ends } = about.trumps[trump];
    return about.keys.map((key) => {
      if (!cards.length) return [about.names[key], literal[key] ?? null, literal[key] ? about.rules[key] : about.say.UNKNOWN];
      const card = literal[key] ?? ends[key].find((one) => cards.includes(one)) ?? null;
      return [about.names[key], card, cards.includes(card) ? about.rules[key] : about.say.NOT_IN_PLAY];
    });
  };

  // The result of a bid for the bidding side, which has the tapped points; another side has the others.
  const hand = (about, { bid, taken }) => {
    const { table } = about, special = settle.special(table, bid), keys = table.points.map(({ key }) => key);
    const captured = about.captured.filter((key) => taken.includes(key + CAPTURED));
    const has = keys.filter((key) => taken.includes(key) || captured.includes(key));
    const everyTrick = Boolean(special && settle.tricksNeeded(special).length && has.length === keys.length);
    const draft = { dealer: bid ? OTHER : table.seats, bidder: BIDDER, bid: special?.name ?? bid, trump: about.anyTrump, partner: PARTNER, buried: [] };
    const { ofSeat, bidding } = settle.sidesOf(table, draft);
    draft.points = Object.fromEntries(keys.map((key) => [key, ofSeat[has.includes(key) ? BIDDER : OTHER]]));
    draft.dealt = Object.fromEntries(captured.map((key) => [key, ofSeat[OTHER]]));
    draft.points.sweep = everyTrick ? bidding : "nobody";
    const { problem, made, earned, change } = settle.score(table, draft);
    if (problem) return [];
    if (about.bid !== null) return taken.length ? [`${settle.changeSaid(table, change[table.unitOf[BIDDER]])} for these points.`, about.decides[bid][1]] : [];
    const result = `${made ? "" : "set, "}${settle.changeSaid(table, change[table.unitOf[BIDDER]])}`;
    return [`Bid ${draft.bid}, took ${earned[bidding]}: ${result}${everyTrick ? " if you also won every trick" : ""}.`, about.decides[bid][Number(made)]];
  };

  // The answer as sentences, as far as the input determines it.
  const answer = (about, asked) => {
    const { question, trump, cards, bid } = asked;
    if (question === "hand") return bid === null ? [] : hand(about, asked);
    if (!trump || !cards.length || question === "points" || (question === "trick" && cards.length < 2)) return [];
    return { trick, play }[question](about, asked);
  };

  return { tap, deck, hint, answer, rows };
})();
