// Answers questions about rules on the page, with or without a signal; answers.js has the logic, this the display.
(() => {
  const { about, asked: first } = JSON.parse(document.getElementById("ask-data").textContent);
  const form = document.getElementById("ask"), deck = document.getElementById("deck");
  const questions = [...document.querySelectorAll("[data-ask]")];
  const find = (selector) => form.querySelector(selector);
  const make = (tag, ...inside) => {
    const made = document.createElement(tag);
    made.append(...inside);
    return made;
  };
  let asked = first;

  const tileOf = (card) => deck.querySelector(`[value="${card}"]`);
  const drawn = (card) => [...tileOf(card).children].map((part) => part.cloneNode(true));

  const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
  const colored = (sentence) =>
    sentence.split(/([♠♥♦♣]\ufe0e)/).map((part) => {
      const suit = SUITS[part[0]];
      return suit ? Object.assign(make("span", part), { className: `suit suit-${suit}${"HD".includes(suit) ? " red" : ""}` }) : part;
    });

  // The answer; from the server if hands cannot be scored here under these rules.
  const answer = async () => {
    if (asked.question !== "hand" || about.table || asked.bid === null) return answers.answer(about, asked);
    const { question, bid, taken } = asked;
    try {
      const page = await fetch(`?${new URLSearchParams({ ask: question, bid, taken })}`, { signal: AbortSignal.timeout(5000) });
      const told = new DOMParser().parseFromString(await page.text(), "text/html").querySelectorAll("#answer p");
      return page.ok ? [...told].map((sentence) => sentence.textContent) : [about.say.NO_SIGNAL];
    } catch {
      return [about.say.NO_SIGNAL];
    }
  };

  const show = async () => {
    const { question, trump, cards, bid, taken } = asked, hand = question === "hand", pick = Boolean(trump) && !hand;
    for (const link of questions) {
      if (link.dataset.ask === question) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    const [bids, points, suits] = form.querySelectorAll(".taps");
    bids.hidden = !hand || about.bid !== null;
    points.hidden = !hand || bid === null;
    suits.hidden = hand;
    const on = { suit: [trump], call: [String(bid)], take: taken, tap: cards };
    for (const button of form.querySelectorAll("button")) button.setAttribute("aria-pressed", on[button.name].includes(button.value));
    deck.hidden = document.getElementById("clear").hidden = !pick;
    if (pick) order(answers.deck(about, asked), about.trumps[trump].order);
    tell(answers.rows(about, asked), answers.hint(about, asked));
    const now = asked, told = await answer();
    if (now !== asked) return; // tapped again meanwhile
    document.getElementById("answer").replaceChildren(...told.map((text) => make("p", ...colored(text))));
  };

  // Tiles are moved only if their order differs, because a moved tile loses the focus.
  const order = (cards, trumps) => {
    for (const tile of deck.children) tile.hidden = !cards.includes(tile.value);
    for (const card of cards) tileOf(card).classList.toggle("trump", trumps.includes(card));
    if (cards.every((card, place) => deck.children[place].value === card)) return;
    deck.prepend(...cards.map(tileOf));
  };

  const tell = (rows, hint) => {
    const fan = find(".fan"), table = find("table");
    fan.replaceChildren(...asked.cards.map((card) => make("li", ...drawn(card))));
    fan.hidden = !asked.cards.length;
    table.replaceChildren(
      ...rows.map(([name, card, said]) => {
        const which = Object.assign(make("td", ...(card ? drawn(card) : [])), { className: "which" });
        return make("tr", Object.assign(make("th", name), { scope: "row" }), which, make("td", said));
      }),
    );
    table.hidden = !rows.length;
    Object.assign(document.getElementById("hint"), { textContent: hint, hidden: !hint });
  };

  const tapped = (event, name, value) => {
    event.preventDefault();
    asked = answers.tap(about, asked, name, value);
    show();
  };
  form.addEventListener("submit", (event) => tapped(event, event.submitter.name, event.submitter.value));
  document.getElementById("clear").addEventListener("click", (event) => tapped(event, "ask", asked.question));
  for (const link of questions) link.addEventListener("click", (event) => tapped(event, "ask", link.dataset.ask));
})();
