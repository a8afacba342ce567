// Scores a hand entered by points, like the scoring core (scoring/hand.py, game.py, points.py), for offline use. A test
// compares the two over hands of every rule set. Independent of the DOM.
//
// `table` is what `table_data` gives. A `draft` has dealer, bidder, bid (number, or name of a special),
// trump, partner (seat or "none"), buried, and points (key to side or "nobody"); under some rules also turned (ranks
// turned up), beg ("gift" or "run"), misdeal, and dealt (key to the side dealt the card).
const settle = (() => {
  const BIDDING = "bidding", DEFENDING = "defending", NOBODY = "nobody";
  const DEALT = ["highest", "lowest", "lowest-natural", "first-trick", "last-trick"]; // points of every hand
  const nextSeat = (table, seat) => (seat % table.seats) + 1;
  const tricksNeeded = ({ needs }) => needs.filter((need) => need.startsWith("every-trick"));
  const special = (table, bid) => table.specials.find((one) => one.name === bid || one.bid === bid);
  const isWithoutBid = (table, bid) => table.withoutBid && bid === 0;
  // The table once the dealer has run cards, which leaves fewer to bury.
  const afterRuns = (table, { turned = [] }) => ({ ...table, ...table.runs?.[turned.length - 2] });
  const changing = (table) => ["called-partner", "seat-partner"].includes(table.sides);

  // Side by seat (index 0 unused), and the distinct sides.
  const sidesOf = (table, { bidder, partner }) => {
    if (!changing(table)) return { ofSeat: table.unitOf, names: table.units, bidding: table.unitOf[bidder] };
    const mate =
      table.sides === "seat-partner"
        ? ((bidder - 1 + table.seats - (table.partnerRight % table.seats)) % table.seats) + 1
        : partner;
    const ofSeat = table.unitOf.map((_, seat) => (seat && (seat === bidder || seat === mate) ? BIDDING : DEFENDING));
    return { ofSeat, names: [BIDDING, DEFENDING], bidding: BIDDING };
  };

  // The card of each point as far as trump and buried cards tell, points nobody can have, and points that are the same
  // card as an earlier one.
  const pointCards = (table, trump, buried) => {
    const cards = {}, { named = {}, ends = {} } = table.trumps[trump] ?? {};
    const known = table.seesBuried && buried.length === table.buried;
    for (const { key } of table.points) {
      if (named[key]) cards[key] = named[key];
      else if (ends[key] && known) cards[key] = ends[key].find((one) => !buried.includes(one)) ?? null;
    }
    const gone = Object.keys(cards).filter((key) => cards[key] === null || buried.includes(cards[key]));
    const first = {}, same = {};
    for (const { key, owner } of table.points) {
      const card = cards[key] ?? ends[key]?.join(" "); // ends of the same suit are one card, known or not
      if (!card) continue;
      const group = `${card} ${owner === "holder"}`;
      if (first[group]) same[key] = first[group];
      else first[group] = key;
    }
    return { cards, gone, same, allBuried: known && table.buried > 0 && !table.shortTricks };
  };

  const mayBeNobodys = ({ card }, allBuried) => card === "game" || (!DEALT.includes(card) && !allBuried);

  // The side of each point: as tapped, by default the bidding side; null for nobody.
  const takers = (table, draft, known, usual) => {
    const tapped = {};
    for (const point of table.points) {
      const side = draft.points[point.key];
      if (side !== undefined && !known.gone.includes(point.key)) tapped[point.key] = side;
    }
    return Object.fromEntries(
      table.points.map(({ key }) => {
        const side = tapped[known.same[key] ?? key] ?? usual;
        return [key, side === NOBODY ? null : side];
      }),
    );
  };

  // The winner of every trick, where that matters: as tapped. Under a bid that needs it, by default the bidding side, if
  // no other has a point.
  const sweeper = (table, draft, bidding, taken) => {
    const said = draft.points.sweep, bid = special(table, draft.bid);
    if (bid ? !tricksNeeded(bid).length : !table.settle.sweep) return null;
    if (said !== undefined || !bid) return (said ?? NOBODY) === NOBODY ? null : said;
    return Object.values(taken).every((side) => side === bidding || side === null) ? bidding : null;
  };

  // The side that has every point, or null.
  const sideWithAll = (taken) => {
    const [side = null, ...others] = new Set(Object.values(taken));
    return others.length ? null : side;
  };

  // True if the winner of every trick left a point that depends on tricks to another side.
  const sweepIsWrong = (table, known, taken, sweep) => {
    const kept = table.points.filter(({ card, owner }) => card !== "game" && owner === "keeper");
    const keptCards = kept.map(({ key }) => known.cards[key] ?? null);
    return table.points.some(({ key, card, owner }) => {
      if (card === "game" ? table.tiesAtNothing : owner !== "taker") return false;
      if (taken[key] === null || taken[key] === sweep) return false;
      const own = known.cards[key] ?? null;
      return !(keptCards.length && (keptCards.includes(null) || own === null || keptCards.includes(own)));
    });
  };

  // The first thing missing, in page order, or a contradiction.
  const problem = (table, draft) => {
    const asked = ["bidder", "bid", "trump", ...(table.sides === "called-partner" ? ["partner"] : [])];
    const missing = asked.find((name) => (draft[name] ?? null) === null);
    if (missing) return missing;
    if (isWithoutBid(table, draft.bid) && draft.bidder !== nextSeat(table, draft.dealer)) return "eldest";
    if (draft.buried.length > table.buried) return "buried";
    if (table.sides !== "called-partner") return "";
    const partner = draft.partner === "none" ? null : draft.partner;
    if (draft.called && table.callsTrump && !table.trumps[draft.trump].order.includes(draft.called)) return "trumpCalled";
    if (draft.called && draft.buried.includes(draft.called)) return partner === null ? "" : "called";
    return partner === draft.bidder ? "partner" : "";
  };

  // The highest bid that leaves the seller of the hand short of the target.
  const highestBid = (table, dealer, before) =>
    before && table.isCapped ? Math.max(0, table.win.target - 1 - before[table.unitOf[nextSeat(table, dealer)]]) : Infinity;

  // A bid that the scores before the hand do not allow.
  const forbidden = (table, { dealer, bidder, bid }, before) => {
    const one = special(table, bid), least = one?.least_score ?? null;
    if ((one?.bid ?? bid) > highestBid(table, dealer, before)) return "high";
    return before && least !== null && before[table.unitOf[bidder]] < least ? "least" : "";
  };

  // The score of a hand, or { problem }: bidder, bid, made, missed, earned by side, change by unit, sides. Without the
  // scores `before` it, they are zero, and allow every bid.
  const score = (base, draft, before) => {
    if (draft.passed) return unplayed(base, draft);
    const table = afterRuns(base, draft), wrong = problem(table, draft) || forbidden(table, draft, before);
    if (wrong) return { problem: wrong };
    const sides = sidesOf(table, draft), known = pointCards(table, draft.trump, draft.buried);
    const usual = takers(table, draft, known, sides.bidding);
    const taken = Object.fromEntries(Object.entries(usual).map(([key, side]) => [key, known.gone.includes(key) ? null : side]));
    const sweep = sweeper(table, draft, sides.bidding, usual);
    if (sweep !== null && sweepIsWrong(table, known, taken, sweep)) return { problem: "sweep" };
    breakTie(table, draft, sides, taken);
    return settled(table, draft, sides, taken, sweep, before);
  };

  // Game held by nobody is tied; it may still be awarded if it is known who tied.
  const breakTie = (table, { dealer }, sides, taken) => {
    const game = table.points.find(({ card }) => card === "game");
    if (!game || taken[game.key] !== null || sides.names.length > 2) return;
    const eldest = sides.ofSeat[nextSeat(table, dealer)];
    const favored = { nobody: [], eldest: [eldest], bidder: [sides.bidding], dealer: [sides.ofSeat[dealer]], points: table.tiePoints.map((key) => taken[key]) };
    taken[game.key] = favored[table.tie].find((side) => side !== null) ?? null;
  };

  // Points before the play by unit: for cards turned up, a gift to a begging player, a misdeal.
  const eventsOf = (table, { dealer, turned = [], beg, misdeal }) => {
    const scored = Object.fromEntries(table.units.map((unit) => [unit, misdeal ? table.misdeal : 0]));
    scored[table.unitOf[dealer]] = misdeal ? 0 : turned.reduce((sum, rank) => sum + (table.turned[rank] ?? 0), 0);
    const eldest = table.unitOf[nextSeat(table, dealer)];
    const given = table.giftTo === "eldest" ? [eldest] : table.units.filter((unit) => unit !== table.unitOf[dealer]);
    if (beg === "gift" && !misdeal) for (const unit of given) scored[unit] += table.gift;
    return Object.fromEntries(Object.entries(scored).filter(([, points]) => points));
  };

  // A hand without play: passed, a misdeal, or ended by a turned-up card.
  const unplayed = (table, draft) => {
    const { dealer, misdeal } = draft, events = table.eldestLeads || misdeal ? eventsOf(table, draft) : {};
    const change = Object.fromEntries(table.units.map((unit) => [unit, events[unit] ?? 0]));
    if (table.passCost && !misdeal) change[table.unitOf[dealer]] -= table.passCost;
    return { passed: true, dealer, misdeal, change, events, sold: {}, taken: {}, sides: { ofSeat: table.unitOf, names: table.units } };
  };

  // The worth of each point, which may differ for a captured card.
  const worthOf = (table, { dealt = {} }, taken) =>
    Object.fromEntries(table.points.map(({ key, worth, captured }) => [key, (captured && taken[key] !== null && (dealt[key] ?? taken[key]) !== taken[key]) ? captured : worth]));

  const settled = (table, draft, sides, taken, sweep, before) => {
    const earned = Object.fromEntries(sides.names.map((side) => [side, 0])), worth = worthOf(table, draft, taken), all = sideWithAll(taken);
    for (const { key } of table.points) if (taken[key] !== null) earned[taken[key]] += worth[key];
    const one = special(table, draft.bid), bid = one?.bid ?? draft.bid, { bidding } = sides;
    const swept = one || all === null || all !== sweep ? null : sweep;
    if (swept !== null) earned[swept] += table.settle.sweep;
    const own = earned[bidding], missed = one ? missedNeeds(one, sweep === bidding, all === bidding, own) : [];
    const made = !missed.length && (Boolean(one) || own >= bid);
    const of = resultsOf(table, bid, one, earned, bidding, made), change = {};
    for (const unit of table.units) change[unit] = of[sideOf(table, sides, unit)];
    const effect = one && (made ? one.made : one.failed);
    if (effect) Object.assign(change, setScores(table, one, effect, made, unitsOf(table, sides, bidding), before));
    const sold = soldBy(table, draft, bid, sides), events = eventsOf(table, draft);
    for (const unit of table.units) change[unit] += atFirst({ sold, events }, unit);
    return { dealer: draft.dealer, bidder: draft.bidder, bid: one?.name ?? bid, made, missed, swept, effect, earned, change, sold, events, sides, taken, worth };
  };

  const missedNeeds = ({ needs, takes }, swept, all, own) => {
    const met = { "every-trick": swept, "every-trick-alone": swept, "every-point": all };
    return [...needs.filter((need) => !met[need]), ...(takes && own < takes ? ["points"] : [])];
  };

  // Each side's score for its points, and for the bid.
  const resultsOf = (table, bid, one, earned, bidding, made) => {
    const way = isWithoutBid(table, bid) ? "taken" : (one ?? table.settle).made, own = earned[bidding];
    if (made && way === "difference") {
      const [first, second] = Object.values(earned).sort((some, other) => other - some);
      return Object.fromEntries(Object.entries(earned).map(([side, points]) => [side, points === first ? first - second : 0]));
    }
    if (made) return { ...earned, [bidding]: way === "bid" ? bid : own };
    return { ...ofDefenders(table, bid, earned), [bidding]: { bid: -bid, "bid-less-taken": own - bid, nothing: 0 }[table.settle.set] };
  };

  // Changes of the bidding side's scores where a special bid sets them to a number, or by the target.
  const setScores = ({ win: { target } }, one, effect, made, units, before = {}) =>
    Object.fromEntries(
      units.flatMap((unit) => {
        const has = before[unit] ?? 0;
        if (effect === "set-to") return [[unit, (made ? one.made_to : one.failed_to) - has]];
        return effect === "target" ? [[unit, !made ? -target : has < 0 ? -has : target - has]] : [];
      }),
    );

  // A unit's score before its points are counted.
  const atFirst = ({ sold, events }, unit) => (sold[unit] ?? 0) + (events[unit] ?? 0);

  // The seller's score, the bid, for a hand bought by another side; it is sold before a partner is known by a called card.
  const soldBy = (table, { dealer, bidder }, bid, sides) => {
    const seller = nextSeat(table, dealer), isOwn = table.sides === "called-partner" ? seller === bidder : sides.ofSeat[seller] === sides.bidding;
    return table.isSold && bid && !isOwn ? { [table.unitOf[seller]]: bid } : {};
  };

  // The others' score when the bid is set: what they took, the bid, or both.
  const ofDefenders = (table, bid, earned) => {
    const way = table.settle.defenders;
    if (way === "taken") return earned;
    return Object.fromEntries(Object.entries(earned).map(([side, points]) => [side, bid + (way === "both" ? points : 0)]));
  };

  // --- the game ---

  // The game after a hand: totals, next dealer, units that reached the early mark, in `sets` the units that were set in
  // each hand; and if it is over `winners`, the `reason` (as in `Outcome`), and `losers` that were set too often.
  const after = (table, game, hand) => {
    const totals = {};
    for (const unit of table.units) totals[unit] = game.totals[unit] + hand.change[unit];
    const again = hand.passed && !hand.misdeal && table.allPass === "redeal";
    const dealer = again ? hand.dealer : nextSeat(table, hand.dealer);
    const next = { ...game, totals, dealer, position: game.position + 1 };
    if (hand.passed && !table.units.some((unit) => hand.change[unit])) return next;
    if (!hand.passed) next.sets = [...(game.sets ?? []), hand.made ? [] : unitsOf(table, hand.sides, hand.sides.bidding)];
    const end = byThisHand(table, next, hand) ?? byTarget(table, game, next, hand) ?? belowTarget(table, next);
    return end ? { ...next, ...end, over: true } : next;
  };

  const sideOf = (table, sides, unit) => sides.ofSeat[table.unitOf.indexOf(unit)];
  const unitsOf = (table, sides, side) => table.units.filter((unit) => sideOf(table, sides, unit) === side);

  // Those of the units with the highest score; without the losers, unless everyone has lost.
  const bestWithout = ({ units }, totals, losers) => {
    const others = units.filter((unit) => !losers.includes(unit));
    return best(totals, others.length ? others : units);
  };
  const best = (totals, units) => units.filter((unit) => totals[unit] === Math.max(...units.map((one) => totals[one])));

  // Winners by a special bid, or by taking every point of the hand, regardless of scores.
  const byThisHand = (table, { totals }, { effect, made, sides, taken }) => {
    const bidding = unitsOf(table, sides, sides.bidding), side = sideWithAll(taken), way = table.win.all_points;
    if (effect === "win") return { reason: "special", winners: bidding };
    if (effect === "lose") return { reason: "special-lost", winners: bestWithout(table, totals, bidding) };
    if (way === "nobody" || side === null || (way === "bidder" && !(made && side === sides.bidding))) return null;
    return { reason: "all-points", winners: unitsOf(table, sides, side) };
  };

  const byTarget = (table, game, next, hand) => {
    const early = earlyWin(table, game, next, hand);
    const there = table.units.filter((unit) => next.totals[unit] >= table.win.target);
    return (there.length ? atTheTarget(table, next, hand, there) : null) ?? early;
  };

  // Winners of a game that ends below the target: others have lost it, or its last hand was played.
  const belowTarget = (table, { totals, sets = [] }) => {
    const { units, win } = table;
    const setIn = (most, hands) => units.filter((unit) => most && hands.filter((set) => set.includes(unit)).length >= most);
    const lost = {
      lost: units.filter((unit) => win.lost_at && totals[unit] <= win.lost_at),
      sets: setIn(win.lost_sets, sets),
      "sets-in-a-row": setIn(win.lost_in_a_row, sets.slice(-win.lost_in_a_row)),
    };
    for (const [reason, losers] of Object.entries(lost)) if (losers.length) return { reason, losers, winners: bestWithout(table, totals, losers) };
    return win.hands && sets.length >= win.hands ? { reason: "hands", winners: best(totals, units) } : null;
  };

  const madeBy = (table, { made, bid, sides }) =>
    made && !isWithoutBid(table, bid) ? unitsOf(table, sides, sides.bidding) : [];

  const atTheTarget = (table, { totals }, hand, all) => {
    const eligible = table.win.eligible === "made-bid" ? madeBy(table, hand) : table.units;
    let there = all.filter((unit) => eligible.includes(unit));
    if (there.length < 2) return there.length ? { reason: "target", winners: there } : null;
    if (table.win.both.includes("count-out")) {
      const before = beforePoints(table, totals, hand), first = there.filter((unit) => before[unit] >= table.win.target);
      if (first.length) there = first;
      if (there.length === 1) return { reason: "count-out", winners: there };
    }
    for (const reason of table.win.both) {
      if (reason === "play-on") break;
      if (reason === "count-out") there = countedOut(table, totals, hand, there);
      if (reason === "highest") there = best(totals, there);
      const bidder = isWithoutBid(table, hand.bid) ? null : table.unitOf[hand.bidder];
      const winners = reason === "bidder" && there.includes(bidder) ? [bidder] : there;
      if (reason === "share" || winners.length === 1) return { reason, winners };
    }
    return null;
  };

  // The first to reach the target when points are counted one by one; all of them if undecided.
  const countedOut = (table, totals, hand, there) => {
    const { taken, sides, worth } = hand, counted = beforePoints(table, totals, hand);
    for (const key of table.win.order?.length ? table.win.order : table.points.map((point) => point.key)) {
      for (const unit of there) if (taken[key] !== null && taken[key] === sideOf(table, sides, unit)) counted[unit] += worth[key];
      const first = there.filter((unit) => counted[unit] >= table.win.target);
      if (first.length) return first;
    }
    return there;
  };

  // Scores including everything except the points of the hand.
  const beforePoints = (table, totals, hand) =>
    Object.fromEntries(table.units.map((unit) => [unit, totals[unit] - hand.change[unit] + atFirst(hand, unit)]));

  const earlyWin = (table, game, next, hand) => {
    const rule = table.win.early, { totals } = next;
    if (!rule) return null;
    const there = table.units.filter((unit) => totals[unit] >= rule.at);
    const newly = there.filter((unit) => !game.reached.includes(unit));
    next.reached = [...new Set([...game.reached, ...there])];
    const made = madeBy(table, hand);
    const winner = table.units.find(
      (unit) =>
        (rule.when === "first-reach" ? newly : there).includes(unit) &&
        table.units.every((other) => other === unit || totals[other] <= rule.others_at_most) &&
        (rule.eligible === "anyone" || made.includes(unit)),
    );
    return winner ? { reason: "early", winners: [winner] } : null;
  };

  // --- hands as posted forms ---

  const OTHER_WAYS = ["by_seat", "calls", "plays"];

  const number = (text) => (text && /^\d+$/.test(text) ? Number(text) : text || undefined);

  const draftOf = (table, fields, dealer) => {
    const first = (name) => fields.find(([key]) => key === name)?.[1];
    const by = (begins) => Object.fromEntries(fields.filter(([key]) => key.startsWith(begins)).map(([key, side]) => [key.slice(begins.length), side]));
    const dealt = number(first("dealer")) ?? dealer;
    return {
      dealer: dealt,
      bidder: table.eldestLeads ? nextSeat(table, dealt) : number(first("bidder")),
      bid: table.eldestLeads ? 0 : number(first("bid")),
      trump: first("trump"),
      called: first("called"),
      partner: number(first("partner")),
      buried: fields.filter(([key]) => key === "buried").map(([, card]) => card),
      points: by("point-"),
      dealt: by("by-"),
      beg: first("beg"),
      turned: turnedUp(first),
      passed: ["passed", "misdeal"].includes(first("do")),
      misdeal: first("do") === "misdeal",
    };
  };

  // Ranks turned up, in order; several if the dealer ran cards.
  const turnedUp = (first) => {
    const ranks = [first("turned-0") ?? "x"];
    if (first("beg") === "run") ranks.push(first("turned-1") ?? "x");
    for (let place = 2; ranks.length === place && first(`turned-${place}`); place++) ranks.push(first(`turned-${place}`));
    return ranks;
  };

  // True if the script can score a form's hand: the next one, by points only, without card points.
  const isByPoints = ({ fields, action }) =>
    action.endsWith("/hands/new") &&
    !fields.some(([key, value]) => (key.startsWith("count-") || OTHER_WAYS.includes(key)) && value) &&
    fields.every(([key, value]) => !["detail", "was"].includes(key) || value === "points");

  // A game including these hands, and in `hands` the result of each. `totals` is null if only the server can tell, and
  // behind a hand that needs an answer.
  const withWaiting = ({ table, ...game }, items) => {
    let then = { ...game, hands: [] };
    for (const item of items) {
      const isKnown = then.totals && item.state === "wait" && isByPoints(item);
      const hand = isKnown ? score(table, draftOf(table, item.fields, then.dealer), then.totals) : {};
      if (hand.change) {
        then = after(table, then, hand);
        then.hands = [...then.hands, { hand, totals: then.totals }];
      } else {
        const isNext = item.position >= then.position, dealer = isNext ? nextSeat(table, then.dealer) : then.dealer;
        then = { ...then, totals: null, dealer, position: Math.max(then.position, item.position + 1) };
      }
    }
    return then;
  };

  // --- sentences, like web/common/narrator.py and hand_entry/editor.py ---

  const ASK = {
    bidder: "Who bid? Tap a name.",
    bid: "How much was bid? Tap a number.",
    trump: "What was trump? Tap a suit.",
    called: "Tap the called card.",
    partner: "Who had the called card? Tap a name, or “nobody else”.",
  };
  const ROOM = 104; // characters; names are cut in longer sentences

  const figure = (number) => String(number).replace("-", "−");
  const countsDown = (table) => table.win.counted === "down";
  // Scores are computed counting up; these format a score, or a change, as displayed.
  const scoreSaid = (table, score) => figure(countsDown(table) ? table.win.target - score : score);
  const changeSaid = (table, up) => {
    const change = countsDown(table) ? -up : up;
    return (change > 0 ? "+" : "") + figure(change);
  };
  const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join(""));

  const partners = (table, names, { bidder, sides }) => {
    const mates = table.unitOf.map((_, seat) => seat).filter((seat) => seat && seat !== bidder && sides.ofSeat[seat] === BIDDING);
    return listed([bidder, ...mates].map((seat) => names.shorts[seat]));
  };

  const others = (table, names, hand) => {
    const of = (unit) => sideOf(table, hand.sides, unit), result = (unit) => hand.change[unit] - atFirst(hand, unit);
    const some = table.units.filter((unit) => of(unit) !== hand.sides.bidding && result(unit));
    const name = (unit) => (table.inTeams && table.units.length > 2 ? `Team ${unit}` : names.teams[unit]);
    const each = some.map((unit) => `${name(unit)} ${changeSaid(table, result(unit))}`).join(", ") || "Nobody else scored";
    const got = changing(table) && some.length > 1 ? `The others ${changeSaid(table, result(some[0]))} each` : each;
    return `${beside(table, names, hand)} ${got}.`.trim();
  };

  // The standing after the hand: Ann and Cy lead 12 to 9.
  const then = (table, names, hand, totals) => {
    const [one, other] = table.units, isEven = totals[one] === totals[other];
    const bidding = hand.passed || table.eldestLeads ? [] : unitsOf(table, hand.sides, hand.sides.bidding);
    if (table.units.length === 2) {
      const [leader, behind] = totals[one] > totals[other] ? [one, other] : [other, one];
      return isEven ? `Both have ${scoreSaid(table, totals[one])}.` : `${names.teams[leader]} ${names.leads} ${scoreSaid(table, totals[leader])} to ${scoreSaid(table, totals[behind])}.`;
    }
    const shown = bidding.length && table.units.length > names.inALine ? bidding : table.units;
    return `Now ${shown.map((unit) => `${table.inTeams ? unit : names.units[unit]} ${scoreSaid(table, totals[unit])}`).join(", ")}.`;
  };

  // Points besides the hand's: " Bo sold it: +3."; " Before the play: Ann and Cy +3."
  const beside = (table, names, { sold, events }) => {
    const sales = table.units.filter((unit) => sold[unit]).map((unit) => ` ${names.teams[unit]} sold it: ${changeSaid(table, sold[unit])}.`);
    const early = table.units.filter((unit) => events[unit]).map((unit) => `${names.teams[unit]} ${changeSaid(table, events[unit])}`);
    return `${sales.join("")}${early.length ? ` Before the play: ${early.join(", ")}.` : ""}`;
  };

  const sayUnplayed = (table, names, hand, stands) => {
    const { misdeal, change } = hand;
    const gains = table.units.filter((unit) => change[unit]).map((unit) => ` ${names.teams[unit]} ${changeSaid(table, change[unit])}.`).join("");
    const head = misdeal ? "Misdeal." : table.eldestLeads ? "Not played." : "All passed.";
    return [head, `${table.eldestLeads && !misdeal ? beside(table, names, hand) : gains} ${stands}`.trim()];
  };

  const sayTaken = (table, names, hand) =>
    `${table.units.map((unit) => `${names.teams[unit]} ${changeSaid(table, hand.change[unit] - atFirst(hand, unit))}`).join(", ")}.`;

  // Who bid, and the side that bid.
  const caller = (table, names, hand) => (changing(table) ? partners(table, names, hand) : names.shorts[hand.bidder]);
  const bidders = (table, names, hand) => (table.inTeams ? names.teams[table.unitOf[hand.bidder]] : caller(table, names, hand));

  // [bold head, rest]: Ann bid 4, took 5: +5. / Bo and Di +2. Ann and Cy lead 12 to 9.
  const say = (table, names, hand, then) => {
    let told = sayWith(table, names, hand, then);
    for (const shorter of names.shorter ?? [])
      if ([...told.join(" ")].length > ROOM) told = sayWith(table, shorter, hand, then);
    return told;
  };

  const sayWith = (table, names, hand, game) =>
    (hand.passed ? sayUnplayed : sayPlayed)(table, names, hand, game.winners ? ending(table, names, hand, game) : then(table, names, hand, game.totals), game.totals);

  // Who wins, with the score, and why if another is as good, or at any score: Ann wins, 9 to 9, by making the bid!
  const ending = (table, names, hand, { totals, winners, reason, losers }) => {
    const wins = won(table, names, winners).slice(0, -1), most = table.win[{ sets: "lost_sets", "sets-in-a-row": "lost_in_a_row" }[reason]];
    const lost = most ? called(table, names, losers) : [], often = ["once", "twice"][most - 1] ?? `${most} times`;
    const losing = most ? `${listed(lost)} ${lost[1] ? "were" : "was"} set ${often}${reason === "sets" ? "" : " in a row"}. ` : "";
    const has = (unit) => winners.includes(unit), least = Math.min(...winners.map((unit) => totals[unit]));
    const shown = table.units.filter((unit) => has(unit) || totals[unit] >= least), isBehind = shown.length > winners.length;
    const isSaid = !most && (isBehind || ["special", "special-lost", "all-points", "lost"].includes(reason));
    const why = (isSaid && names.whys[reason]?.replace("{bid}", `the ${hand.bid} bid`)) || "", because = why && `, ${why}`;
    if (table.units.length > names.inALine) {
      const now = shown.map((unit) => `${names.units[unit]} ${scoreSaid(table, totals[unit])}`).join(", ");
      return `Now ${now}. ${losing}${why && isBehind ? "But " : ""}${wins}${because}!`;
    }
    const units = [...table.units].sort((one, other) => has(other) - has(one) || totals[other] - totals[one]);
    return `${losing}${wins}, ${units.map((unit) => scoreSaid(table, totals[unit])).join(" to ")}${because}!`;
  };

  // The prompt for the first thing missing; undefined if nothing is, or for a contradiction.
  const ask = (missing, draft) => ((draft[missing] ?? null) === null ? ASK[missing === "partner" && !draft.called ? "called" : missing] : undefined);

  // The server's expected sentence for the form of a next hand, and the side with untapped points; undefined if the
  // server may say something else.
  const predict = ({ table, names }, game, form) => {
    const isNext = form.fields.some(([key, value]) => key === "position" && Number(value) === game.position);
    if (!isNext || !isByPoints(form)) return undefined;
    const draft = draftOf(table, form.fields, game.dealer), hand = score(table, draft, game.totals);
    const asked = hand.problem && ask(hand.problem, draft);
    if (hand.problem && !asked) return undefined;
    const usual = draft.bidder && sidesOf(table, draft).bidding;
    return { usual, says: asked ? [asked, ""] : say(table, names, hand, after(table, game, hand)) };
  };

  const sayPlayed = (table, names, hand, stands, totals) =>
    table.eldestLeads
      ? [sayTaken(table, names, hand), `${beside(table, names, hand)} ${stands}`.trim()]
      : [sayCall(table, names, hand, totals), `${others(table, names, hand)} ${stands}`];

  const sayCall = (table, names, hand, totals) => {
    const who = caller(table, names, hand);
    const isSwept = hand.swept === hand.sides.bidding, taken = hand.earned[hand.sides.bidding] - (isSwept ? table.settle.sweep : 0);
    const lost = hand.missed.length === 1 && hand.missed[0].startsWith("every-trick"), more = isSwept ? " and every trick" : lost ? " but lost a trick" : "";
    const unit = table.unitOf[hand.bidder], points = hand.change[unit] - atFirst(hand, unit), had = totals[unit] - hand.change[unit];
    const isSet = hand.effect === "set-to" || (hand.made && hand.effect === "target");
    const result = isSet ? `from ${scoreSaid(table, had)} to ${scoreSaid(table, had + points)}` : changeSaid(table, points);
    return `${who} bid ${isWithoutBid(table, hand.bid) ? "nothing" : hand.bid}, took ${taken}${more}: ${hand.made ? result : `set, ${result}`}.`;
  };

  // A score in a list: 12 to 9.
  const scoreLine = (table, names, totals) =>
    table.units.length <= names.inALine
      ? table.units.map((unit) => scoreSaid(table, totals[unit])).join(" to ")
      : table.units.map((unit) => `${names.units[unit]} ${scoreSaid(table, totals[unit])}`).join(", ");

  // The players of some units, or the units where a name is cut.
  const called = (table, names, units) => {
    const teams = units.map((unit) => `Team ${unit}`);
    return table.inTeams && teams[0] === names.teams[units[0]] ? teams : names.shorts.filter((_, seat) => units.includes(table.unitOf[seat]));
  };

  const won = (table, names, winners) => {
    const win = winners.length === table.units.length ? "tie" : "win", those = called(table, names, winners);
    return `${listed(those)} ${those.length === 1 ? "wins" : win}!`;
  };

  return { afterRuns, highestBid, score, after, say, ask, predict, won, bidders, pointCards, mayBeNobodys, sidesOf, sweeper, takers, special, tricksNeeded, isWithoutBid, changing, scoreSaid, changeSaid, scoreLine, draftOf, withWaiting };
})();
if (typeof module !== "undefined") module.exports = settle;
