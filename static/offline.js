// On every page: brings the service worker, and keeps the hands that wait for a signal (IndexedDB) until they are saved.
//
// A hand waits under its form's token, which makes it one hand however often it is sent. Hands of one game go in one
// after the other; one that needs an answer, because another phone has changed the game, holds up those behind it.
(() => {
  const SHORT = 5000, LONG = 30000; // how long a save may take: while somebody looks at it, and behind their back
  const RETRY = [5000, 10000, 20000, 40000, 60000];
  const REST = 10000; // a page that is open for so long has all that it needs: then the rule book is taken along
  const { worker, settle: settling } = document.currentScript.dataset;
  const root = document.documentElement, offlineHand = document.getElementById("offline-game");
  const isFirst = !performance.getEntriesByType("navigation")[0]?.workerStart; // this page came without the worker
  // The worker has much to fetch when it is new: it comes when the page is there, and nothing of it waits any more.
  const when = (event) => new Promise((done) => document.readyState === "complete" ? done() : addEventListener(event, done));
  const loaded = when("load");
  if (worker && navigator.serviceWorker) {
    loaded.then(() => navigator.serviceWorker.register(worker, { scope: "/", updateViaCache: "none" })).catch(() => {});
  }

  // --- what is kept on this phone ---

  let opened;
  const open = () =>
    (opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open("scorekeeper", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("waiting", { keyPath: "token" }); // hands not saved yet
        request.result.createObjectStore("games", { keyPath: "base" }); // games as this phone has seen them last
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    }));

  const ask = async (store, method, ...values) => {
    const done = (await open()).transaction(store, method.startsWith("get") ? "readonly" : "readwrite");
    const request = done.objectStore(store)[method](...values);
    return new Promise((resolve, reject) => {
      done.oncomplete = () => resolve(request.result);
      done.onerror = done.onabort = () => reject(done.error);
    });
  };

  const all = async () => (await ask("waiting", "getAll")).sort((one, other) => one.at - other.at);
  const ofGame = async (base) => (await all()).filter((item) => item.base === base);
  const game = (base) => ask("games", "get", base);
  // How a game is now; what its page for no signal is made of stays what it was.
  const seen = async (state) => {
    const { shape, ...known } = (await game(state.base)) ?? {};
    await ask("games", "put", { ...known, ...state, shape });
  };

  const keep = async (item) => {
    const before = await ask("waiting", "get", item.token);
    const place = { at: before?.at ?? Date.now(), position: before?.position ?? item.position }; // as it was entered
    await ask("waiting", "put", { state: "wait", ...place, ...item, ...(before && place) });
  };

  const put = async (item) => {
    await keep(item);
    await show();
    navigator.storage?.persist?.().then((granted) => (lasts ||= granted)).then(show).catch(() => {});
  };

  // Safari deletes what nobody has opened for seven days, but not what an app on the home screen keeps.
  const isApp = navigator.standalone || matchMedia("(display-mode: standalone)").matches;
  let lasts = isApp || navigator.vendor !== "Apple Computer, Inc.";

  // A hand is saved: those behind it follow.
  const done = async (item, { position }) => {
    await ask("waiting", "delete", item.token);
    await move(item, position);
    await show();
  };

  const remove = async (token) => {
    await ask("waiting", "delete", token);
    await show();
  };

  const newToken = () =>
    btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))).replace(/[+/=]/g, (c) => ({ "+": "-", "/": "_" })[c] ?? "");

  // --- sending ---

  const token = async (signal) => (await (await fetch("/form-token", { signal, cache: "no-store" })).json()).csrf_token;

  // How the last request to the server went: "none" where it failed, "slow" where it got no answer in time, "back" where it
  // got one. navigator.onLine says nothing: it is true on a phone that has Wi-Fi and reaches nobody.
  let reached = root.dataset.signal;
  const howItFailed = (patience) => (patience?.aborted ? "slow" : "none");

  // What came of sending a hand once: { saved }, { status } of another answer, or nothing where there was none.
  const post = async (item, patience, csrf) => {
    const signal = AbortSignal.timeout(patience);
    try {
      const body = new URLSearchParams([...item.fields, ["csrf_token", csrf ?? (await token(signal))]]);
      const headers = { "X-Waiting": csrf ? "now" : "later" };
      const answer = await fetch(item.action, { method: "POST", body, headers, signal, redirect: "manual" });
      if (!answer.headers.get("X-Kept-For")) return {}; // a hotel's login page: not our server
      reached = "back";
      const isData = answer.headers.get("Content-Type") === "application/json";
      const told = isData ? await answer.json() : {};
      return isData && answer.ok ? told : { ...told, status: answer.status };
    } catch {
      reached = howItFailed(signal);
      return {};
    }
  };

  const field = (item, name) => item.fields.find(([key]) => key === name)?.[1];

  // Hands behind one that was saved in another place than it was entered for move along.
  const move = async (item, saved) => {
    const by = saved - item.position;
    for (const other of by ? await ofGame(item.base) : []) {
      if (!other.action.endsWith("/hands/new") || other.at < item.at) continue;
      const position = other.position + by;
      const fields = other.fields.map(([key, value]) => [key, key === "position" ? String(position) : value]);
      await ask("waiting", "put", { ...other, position, fields });
    }
  };

  const sendOne = async (item) => {
    const { saved, position, game: state, status } = await post(item, LONG);
    if (state) await seen(state);
    if (saved) await done(item, { position });
    else if ([401, 403, 404, 410].includes(status)) await ask("waiting", "put", { ...item, state: "refused" });
    else if (status >= 400 && status < 500 && ![408, 429].includes(status)) await ask("waiting", "put", { ...item, state: "ask", why: whyAsked(item, state) });
    else return false; // no signal, or a server in trouble: later
    return saved ? { base: item.base, position: position ?? item.position } : true;
  };

  // What another phone has done to the game that a hand comes back for; nothing where the hand itself is the reason.
  const whyAsked = (item, state) =>
    state && (!item.action.endsWith("/hands/new") ? "changed" : item.position < state.position ? "saved" : "removed");

  const sendAll = async () => {
    const blocked = new Set(), arrived = [];
    for (let items = await all(), next; (next = items.find((item) => !blocked.has(item.base))); items = await all()) {
      const came = next.state === "wait" && (await sendOne(next));
      if (next.state === "wait" && !came) break;
      if (came.base) arrived.push(came);
      else blocked.add(next.base);
    }
    return arrived;
  };

  let sending, timer, tries = 0;
  const send = () =>
    (sending ??= (async () => {
      try {
        if (!(await all()).some((item) => item.state === "wait")) return;
        const locks = navigator.locks;
        const arrived = locks ? await locks.request("waiting", sendAll) : await sendAll();
        if (arrived.length) {
          sessionStorage.setItem(NEWS, arrived.length === 1 ? `Hand ${arrived[0].position} saved.` : `${counted(arrived.length)} saved.`);
          dispatchEvent(new CustomEvent("hands-saved", { detail: new Set(arrived.map(({ base }) => base)) }));
        }
        await show();
        if ((await all()).some((item) => item.state === "wait")) retry();
        else tries = 0;
      } catch {
        // This browser keeps nothing: then nothing waits.
      } finally {
        sending = null;
      }
    })());

  const retry = () => {
    clearTimeout(timer);
    timer = setTimeout(send, RETRY[Math.min(tries++, RETRY.length - 1)]);
  };

  // --- what the page says ---

  const make = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });
  const where = (item) => `Game ${item.number}, hand ${item.position}`;
  const since = (time) => {
    const today = new Date().toDateString() === time.toDateString();
    const hour = { hour: "numeric", minute: "2-digit" };
    return time.toLocaleString("en-US", today ? hour : { month: "short", day: "numeric", ...hour });
  };

  const SIGNAL = { none: "No signal.", slow: "Slow signal.", back: "The signal is back." };

  const about = (quiet) => {
    const kept = root.dataset.kept, signal = SIGNAL[reached];
    if (!kept || document.querySelector("[data-unseen]")) return "";
    if (offlineHand) return quiet.length || reached === "back" ? signal : `${signal} Hands you save are safe on this phone.`;
    return `${signal} This page is from ${since(new Date(kept))}.`;
  };

  // Which hands that waited are saved now: said for a while, also on the page that follows when this one is drawn again.
  const NEWS = "news", WHILE = 6000;
  let forgetting;
  const news = () => {
    const text = sessionStorage.getItem(NEWS);
    if (text) forgetting ??= setTimeout(forget, WHILE);
    return text;
  };
  const forget = () => {
    forgetting = null;
    sessionStorage.removeItem(NEWS);
    show().catch(() => {});
  };

  // Those that only wait for a signal, and not behind a hand that needs an answer.
  const free = (items) => items.filter(({ base }) => !items.some((item) => item.base === base && item.state !== "wait"));

  const waitingSentence = (items) => {
    if (!items.length) return "";
    const [are, them] = items.length === 1 ? ["is", "it"] : ["are", "them"];
    const week = lasts ? "" : ` Open this page again within a week, or your phone may delete ${them}.`;
    return `${counted(items.length)} ${are} safe on this phone.${week}`;
  };
  const counted = (number) => (number === 1 ? "1 hand" : `${number} hands`);

  const why = ({ state, why, position }) => {
    if (state === "refused") return `Hand ${position} can’t be saved. Ask for a scoring link, then try again.`;
    if (why === "removed") return `Another phone removed a hand before hand ${position}.`;
    return why ? `Another phone ${why} hand ${position}.` : `Hand ${position} is not complete.`;
  };

  // The form of a hand that needs an answer, sent as a page: the server then asks, as it asks two phones.
  const answer = async (item) => {
    const fields = [...item.fields, ["csrf_token", await token(AbortSignal.timeout(SHORT))]];
    const form = make("form", "", { method: "post", action: item.action, hidden: true });
    for (const [name, value] of fields) form.append(make("input", "", { type: "hidden", name, value }));
    document.body.append(form);
    form.submit();
  };

  const line = (item, isLast) => {
    const said = make("li", item.says ? `${where(item)}: ${item.says}` : `${where(item)}.`);
    if (item.state === "wait") {
      if (isLast) said.append(make("button", "Remove", { className: "quiet", onclick: () => discard(item) }));
      return said;
    }
    said.textContent = location.pathname.startsWith(item.base) ? why(item) : `Game ${item.number}. ${why(item)}`;
    const compare = () => answer(item).catch(() => said.append(" No signal: try again when it is back."));
    if (item.state === "ask") said.append(make("button", item.why ? "Compare" : "Check", { className: "button", onclick: compare }));
    else said.append(make("button", "Try again", { className: "quiet", onclick: () => again(item) }));
    said.append(make("button", "Remove", { className: "quiet", onclick: () => discard(item) }));
    return said;
  };

  const again = async (item) => {
    await put({ ...item, state: "wait" });
    send();
  };

  const discard = (item) => confirm(`Remove hand ${item.position}? It is on this phone only.`) && remove(item.token);

  let bar, isLocked = false;
  const show = async () => {
    const items = await all();
    dispatchEvent(new CustomEvent("hands-waiting", { detail: items }));
    await showScores(items).catch(() => {}); // of a game that this phone knows too little of
    const quiet = items.filter((item) => item.state === "wait"), loud = items.filter((item) => item.state !== "wait");
    const says = [about(quiet), news(), waitingSentence(free(items))].filter(Boolean), behind = quiet.length - free(items).length;
    if (document.querySelector("main[data-waiting]") || (!bar && !says.length && !loud.length)) return; // or it is asked here
    if (!bar) document.body.prepend((bar = make("aside", "", { id: "waiting", className: "waiting" })));
    const opened = bar.querySelector("details")?.open;
    bar.replaceChildren();
    bar.ariaLabel = "Hands on this phone";
    bar.hidden = !says.length && !loud.length;
    if (says.length) bar.append(make("p", says.join(" "), { role: "status" }));
    if (loud.length) bar.append(make("ul", "", { className: "list" }));
    bar.querySelector("ul")?.append(...loud.map((item) => line(item)));
    if (behind) bar.append(make("p", `${behind === 1 ? "1 more hand is" : `${behind} more hands are`} safe on this phone.`));
    if (quiet.some((item) => item.says)) bar.append(details(quiet, opened));
  };

  const details = (items, open) => {
    const more = make("details", "", { className: "show", open });
    const list = make("ul", "", { className: "list" });
    const isLast = (item, place) => !items.slice(place + 1).some(({ base }) => base === item.base);
    list.append(...items.map((item, place) => line(item, isLast(item, place))));
    more.append(make("summary", items.length === 1 ? "Show it" : "Show them"), list);
    return more;
  };

  // --- the score with the hands that wait, on every page that shows the game ---

  const parsed = when("DOMContentLoaded"); // the page's own scripts have run then
  let loading;
  const loadSettle = () => (loading ??= parsed.then(() => typeof settle === "object" || load(settling)));
  const load = (src) =>
    new Promise((onload, onerror) => document.head.append(make("script", "", { src, onload, onerror })));

  // A game once its waiting hands are in, as settle.js works it out of what this phone knows, or else of what is told.
  const withWaiting = async (base, told = {}) => {
    const known = { ...told, ...(await game(base)) }, items = await ofGame(base);
    if (!known.table) return { waits: items.length };
    await loadSettle();
    const { table, names } = known, then = settle.withWaiting(known, items);
    return { ...then, table, names, totals: then.totals ?? known.totals, isWhole: Boolean(then.totals), waits: items.length };
  };

  const before = new Map(); // what a page said where the score with waiting hands stands now
  const say = (one, text) => {
    if (!before.has(one)) before.set(one, [...one.childNodes]);
    putIn(one, [String(text)]);
  };
  const putIn = (one, nodes) => {
    const width = parseFloat(one.getAttribute("textLength")) / one.textContent.length; // of a digit on the board
    one.replaceChildren(...nodes);
    if (width) one.setAttribute("textLength", `${width * one.textContent.length}em`);
  };

  const DRAW = {
    // The figures at the head of a page, or on the board, in the order of the units.
    scores: (one, { table, totals }, mark) => {
      const scores = table?.units.map((unit) => settle.scoreSaid(table, totals[unit]));
      one.querySelectorAll(".num").forEach((figure, place) => scores && say(figure, scores[place]));
      for (const change of scores ? one.querySelectorAll(".last, .change") : []) say(change, "");
      if (scores) one.className = one.className.replace(/figures-\d+/, `figures-${Math.max(2, ...scores.map((text) => text.length))}`);
      if (mark && !one.matches(".totals")) one.after(make("p", mark, { className: "why soft waits" }));
    },
    // On the board: what was bid last, and the line below it.
    last: (one, _game, _mark, items) => say(one, items.at(-1).says || "Hand waiting"),
    note: (one, _game, mark) => say(one, mark),
    // On the score sheet of a game without a saved hand.
    none: (one, _game, _mark, items) => {
      say(one, "");
      one.append(...items.flatMap((item) => [make("span", `Hand ${item.position}, waiting: ${item.says || "result later"}`), make("br", "")]));
    },
    deals: (one, { dealer, over }) => say(one, dealer === Number(one.dataset.seat) && !over ? "deals next" : ""),
    // A game in a list.
    line: (one, { table, names, totals }) => say(one, settle.scoreLine(table, names, totals)),
    mark: (one, _game, _mark, items) => one.append(make("b", ` · ${counted(items.length)} waiting`, { className: "waits" })),
    position: (one, { position }) => say(one, position),
    next: (one, { position }) => say(one, `Hand ${position} is next`),
    dealer: (one, { names, dealer }) => say(one, names.shorts[dealer]),
    // A row a hand, the latest first.
    ledger: (one, { table, hands }, _mark, items) => {
      items.forEach((item, place) => {
        const row = make("tr", ""), then = hands[place], body = make("tbody", "", { className: "waits" });
        row.append(make("th", item.position, { scope: "row" }), make("td", item.says || "", { className: "contract" }));
        row.lastChild.append(make("small", " waiting", { className: "soft" }));
        for (const unit of table.units) {
          const cell = make("td", "", { className: `score u-${unit}` });
          if (then?.hand.change[unit]) cell.append(make("small", settle.changeSaid(table, then.hand.change[unit])));
          if (then) cell.append(make("span", settle.scoreSaid(table, then.totals[unit]), { className: "num" }));
          row.append(cell);
        }
        body.append(row);
        one.tHead.after(body);
      });
    },
  };

  const drawn = new Set(); // the games whose scores were drawn here
  let isDrawn = "[]"; // with these hands
  const showScores = async (items) => {
    const marked = [...document.querySelectorAll("[data-game]")], games = new Map();
    for (const base of new Set(marked.map((one) => one.dataset.game))) {
      const mine = items.filter((item) => item.base === base);
      if (mine.length || offlineHand) games.set(base, { mine, then: await withWaiting(base) });
      if (mine.length) drawn.add(base);
    }
    const now = JSON.stringify([...games].map(([, { mine, then }]) => [mine.map(({ token, state }) => token + state), then]));
    if (now === isDrawn) return;
    isDrawn = now;
    for (const one of document.querySelectorAll(".waits")) one.remove();
    for (const [one, nodes] of before) putIn(one, nodes);
    before.clear();
    for (const one of marked) {
      const { mine, then } = games.get(one.dataset.game) ?? {}, { shows } = one.dataset;
      if (then?.table || (then && shows === "scores")) DRAW[shows](one, then, markOf(then), mine);
    }
  };

  const markOf = ({ table, names, winners, isWhole, waits }) => {
    if (!waits) return "";
    const hands = isWhole ? `With ${counted(waits)} waiting on this phone.` : `${counted(waits)} on this phone ${waits === 1 ? "is" : "are"} not counted yet.`;
    return `${hands}${winners ? ` ${settle.won(table, names, winners)}` : ""}`;
  };

  // --- when ---

  // A page fetched for the worker to keep: the server's answer, if it was ours.
  const fetched = async (path, signal) => {
    const answer = await fetch(path, { headers: { "X-Keep": "1" }, priority: "low", signal }).catch(() => {});
    const isOurs = answer?.headers.get("X-Kept-For");
    if (isOurs || !answer) reached = isOurs ? "back" : howItFailed(signal);
    return isOurs ? answer : undefined;
  };

  // Waits until the worker sees what this page fetches, and tells it what belongs to the page: its game with the rules,
  // its club, and on a phone's first visit the page itself. The rule book comes when there is time for it.
  let controls, rulesLater;
  const worked = async () => {
    const workers = navigator.serviceWorker;
    if (!worker || !workers) return undefined;
    const { pathname } = location, [club, game] = pathname.match(/^(\/c\/[^/]+\/)(games\/\d+\/)?/)?.slice(1) ?? [];
    const ofGame = game ? ["", "rules", "rules/ask"].map((end) => club + game + end) : [];
    const ours = ["/", club, ...ofGame, isFirst && pathname].filter(Boolean);
    const tell = async () => (await workers.ready).active.postMessage(ours);
    controls ??= new Promise((resolve) => {
      workers.addEventListener("controllerchange", () => resolve(tell())); // also after an update
      if (workers.controller) resolve();
    });
    await tell(); // a worker that became ready while this page was on its way takes the page over with that
    if (!navigator.connection?.saveData) rulesLater ??= setTimeout(async () => (await workers.ready).active.postMessage("rules"), REST);
    await controls;
  };

  // A game's page tells how the game is; its hand entry for when there is no signal is fetched once, and after a change.
  // What that has for the script which scores is kept apart: the other pages of the game show the score, too.
  const learn = async () => {
    const told = document.getElementById("game-now");
    if (root.dataset.kept) return;
    const state = told && JSON.parse(told.textContent), known = state && (await game(state.base));
    if (state) await seen(state);
    await worked();
    if (!state) return;
    const isKept = known?.shape === state.shape && known.table && (!window.caches || (await caches.match(state.page)));
    const page = isKept ? undefined : await fetched(state.page);
    if (page?.ok) {
      const made = new DOMParser().parseFromString(await page.text(), "text/html").getElementById("offline-game");
      const { table, names, knows } = JSON.parse(made.textContent);
      await ask("games", "put", { ...state, table, names, knows });
    }
    if (!navigator.serviceWorker) await loadSettle(); // nobody else keeps the file for when there is no signal
  };

  // The page of a next hand says itself what a tap comes to, once this phone has what that takes.
  let isForetelling = false;
  const foretell = async () => {
    const told = document.getElementById("game-now");
    if (!told?.dataset.taps || isForetelling) return;
    const state = JSON.parse(told.textContent), known = await game(state.base);
    if (known?.shape !== state.shape || !known.table) return;
    isForetelling = true;
    await Promise.all([loadSettle(), typeof taps === "object" || load(told.dataset.taps)]);
    taps.foretell(document.getElementById("hand"), known, state);
  };

  const start = async () => {
    foretell().catch(() => {});
    try {
      lasts ||= Boolean(await navigator.storage?.persisted?.());
      await show();
      await send();
      await learn();
      await foretell();
    } catch {
      // This browser keeps nothing: everything else works as without a script.
    }
  };

  // A page that came after the hand was saved, when only the answer was lost, shows it already.
  addEventListener("hands-saved", async ({ detail }) => {
    const told = document.getElementById("game-now"), { base = "", version } = told ? JSON.parse(told.textContent) : {};
    const isBehind = detail.has(base) && (await game(base)).version !== version;
    const busy = !isLocked && document.querySelector("#hand :is([name=bidder], [name=bid], [name=trump]):checked");
    const isOld = [...detail].some((saved) => drawn.has(saved)) && !document.querySelector("[data-live]") && !touched;
    if ((isBehind && !busy) || (isOld && !offlineHand)) location.reload();
    else if (!offlineHand) renew(); // that page goes on by itself
  });

  // A page as it was seen last becomes the server's as soon as that has it within the time that a page may take, unless
  // somebody is at it: whoever types or asks something keeps what is there.
  let touched = false, renewal, renewals = 0;
  const touch = ({ target }) => (touched ||= Boolean(target.closest?.("main :is(button, input, label, select, textarea)")));
  for (const kind of ["click", "focusin", "input"]) addEventListener(kind, touch);
  const renew = async () => {
    clearTimeout(renewal);
    if (!root.dataset.kept || document.hidden) return;
    const isBack = await fetched(location.pathname + location.search, AbortSignal.timeout(SHORT));
    const isUsed = offlineHand ? document.querySelector("#hand :checked") || free(await all()).length : touched;
    if (isBack && !isUsed) return location.reload();
    await show().catch(() => {});
    renewal = setTimeout(renew, RETRY[Math.min(renewals++, RETRY.length - 1)]);
  };

  // The signal may be back: tried at once, after a try that was under way without it.
  const wake = async () => {
    tries = renewals = 0;
    await sending;
    await send();
    await renew();
  };
  for (const kind of ["online", "offline"]) addEventListener(kind, wake); // the browser's guess: a reason to try, no more
  document.addEventListener("htmx:after:swap", ({ target }) => {
    if (!drawn.size || !target.closest?.("[data-live]")) return;
    before.clear(); // what came is the server's
    isDrawn = "";
    show().catch(() => {});
  });
  addEventListener("pageshow", ({ persisted }) => persisted && wake());
  document.addEventListener("visibilitychange", () => document.hidden || wake());

  // --- saving a hand with a bad signal ---

  // The hand is kept on this phone before it is sent, and waits there where no answer comes within 5 seconds. Whatever
  // else the server answers is its page, as without this script.
  let lock; // says what waits beside the form of this page
  addEventListener("hands-waiting", ({ detail }) => lock?.(detail));

  const keepSaves = (form, { base, number }) => {
    const SAVES = ["save", "passed"];
    const SAFE = "This hand is safe on this phone. Enter the next one when the signal is back.";
    const next = `${base}hands/new`;
    let busy = false;

    // --- a tap that got no answer: the page still shows the bid, and says what Save does ---

    const NO_SIGNAL = "No signal. Save keeps this hand on this phone.";
    const tapped = (part) => {
      const label = form.querySelector(`#ask-${part} :checked`)?.closest("label");
      return label?.querySelector("span:not(.vh)")?.textContent.trim() ?? "";
    };
    const lack = (part) => form.querySelector(`#ask-${part}:not(:has(:checked))`);
    const bid = () => [tapped("bidder"), tapped("bid"), tapped("trump")].filter(Boolean).join(" ");
    const heading = () => document.querySelector("#says b");
    const tell = (head, ...rest) => {
      heading().textContent = head;
      heading().nextElementSibling.replaceChildren(...rest);
    };

    form.addEventListener("htmx:error", ({ detail }) => {
      if (detail.ctx?.response) return;
      const shut = form.querySelector(".call > .fold .shut");
      if (shut && bid()) shut.textContent = bid();
      const needsSignal = form.querySelector("#ask-auction") && form.action.endsWith(next) && navigator.serviceWorker?.controller;
      if (needsSignal) tell("No signal.", make("a", "Enter this hand anyway", { href: next }));
      else tell(NO_SIGNAL);
    });

    // --- saving ---

    const itemOf = (fields) => {
      const value = (name) => field({ fields }, name);
      const said = heading()?.textContent ?? "", says = said === NO_SIGNAL ? bid() : said;
      const action = new URL(form.action).pathname;
      return { token: value("token"), base, action, number, position: Number(value("position")), fields, says };
    };

    // As a form without a script: the server's page says what it has to say.
    const submit = (button) => {
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "do", value: button.value }));
      form.submit();
    };

    const keepAndSend = async (item, csrf) => {
      await keep(item);
      const all = await ofGame(base), [first, ...behind] = all;
      if (first.token !== item.token) return {}; // behind the others
      const came = await post(item, SHORT, csrf);
      came.isShown = came.saved && showNext(came);
      if (came.game) await seen(came.game);
      if (came.saved) await done(first, came);
      else if (came.status && behind.length) await put({ ...first, state: "ask", why: whyAsked(first, came.game) });
      else if (came.status) await remove(item.token);
      return came;
    };

    const save = async (button) => {
      // FormData(form, button) says the same in newer browsers; older ones leave the button out.
      const fields = [...new FormData(form), [button.name, button.value]].filter(([key]) => key !== "csrf_token");
      const item = itemOf(fields.map(([key, value]) => [key, String(value)]));
      let came;
      try {
        came = await keepAndSend(item, form.elements.csrf_token.value);
      } catch {
        return submit(button); // this browser keeps nothing
      }
      if (came.isShown) start();
      else if (came.saved) location.assign(came.next);
      else if (came.status) submit(button);
      else {
        const lacks = button.value === "save" ? ["bidder", "bid", "trump"].filter(lack) : [];
        await (lacks.length ? remove(item.token) : put(item));
        if (lacks.length) tell(`No signal. Tap the ${lacks.join(" and the ")} first.`);
        else if (navigator.serviceWorker?.controller) location.assign(next);
        else retry(); // without a worker there is no other page to go to: this one is locked
        busy = false;
        button.removeAttribute("aria-busy");
      }
    };

    // While hands of this game wait, the next one is entered on the page for no signal, and on this one none: saving it
    // again would take the place of the one that waits.
    const says = make("p", "", { className: "sheet", role: "status", hidden: true });
    form.before(says);
    lock = (items) => {
      let [first] = items.filter((item) => item.base === base);
      if (first?.state === "ask" && first.token === form.elements.token.value) first = null; // this page asks it
      form.closest("main").classList.toggle("locked", Boolean(first));
      isLocked ||= Boolean(first);
      says.hidden = !first;
      says.textContent = first?.state === "wait" ? SAFE : `Settle hand ${first?.position} first.`;
    };

    form.addEventListener("submit", (event) => {
      const button = event.submitter;
      if (button?.name !== "do" || !SAVES.includes(button.value) || button.form !== form) return;
      event.preventDefault();
      if (busy) return;
      busy = true;
      button.setAttribute("aria-busy", "true");
      save(button);
    });
  };

  const keepThisPage = () => {
    const hand = document.getElementById("hand"), now = document.getElementById("game-now");
    if (hand && now) keepSaves(hand, JSON.parse(now.textContent));
  };

  // The next hand's page takes the place of this one, whose address it has. What was sent along with "saved" is that page;
  // where nothing was, or a page of a server that was updated meanwhile, false: it is to be loaded as any other.
  const showNext = ({ next, page }) => {
    const made = page && new DOMParser().parseFromString(page, "text/html");
    const tags = "[data-later], script[defer], [rel=stylesheet]";
    const filesOf = (head) => [...head.querySelectorAll(tags)].map(({ src, href, dataset }) => dataset.later ?? src ?? href);
    const files = filesOf(document.head);
    if (!made || root.dataset.kept || !filesOf(made.head).every((file) => files.includes(file))) return false;
    history.replaceState(null, "", next);
    for (const one of document.querySelectorAll(".htmx-request")) one.dispatchEvent(new Event("htmx:abort"));
    document.title = made.title;
    document.getElementById("game-now").replaceWith(made.getElementById("game-now"));
    const main = made.querySelector("main"), heading = main.querySelector("h1");
    document.querySelector("main").replaceWith(main);
    scrollTo(0, 0);
    heading.setAttribute("aria-describedby", "saved");
    heading.focus({ preventScroll: true }); // there a screen reader begins, with what was saved
    window.htmx?.process(main);
    document.dispatchEvent(new Event("next-hand"));
    isForetelling = false;
    keepThisPage();
    return true;
  };

  keepThisPage();
  window.waiting = { all, ofGame, withWaiting, put, remove, send, newToken };
  start().then(() => setTimeout(renew, RETRY[0]));
})();
