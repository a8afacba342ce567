// Offline hand entry: scores taps by settle.js, and stores hands on this phone until they can be sent.
(() => {
  const demo = document.getElementById("demo-game"); // the page for trying it out, where nothing is stored
  const about = JSON.parse((demo ?? document.getElementById("offline-game")).textContent);
  const { table, names } = about, { base } = about.now;
  const form = document.getElementById("hand"), save = document.getElementById("save");
  const find = (selector) => form.querySelector(selector);
  if (demo) for (const saves of form.querySelectorAll("[name=do], #ask-note")) saves.remove();
  const SUITS = { S: "♠︎", H: "♥︎", D: "♦︎", C: "♣︎" };
  const WRONG = {
    partner: "A bidder who has the called card plays alone. Tap “nobody else”.",
    trumpCalled: "Only a trump can be called. Tap another card.",
    called: "The called card is buried. Tap “nobody else”.",
    eldest: "Without a bid, the player after the dealer plays. Tap that name.",
    buried: (now) => {
      const most = settle.afterRuns(table, now).buried;
      return `Only ${most === 1 ? "1 card" : `${most} cards`} can be buried. You tapped ${now.buried.length}.`;
    },
    high: ({ dealer }) => {
      const seller = (dealer % table.seats) + 1, has = game.totals[table.unitOf[seller]];
      return `Nobody may bid more than ${settle.highestBid(table, dealer, game.totals)}: ${names.shorts[seller]} sells the hand and has ${has} of ${table.win.target}.`;
    },
    least: ({ bidder, bid }) => {
      const { name, least_score: least } = settle.special(table, bid);
      return `A bid of ${name} takes ${least} or more, and ${names.shorts[bidder]} has ${game.totals[table.unitOf[bidder]]}.`;
    },
    sweep: "Whoever took every trick took these points too. Change one.",
  };
  const UNPLAYED = ["passed", "misdeal"];
  const LATER = "You see the result when the hand is saved.";
  let game, asked = "";

  // --- the game with the queued hands ---

  const read = async () => {
    game = demo ? { ...about.now, isWhole: true } : await waiting.withWaiting(base, { ...about.now, table, names });
    if (!demo) {
      head();
      carryOver();
    }
    show();
  };

  // Takes over what was tapped on another page of this hand, before its link to this one was tapped (static/offline.js),
  // or on this one, before it was left.
  const carryOver = () => {
    const address = `${base}hands/new`, fields = JSON.parse(sessionStorage[address] ?? "[]"), of = Object.fromEntries(fields);
    sessionStorage.removeItem(address);
    if (of.position !== String(game.position)) return;
    for (const [name, value] of fields) {
      const id = value === "buried" ? `buried-is-${name.slice(3)}` : `${name}-is-${value}`, input = document.getElementById(id);
      if (input && name !== "unfold") input.checked = true;
    }
    find("#note").value = of.note;
  };

  const head = () => {
    document.getElementById("position").textContent = game.position;
    for (const id of ["deals", "dealt"]) document.getElementById(id).textContent = names.shorts[game.dealer];
    document.getElementById("turn").hidden = document.getElementById("position").hidden = Boolean(game.over);
    const over = document.getElementById("game-over"), ended = "The game is over";
    over.hidden = !game.over;
    form.hidden = game.over;
    if (game.over) over.textContent = game.winners ? `${settle.won(table, names, game.winners).replace("!", ".")} ${ended}, as far as this phone knows.` : `${ended}.`;
  };

  // --- the result of the taps ---

  const fieldsOf = () => taps.fieldsOf(form);
  const draft = () => settle.draftOf(table, fieldsOf(), game.dealer);

  const show = () => {
    const now = draft(), known = settle.pointCards(settle.afterRuns(table, now), now.trump, now.buried);
    const usual = now.bidder ? settle.sidesOf(table, now).bidding : null;
    const taken = settle.takers(table, now, known, usual);
    for (const point of table.points) row(point, known, usual, taken);
    for (const { key, captured } of table.points) if (captured) dealt(key, taken[key]);
    before(now);
    every(now, usual, taken);
    fold(now);
    say(now);
  };

  const row = (point, known, usual) => {
    const line = document.getElementById(`row-${point.key}`), leader = known.same[point.key];
    const gone = known.gone.includes(point.key) ? "buried, so nobody has it" : leader && `same card as ${nameOf(leader)}`;
    let note = line.querySelector(".gone-note");
    if (gone && !note) line.querySelector(".legend > span:last-of-type").after((note = Object.assign(document.createElement("span"), { className: "hint gone-note" })));
    if (note) note.textContent = gone ?? "";
    line.querySelector(".seg").hidden = Boolean(gone);
    const nobody = line.querySelector("input[value=nobody]");
    if (nobody) nobody.disabled = !nobody.checked && !settle.mayBeNobodys(point, known.allBuried);
    taps.showUsual(line, usual);
  };

  // Who was dealt a card that may be captured: by default its taker.
  const dealt = (key, taker) => {
    const line = document.getElementById(`row-by-${key}`);
    line.hidden = taker === null;
    taps.showUsual(line, taker);
  };

  // Whom a turned-up card scores for and who may beg depend on the dealer. More rows appear once cards are run.
  const before = ({ dealer, beg }) => {
    for (const more of form.querySelectorAll('[name^="turned-"]:not([name="turned-0"])')) more.closest("li").hidden = beg !== "run";
    const seats = { dealer: `for ${names.teams[table.unitOf[dealer]]}`, eldest: names.shorts[(dealer % table.seats) + 1] };
    for (const hint of form.querySelectorAll("[data-of]")) hint.textContent = seats[hint.dataset.of];
  };

  const nameOf = (key) => table.points.find((point) => point.key === key).name;

  // Whether every trick was won, where that matters; if it only scores, who won them.
  const every = (now, usual, taken) => {
    const line = document.getElementById("row-sweep");
    if (!line) return;
    const special = settle.special(table, now.bid);
    line.hidden = special ? !usual || !settle.tricksNeeded(special).length : !table.settle.sweep;
    if (line.hidden) return;
    if (table.settle.sweep) return taps.showUsual(line, special ? settle.sweeper(table, now, usual, taken) ?? "nobody" : "nobody");
    const yes = find("#point-sweep-is-yes"), swept = Object.values(taken).every((side) => side === usual || side === null);
    yes.value = usual;
    if (yes.checked) now.points.sweep = usual; // the bidder may be another one
    yes.parentElement.classList.toggle("usual", swept);
    find("#point-sweep-is-nobody").parentElement.classList.toggle("usual", !swept);
  };

  // Folds what is known into one line.
  const fold = (now) => {
    const calls = table.sides === "called-partner", { classList } = find(".call");
    classList.toggle("settled", Boolean(now.bidder && now.bid !== undefined && now.trump));
    classList.toggle("called", Boolean(now.called && now.partner !== undefined));
    const { shorts } = (calls && names.shorter[0]) || names;
    const alone = now.partner === undefined ? "" : now.partner === "none" ? "alone" : `with ${shorts[now.partner]}`;
    const bidder = shorts[now.bidder] ?? "", nothing = settle.isWithoutBid(table, now.bid) ? "no bid" : now.bid ?? "";
    const parts = [bidder, `${table.eldestLeads ? "leads" : nothing} ${SUITS[now.trump] ?? ""}`, now.called ? `${card(now.called)} ${alone}` : ""];
    parts.forEach((text, place) => tell(`call-${place + 1}`, text));
    trumpsFirst(now.trump);
    const box = document.getElementById("ask-buried");
    if (!box) return;
    box.classList.toggle("settled", now.buried.length === table.buried);
    box.querySelector(".legend").classList.toggle("vh", now.buried.length === table.buried);
    box.querySelector(".legend").textContent = now.buried.length ? `${now.buried.length} of ${table.buried} buried` : `Tap the ${table.buried === 1 ? "buried card" : `${table.buried} buried cards`}`;
    tell("buried-1", `Buried ${now.buried.map(card).join(", ")}`);
  };

  // Sorts the cards to bury and to call like Table.trumps_first, aces to call first. Moved only for another trump, because
  // a moved tile loses the focus.
  let sorted;
  const rows = [...form.querySelectorAll("#tiles, #ask-called .tiles")].map((row) => [row, [...row.children]]);
  const trumpsFirst = (trump) => {
    if (trump === sorted) return;
    sorted = trump;
    for (const [row, tiles] of rows) {
      const aces = row.id || table.callsTrump ? [] : ["AS", "AH", "AD", "AC"], order = [...aces, ...(table.trumps[trump]?.order ?? [])];
      row.append(...tiles);
      row.prepend(...new Set(order.flatMap((code) => tiles.filter((tile) => tile.firstElementChild.value === code))));
    }
  };

  // Suit signs get the elements of `color_suits`, which the stylesheet colors.
  const tell = (part, text) => {
    const parts = text.split(/([♠♥♦♣]\uFE0E)/).map((sign, at) => {
      const code = at % 2 && Object.keys(SUITS).find((suit) => SUITS[suit] === sign);
      return code ? Object.assign(document.createElement("span"), { className: `suit suit-${code}${"HD".includes(code) ? " red" : ""}`, textContent: sign }) : sign;
    });
    find(`[data-says="${part}"]`).replaceChildren(...parts);
  };
  const card = (code) => ({ XR: "red joker", XB: "black joker", X3: "third joker", X4: "fourth joker" })[code] ?? `${code[0] === "T" ? "10" : code[0]}${SUITS[code[1]]}`;

  // The sentence beside Save: what is missing, or the result if it is certain.
  const result = (now) => {
    const hand = settle.score(table, now, game.isWhole && game.totals), { problem } = hand, wrong = WRONG[problem];
    if (problem) return { problem, says: [settle.ask(problem, now) ?? (wrong.call ? wrong(now) : wrong), ""] };
    if (!game.isWhole) {
      if (["set-to", "target"].includes(hand.effect)) return { hand, says: [LATER, ""] };
      const zero = { totals: Object.fromEntries(table.units.map((unit) => [unit, 0])), reached: [], position: 1 };
      return { hand, says: [settle.say(table, names, hand, settle.after(table, zero, hand))[0], "You see the score when the hands are saved."] };
    }
    return { hand, says: settle.say(table, names, hand, settle.after(table, game, hand)) };
  };

  const say = (now) => {
    taps.say(result(now).says);
    if (save) save.textContent = asked ? "Save as is" : "Save";
  };

  // --- saving ---

  // A hand with all points on one side is questioned once, as on the server.
  const doubt = (now, hand) => {
    const touched = Object.keys(now.points).length;
    return hand && !hand.passed && !touched ? `Did ${settle.bidders(table, names, hand)} take all ${hand.earned[hand.sides.bidding]}?` : "";
  };

  const keepHand = async (how) => {
    const passed = UNPLAYED.includes(how), now = { ...draft(), passed, misdeal: how === "misdeal" }, { problem, hand, says } = result(now);
    const question = problem || asked ? "" : doubt(now, hand);
    if (problem) return say(now);
    if (question) {
      asked = question;
      say(now);
      document.getElementById("says").firstElementChild.textContent = question;
      return;
    }
    const token = waiting.newToken(), position = game.position;
    const tapped = passed ? fieldsOf().filter(([key]) => /^(dealer|note|beg|turned-\d+)$/.test(key)) : fieldsOf();
    const fields = [...tapped, ...Object.entries({ token, position, version: about.form, detail: "points", was: "points", do: passed ? how : "save" }), ...about.warned.map((code) => ["warned", code])];
    const item = { token, base, action: form.action, number: about.now.number, position, fields: fields.map(([key, value]) => [key, String(value)]), says: says[0] };
    await waiting.put({ ...item, action: new URL(form.action).pathname });
    asked = "";
    form.reset();
    scrollTo(0, 0);
    await read();
    form.querySelector(".tiles")?.scrollTo(0, 0); // shown again
    rest(form); // a second tap on All passed would record the next hand
    waiting.send();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter?.name === "do") keepHand(event.submitter.value);
  });
  form.addEventListener("change", () => {
    asked = "";
    show();
  });
  form.addEventListener("reset", () => setTimeout(show)); // after the inputs are cleared
  // To compare a hand of two phones, for example: static/conflict.js leads back here.
  addEventListener("pagehide", () => {
    if (demo || !game || !find(":checked")) return; // a browser may check again what was checked before the page was read
    const more = [["position", String(game.position)], ["note", find("#note").value]];
    sessionStorage[`${base}hands/new`] = JSON.stringify([...fieldsOf(), ...more]);
  });
  // The queue is empty: continue on the server's page, unless a hand is being entered here.
  let known;
  addEventListener("hands-waiting", ({ detail }) => {
    const now = detail.filter((item) => item.base === base).map(({ token, state }) => token + state).join();
    if (!demo && game && now !== known) read();
    known = now;
  });
  addEventListener("hands-saved", async ({ detail }) => {
    if (!detail.has(base)) return;
    await read();
    if (!game.waits && !find(":checked")) location.assign(`${base}hands/new`);
  });
  read();
})();
