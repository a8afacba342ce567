// On every page, after all else: registers the service worker, and queues hands in IndexedDB until they are saved.
//
// A hand is queued under its form's token, which makes resending idempotent. Hands of a game are sent in order; one
// that needs an answer, because another phone has changed the game, blocks those behind it.
(() => {
  const SHORT = 5000, LONG = 30000; // timeouts of a save: in the foreground and in the background
  const RETRY = [5000, 10000, 20000, 40000, 60000];
  const QUICKEST = 10000; // a page stored since then is current, unless a hand was just saved here
  const REST = 10000; // a page open for this long has loaded: then the rule book is fetched
  const { worker, settle: settling } = document.currentScript.dataset;
  const root = document.documentElement, offlineHand = document.getElementById("offline-game");
  const isFirst = !performance.getEntriesByType("navigation")[0]?.workerStart; // page loaded without the worker
  // A new worker fetches much: it is registered after the page has loaded.
  const when = (event) => new Promise((done) => document.readyState === "complete" ? done() : addEventListener(event, done));
  const loaded = when("load");
  if (worker && navigator.serviceWorker) {
    loaded.then(() => navigator.serviceWorker.register(worker, { scope: "/", updateViaCache: "none" })).catch(() => {});
  }

  // --- storage ---

  let opened;
  const open = () =>
    (opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open("scorekeeper", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("waiting", { keyPath: "token" }); // hands not saved yet
        request.result.createObjectStore("games", { keyPath: "base" }); // games as last seen by this phone
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      setTimeout(reject, SHORT); // Safari may never answer
    }));

  // Safari closes the connection of a page in the background.
  const ask = (...what) => askOnce(...what).catch(() => ((opened = null), askOnce(...what)));
  const askOnce = async (store, method, ...values) => {
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
  // Stores a game's state, except the version of its offline page.
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

  // Safari deletes the data of sites not visited for seven days, except that of installed apps.
  const isApp = navigator.standalone || matchMedia("(display-mode: standalone)").matches;
  let lasts = isApp || navigator.vendor !== "Apple Computer, Inc.";

  // A hand is saved: update those behind it.
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

  // Outcome of the last request: "none" (failed), "slow" (timed out) or "back" (answered). navigator.onLine is useless:
  // it is true with Wi-Fi and no internet.
  let reached = root.dataset.signal;
  const failureOf = (patience) => (patience?.aborted ? "slow" : "none");

  // Sends a hand once: returns { saved }, { status } of another response, or {} without one.
  const post = async (item, patience, csrf) => {
    const signal = AbortSignal.timeout(patience);
    try {
      const body = new URLSearchParams([...item.fields, ["csrf_token", csrf ?? (await token(signal))]]);
      const headers = { "X-Waiting": csrf ? "now" : "later" };
      const answer = await fetch(item.action, { method: "POST", body, headers, signal, redirect: "manual" });
      if (!answer.headers.get("X-Kept-For")) return {}; // not our server, such as a hotel's login page
      reached = "back";
      const isData = answer.headers.get("Content-Type") === "application/json";
      const told = isData ? await answer.json() : {};
      return isData && answer.ok ? told : { ...told, status: answer.status };
    } catch {
      reached = failureOf(signal);
      return {};
    }
  };

  const field = (item, name) => item.fields.find(([key]) => key === name)?.[1];

  // Moves the hands behind one that was saved at another position.
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
    else if ([401, 403, 404, 410].includes(status)) await ask("waiting", "put", { ...item, state: "refused", status });
    else if (status >= 400 && status < 500 && ![408, 429].includes(status)) await ask("waiting", "put", { ...item, state: "ask", why: whyAsked(item, state) });
    else return false; // no signal, or a server error: later
    return saved ? { base: item.base, position: position ?? item.position } : true;
  };

  // What another phone did to the game; undefined if the hand itself was rejected.
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
        // No storage in this browser: no queue.
      } finally {
        sending = null;
      }
    })());

  const retry = () => {
    clearTimeout(timer);
    timer = setTimeout(send, RETRY[Math.min(tries++, RETRY.length - 1)]);
  };

  // --- messages ---

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
    if (offlineHand) return quiet.length || reached === "back" ? signal : `${signal} Hands are safe on this phone.`;
    return `${signal} This page is from ${since(new Date(kept))}.`;
  };

  // Reports queued hands that were saved; for a while, also after a reload.
  const NEWS = "news", WHILE = 6000;
  let forgetting;
  const news = () => {
    const text = sessionStorage.getItem(NEWS);
    if (text) forgetting ??= setTimeout(forget, WHILE);
    return text;
  };
  const forget = () => {
    forgetting = null;
    if (document.hidden) return; // nobody looks: said once somebody does
    sessionStorage.removeItem(NEWS);
    show().catch(() => {});
  };

  // Hands that only wait for a signal, without one before them that needs an answer.
  const free = (items) => items.filter(({ base }) => !items.some((item) => item.base === base && item.state !== "wait"));

  const waitingSentence = (items) => {
    if (!items.length) return "";
    const [are, wait, them] = items.length === 1 ? ["is", "waits", "it"] : ["are", "wait", "them"], hands = counted(items.length);
    return lasts ? `${hands} ${are} safe on this phone.` : `${hands} ${wait} on this phone. Open this page within a week to send ${them}.`;
  };
  const counted = (number) => (number === 1 ? "1 hand" : `${number} hands`);

  const why = ({ state, status, why, position }) => {
    const first = status === 410 ? "The game was deleted. Take it back under Changes" : "Ask for a scoring link";
    if (state === "refused") return `Hand ${position} can’t be saved. ${first}, then try again.`;
    if (why === "removed") return `Another phone removed a hand. Hand ${position} is not saved yet.`;
    return why ? `Another phone ${why === "saved" ? "saved a different" : why} hand ${position}.` : `Hand ${position} is not saved yet.`;
  };

  // Posts the form of a hand that needs an answer as a page, so that the server shows the conflict.
  const answer = async (item) => {
    const fields = [...item.fields, ["csrf_token", await token(AbortSignal.timeout(SHORT))]];
    const form = make("form", "", { method: "post", action: item.action, hidden: true });
    for (const [name, value] of fields) form.append(make("input", "", { type: "hidden", name, value }));
    document.body.append(form);
    form.submit();
  };

  const line = (item, isLast) => {
    const said = make("li", item.says ? `${where(item)}: ${item.says}` : `${where(item)}.`, { className: "ask" });
    if (item.state === "wait") {
      if (isLast) said.append(make("button", "Remove", { className: "quiet end", onclick: () => discard(item) }));
      return said;
    }
    said.textContent = location.pathname.startsWith(item.base) ? why(item) : `Game ${item.number}. ${why(item)}`;
    const compare = () => answer(item).catch(() => said.append(" No signal: try again when it is back."));
    if (item.state === "ask") said.append(make("button", item.why ? "Compare" : "Check", { className: "button", onclick: compare }));
    else said.append(make("button", "Try again", { className: "quiet", onclick: () => again(item) }));
    said.append(make("button", item.why ? "Remove mine" : "Remove", { className: "quiet end", onclick: () => discard(item) }));
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
    await showScores(items).catch(() => {}); // of a game with too little stored data
    const quiet = items.filter((item) => item.state === "wait"), loud = items.filter((item) => item.state !== "wait");
    const says = [about(quiet), news(), waitingSentence(free(items))].filter(Boolean), behind = quiet.length - free(items).length;
    if (document.querySelector("main[data-waiting]") || (!bar && !says.length && !loud.length)) return; // or shown there
    if (!bar) document.body.prepend((bar = make("aside", "", { id: "waiting", className: "waiting" })));
    const isOpen = bar.querySelector("[aria-expanded=true]");
    bar.replaceChildren();
    bar.ariaLabel = "Hands on this phone";
    bar.hidden = !says.length && !loud.length;
    const addRow = (text, more) => {
      bar.append(make("div", "", { className: "row" }));
      bar.lastChild.append(make("p", text, more));
      return bar.lastChild;
    };
    let row = says.length && addRow(says.join(" "), { role: "status" });
    if (loud.length) bar.append(make("ul", "", { className: "list" }));
    bar.querySelector("ul")?.append(...loud.map((item) => line(item)));
    if (behind) row = addRow(`${behind === 1 ? "1 more hand is" : `${behind} more hands are`} safe on this phone.`);
    if (quiet.some((item) => item.says)) addList(row, quiet, isOpen);
  };

  // A list below, which a button in the row shows and hides: the button stays in its place.
  const addList = (row, items, isOpen) => {
    const list = make("ul", "", { className: "list", hidden: isOpen }), button = make("button", "", { className: "quiet" });
    const isLast = (item, place) => !items.slice(place + 1).some(({ base }) => base === item.base);
    list.append(...items.map((item, place) => line(item, isLast(item, place))));
    (button.onclick = () => {
      list.hidden = !list.hidden;
      button.setAttribute("aria-expanded", !list.hidden);
      button.textContent = `${list.hidden ? "Show" : "Hide"} ${items.length === 1 ? "it" : "them"}`;
    })();
    row.append(button);
    bar.append(list);
  };

  // --- the score including queued hands, on every page that shows the game ---

  const parsed = when("DOMContentLoaded"); // after the page's own scripts
  let loading;
  const loadSettle = () => (loading ??= parsed.then(() => typeof settle === "object" || load(settling)));
  const load = (src) =>
    new Promise((onload, onerror) => document.head.append(make("script", "", { src, onload, onerror })));

  // A game including its queued hands, computed by settle.js from stored data, otherwise from `told`.
  const withWaiting = async (base, told = {}) => {
    const known = { ...told, ...(await game(base)) }, items = await ofGame(base);
    if (!known.table) return { waits: items.length };
    await loadSettle();
    const { table, names } = known, then = settle.withWaiting(known, items);
    return { ...then, table, names, totals: then.totals ?? known.totals, isWhole: Boolean(then.totals), waits: items.length };
  };

  const before = new Map(); // former content of elements showing the score with queued hands
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
    // Totals at the head of a page or on the board, by unit.
    scores: (one, { table, totals }, mark) => {
      const scores = table?.units.map((unit) => settle.scoreSaid(table, totals[unit]));
      one.querySelectorAll(".num").forEach((figure, place) => scores && say(figure, scores[place]));
      for (const change of scores ? one.querySelectorAll(".last, .change") : []) say(change, "");
      if (scores) one.className = one.className.replace(/figures-\d+/, `figures-${Math.max(2, ...scores.map((text) => text.length))}`);
      if (mark && !one.matches(".totals")) one.after(make("p", mark, { className: "why soft waits" }));
    },
    // On the board: the last bid, and the line below.
    last: (one, _game, _mark, items) => say(one, items.at(-1).says || "Hand waiting"),
    note: (one, _game, mark) => say(one, mark),
    // On the score sheet of a game without saved hands.
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
    // A row for each hand, latest first.
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

  const drawn = new Set(); // games drawn here
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
    if (!waits || (isWhole && offlineHand)) return ""; // whose bar says it
    const hands = isWhole ? `The score includes ${counted(waits)} not sent yet.` : `${counted(waits)} on this phone ${waits === 1 ? "is" : "are"} not counted yet.`;
    return `${hands}${winners ? ` ${settle.won(table, names, winners)}` : ""}`;
  };

  // --- events ---

  // Fetches a page for the worker to store; the response, if it is ours.
  const fetchPage = async (path, signal) => {
    const answer = await fetch(path, { headers: { "X-Keep": "1" }, priority: "low", signal }).catch(() => {});
    const isOurs = answer?.headers.get("X-Kept-For");
    if (isOurs || !answer) reached = isOurs ? "back" : failureOf(signal);
    return isOurs ? answer : undefined;
  };

  // Waits until the worker controls this page, and tells it what to store: the game with its rules, the club, and on a
  // first visit the page itself; the rule book later.
  let controls, rulesLater;
  const awaitWorker = async () => {
    const workers = navigator.serviceWorker;
    if (!worker || !workers) return undefined;
    const { pathname } = location, [club, game] = pathname.match(/^(\/c\/[^/]+\/)(games\/\d+\/)?/)?.slice(1) ?? [];
    const ofGame = game ? ["", "rules", "rules/ask"].map((end) => club + game + end) : [];
    const ours = ["/", club, ...ofGame, isFirst && pathname].filter(Boolean);
    const changed = Date.now() - (document.getElementById("saved") ? 0 : QUICKEST);
    const tell = async () => (await workers.ready).active.postMessage({ paths: ours, changed });
    controls ??= new Promise((resolve) => {
      workers.addEventListener("controllerchange", () => resolve(tell())); // also after an update
      if (workers.controller) resolve();
    });
    await tell(); // lets a worker that became ready meanwhile claim this page
    if (!navigator.connection?.saveData) rulesLater ??= setTimeout(async () => (await workers.ready).active.postMessage("rules"), REST);
    await controls;
  };

  // Stores the game's state from its page, and fetches its offline page once and after changes. The scoring data is
  // stored separately, since other pages show the score too.
  const storeGame = async () => {
    const told = document.getElementById("game-now");
    if (root.dataset.kept) return;
    const state = told && JSON.parse(told.textContent), known = state && (await game(state.base));
    if (state) await seen(state);
    await awaitWorker();
    if (!state) return;
    const isKept = known?.shape === state.shape && known.table && (!window.caches || (await caches.match(state.page)));
    const page = isKept ? undefined : await fetchPage(state.page);
    if (page?.ok) {
      const made = new DOMParser().parseFromString(await page.text(), "text/html").getElementById("offline-game");
      const { table, names } = JSON.parse(made.textContent);
      await ask("games", "put", { ...state, table, names });
    }
    if (!navigator.serviceWorker) await loadSettle(); // otherwise the worker stores it
  };

  // On the page of a next hand, predicts the results of taps if the data is stored.
  let isPredicting = false;
  const predict = async () => {
    const told = document.getElementById("game-now");
    if (!told?.dataset.taps || isPredicting) return;
    const state = JSON.parse(told.textContent), known = await game(state.base);
    if (known?.shape !== state.shape || !known.table) return;
    isPredicting = true;
    await Promise.all([loadSettle(), typeof taps === "object" || load(told.dataset.taps)]);
    taps.predict(document.getElementById("hand"), known, state);
  };

  const start = async () => {
    predict().catch(() => {});
    try {
      lasts ||= Boolean(await navigator.storage?.persisted?.());
      await show();
      await send();
      await storeGame();
      await predict();
    } catch {
      // No storage in this browser: all else works as without scripts.
    }
  };

  // A page loaded after the hand was saved (only the response was lost) shows it already.
  addEventListener("hands-saved", async ({ detail }) => {
    const told = document.getElementById("game-now"), { base = "", version } = told ? JSON.parse(told.textContent) : {};
    const isBehind = detail.has(base) && (await game(base)).version !== version;
    const busy = !isLocked && document.querySelector("#hand :is([name=bidder], [name=bid], [name=trump]):checked");
    const isOld = [...detail].some((saved) => drawn.has(saved)) && !document.querySelector("[data-live]") && !touched;
    if ((isBehind && !busy) || (isOld && !offlineHand)) {
      history.replaceState(null, "", location.href.replace(/since=\d+/, "")); // this hand is no news
      location.reload();
    } else if (!offlineHand) renew(); // that page goes on by itself
  });

  // Replaces a stored page by the server's as soon as it can be loaded in time, unless the user has started to type or
  // tap there.
  let touched = false, renewal, renewals = 0;
  const touch = ({ target }) => (touched ||= Boolean(target.closest?.("main :is(button, input, label, select, textarea)")));
  for (const kind of ["click", "focusin", "input"]) addEventListener(kind, touch);
  const renew = async () => {
    clearTimeout(renewal);
    if (!root.dataset.kept || document.hidden) return;
    const isBack = await fetchPage(location.pathname + location.search, AbortSignal.timeout(SHORT));
    const isUsed = offlineHand ? document.querySelector("#hand :checked") || free(await all()).length : touched;
    if (isBack && !isUsed) return location.reload();
    await show().catch(() => {});
    renewal = setTimeout(renew, RETRY[Math.min(renewals++, RETRY.length - 1)]);
  };

  // The signal may be back: retry now, after a pending attempt.
  const wake = async () => {
    tries = renewals = 0;
    await sending;
    await send();
    await show().catch(() => {});
    await renew();
  };
  for (const kind of ["online", "offline"]) addEventListener(kind, wake); // unreliable, but a reason to try
  document.addEventListener("htmx:after:swap", async ({ target }) => {
    if (!target.closest?.("[data-live]")) return;
    before.clear(); // the new content is the server's
    isDrawn = "";
    const told = document.getElementById("game-now");
    try {
      if (told) await seen(JSON.parse(told.textContent)); // another phone has changed it
      if (drawn.size) await show();
    } catch {
      // as without scripts
    }
  });
  addEventListener("pageshow", ({ persisted }) => persisted && wake());
  document.addEventListener("visibilitychange", () => document.hidden || wake());

  // --- saving with a bad signal ---

  // A hand is stored before it is sent, and queued if there is no response in 5 seconds. Any other response is shown as
  // a page, as without scripts.
  let lock; // shows what is queued beside the form
  addEventListener("hands-waiting", ({ detail }) => lock?.(detail));

  const keepSaves = (form, { base, number }) => {
    const SAVES = ["save", "passed"];
    const SAFE = "This hand is safe on this phone. Enter the next one when the signal is back.";
    const next = `${base}hands/new`;
    let busy = false;

    // --- a tap without a response: the form stays, and says what Save does ---

    const NO_SIGNAL = "No signal. Save keeps this hand on this phone.";
    const tapped = (part) => {
      const label = form.querySelector(`[name=${part}]:checked`)?.closest("label");
      return label?.querySelector("span:not(.vh)")?.textContent.trim() ?? "";
    };
    const lack = (part) => form.querySelector(`#ask-${part}:not(:has(:checked))`);
    const bid = () => ["bidder", "bid", "trump", "called", "partner"].map(tapped).filter(Boolean).join(" ");
    const heading = () => document.querySelector("#says b");
    const tell = (head, ...rest) => {
      heading().textContent = head;
      heading().nextElementSibling.replaceChildren(...rest);
    };

    // When the page is up to date again, a tap that got no response is sent again.
    const main = form.closest("main");
    let isUnanswered = false;
    main.addEventListener("htmx:after:request", ({ target, detail }) => {
      if (detail.ctx.response.status >= 400) return;
      if (isUnanswered && target !== form) form.dispatchEvent(new Event("change"));
      isUnanswered = false;
    });
    form.addEventListener("htmx:error", ({ detail }) => {
      if (detail.ctx?.response) return;
      isUnanswered = true;
      setTimeout(() => dispatchEvent(new Event("online")), RETRY[0]); // the page looks again, unless it is hidden
      form.querySelector(".steps")?.remove(); // Undo needs the server
      const fold = form.querySelector(".call > .fold");
      if (fold && bid()) {
        for (const one of fold.querySelectorAll(".shut:not(.hint)")) one.remove();
        fold.firstElementChild.after(make("span", bid(), { className: "shut" }));
      }
      const hasPage = form.action.endsWith(next) && navigator.serviceWorker?.controller;
      const isBySeat = hasPage && form.querySelector("#ask-auction");
      const text = isBySeat ? "Enter this hand anyway" : hasPage && form.querySelector("#piles, #trick") && "Enter it by points";
      // The offline page takes over what was tapped here (static/offline-hand.js).
      const onclick = () => (sessionStorage[next] = JSON.stringify([...new FormData(form)]));
      tell(isBySeat ? "No signal." : NO_SIGNAL, ...(text ? [make("a", text, { href: next, onclick })] : []));
    });

    // --- saving ---

    const itemOf = (fields) => {
      const value = (name) => field({ fields }, name);
      const said = heading()?.textContent ?? "", says = said === NO_SIGNAL ? bid() : said;
      const action = new URL(form.action).pathname;
      return { token: value("token"), base, action, number, position: Number(value("position")), fields, says };
    };

    // Submit as without scripts: the server's page explains.
    const submit = (button) => {
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "do", value: button.value }));
      form.submit();
    };

    const keepAndSend = async (item, csrf) => {
      await keep(item);
      const all = await ofGame(base), [first, ...behind] = all;
      if (first.token !== item.token) return {}; // behind others
      const came = await post(item, SHORT, csrf);
      came.isShown = came.saved && showNext(came);
      if (came.game) await seen(came.game);
      if (came.saved) await done(first, came);
      else if (came.status && behind.length) await put({ ...first, state: "ask", why: whyAsked(first, came.game) });
      else if (came.status === 404) await put({ ...item, state: "refused" }); // its page keeps nothing of the form
      else if (came.status) await remove(item.token);
      return came;
    };

    const save = async (button) => {
      // Like FormData(form, button), which older browsers do not support.
      const fields = [...new FormData(form), [button.name, button.value]].filter(([key]) => key !== "csrf_token");
      const item = itemOf(fields.map(([key, value]) => [key, String(value)]));
      let came;
      try {
        came = await keepAndSend(item, form.elements.csrf_token.value);
      } catch {
        return submit(button); // no storage in this browser
      }
      if (came.isShown) start();
      else if (came.saved) location.assign(came.next);
      else if (came.status) submit(button);
      else {
        const saves = button.value === "save", lacks = saves ? ["bidder", "bid", "trump"].filter(lack) : [];
        // Asks once about a hand without a point or card points, as the server does.
        const isPlain = ([name, value]) => !(value && /^(point-|count-|warned)/.test(name));
        const asks = saves && fields.every(isPlain) && !form.querySelector("#piles, #trick");
        await (lacks.length || asks ? remove(item.token) : put(item));
        if (lacks.length) tell(`No signal. Tap the ${lacks.join(" and the ")} first.`);
        else if (asks) {
          form.append(make("input", "", { type: "hidden", name: "warned", value: "untouched" }));
          const bidders = form.querySelector(".u-A, [name=partner]:checked:not([value=none])") ? "bidders" : "bidder";
          const question = form.querySelector("#ask-bidder, #ask-auction") ? `Did the ${bidders} take every point` : "Is every point as shown";
          tell(heading().textContent, `${question}? Then tap Save again.`);
          rest(button);
        } else if (navigator.serviceWorker?.controller) location.assign(next);
        else retry(); // no offline page without a worker: lock this one
        busy = false;
        button.removeAttribute("aria-busy");
      }
    };

    // While hands of this game are queued, the next is entered on the offline page; saving again here would replace a
    // queued one.
    const says = make("p", "", { className: "sheet", role: "status", hidden: true });
    form.before(says);
    lock = (items) => {
      let [first] = items.filter((item) => item.base === base);
      if (first?.state === "ask" && first.token === form.elements.token.value) first = null; // this page asks about it
      main.classList.toggle("locked", Boolean(first));
      isLocked ||= Boolean(first);
      says.hidden = !first;
      says.textContent = first?.state === "wait" ? SAFE : `Finish hand ${first?.position} first.`;
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

  // Replaces this page by the next hand's, which came with "saved" and has the same address. False without one, or
  // after a server update: then it must be loaded.
  const showNext = ({ next, page }) => {
    const made = page && new DOMParser().parseFromString(page, "text/html");
    const tags = "[data-later], script[defer], [rel=stylesheet]";
    const filesOf = (head) => [...head.querySelectorAll(tags)].map(({ src, href, dataset }) => dataset.later ?? src ?? href);
    const files = filesOf(document.head);
    if (!made || root.dataset.kept || !filesOf(made.head).every((file) => files.includes(file))) return false;
    history.replaceState(null, "", next);
    for (const one of document.querySelectorAll(".htmx-request")) one.dispatchEvent(new Event("htmx:abort"));
    document.title = made.title;
    const main = made.querySelector("main"), heading = main.querySelector("h1");
    document.querySelector("main").replaceWith(main);
    scrollTo(0, 0);
    heading.setAttribute("aria-describedby", "saved");
    heading.focus({ preventScroll: true }); // screen readers start here, with what was saved
    window.htmx?.process(main);
    document.dispatchEvent(new Event("next-hand"));
    isPredicting = false;
    keepThisPage();
    return true;
  };

  const back = document.querySelector("[data-unseen] #back");
  if (back) Object.assign(back, { hidden: history.length < 2, onclick: () => history.back() });
  // What opens below the fold is scrolled into view, as far as it fits.
  document.addEventListener("click", ({ target }) => {
    const box = target.closest(".more > summary")?.parentNode;
    if (box) setTimeout(() => box.scrollIntoView({ block: "nearest" }));
  });

  keepThisPage();
  window.waiting = { all, ofGame, withWaiting, put, remove, send, newToken };
  start().then(() => setTimeout(renew, RETRY[0]));
})();
