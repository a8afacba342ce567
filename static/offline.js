// On every page: brings the service worker, and keeps the hands that wait for a signal (IndexedDB) until they are saved.
//
// A hand waits under its form's token, which makes it one hand however often it is sent. Hands of one game go in one
// after the other; one that needs an answer, because another phone has changed the game, holds up those behind it.
(() => {
  const SHORT = 5000, LONG = 30000; // how long a save may take: while somebody looks at it, and behind their back
  const RETRY = [5000, 10000, 20000, 40000, 60000];
  const REST = 10000; // a page that is open for so long has all that it needs: then the rule book is taken along
  const { worker } = document.currentScript.dataset;
  const root = document.documentElement, offlineHand = document.getElementById("offline-game");
  const isFirst = !performance.getEntriesByType("navigation")[0]?.workerStart; // this page came without the worker
  // The worker has much to fetch when it is new: it comes when the page is there, and nothing of it waits any more.
  const loaded = new Promise((done) => {
    if (document.readyState === "complete") done();
    else addEventListener("load", done);
  });
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
  const seen = async (state) => ask("games", "put", { ...state, shape: (await game(state.base))?.shape });

  const put = async (item) => {
    const before = await ask("waiting", "get", item.token);
    const place = { at: before?.at ?? Date.now(), position: before?.position ?? item.position }; // as it was entered
    await ask("waiting", "put", { state: "wait", ...place, ...item, ...(before && place) });
    await show();
  };

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

  // What came of sending a hand once: { saved }, { status } of another answer, or nothing where there was none.
  const post = async (item, patience, csrf) => {
    const signal = AbortSignal.timeout(patience);
    try {
      const body = new URLSearchParams([...item.fields, ["csrf_token", csrf ?? (await token(signal))]]);
      const headers = { "X-Waiting": csrf ? "now" : "later" };
      const answer = await fetch(item.action, { method: "POST", body, headers, signal, redirect: "manual" });
      if (!answer.headers.get("X-Kept-For")) return {}; // a hotel's login page: not our server
      return answer.headers.get("Content-Type") === "application/json" ? await answer.json() : { status: answer.status };
    } catch {
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
    if (saved) {
      await seen(state);
      await done(item, { position });
    } else if ([401, 403, 404, 410].includes(status)) await ask("waiting", "put", { ...item, state: "refused" });
    else if (status >= 400 && status < 500 && ![408, 429].includes(status)) await ask("waiting", "put", { ...item, state: "ask" });
    else return false; // no signal, or a server in trouble: later
    return saved ? item.base : true;
  };

  const sendAll = async () => {
    const blocked = new Set(), changed = new Set();
    for (let items = await all(), next; (next = items.find((item) => !blocked.has(item.base))); items = await all()) {
      const came = next.state === "wait" && (await sendOne(next));
      if (next.state === "wait" && !came) break;
      if (typeof came === "string") changed.add(came);
      else blocked.add(next.base);
    }
    return changed;
  };

  let sending, timer, tries = 0;
  const send = () =>
    (sending ??= (async () => {
      try {
        if (!(await all()).some((item) => item.state === "wait")) return;
        const locks = navigator.locks;
        const changed = locks ? await locks.request("waiting", sendAll) : await sendAll();
        if (changed.size) dispatchEvent(new CustomEvent("hands-saved", { detail: changed }));
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

  const about = (quiet) => {
    const kept = root.dataset.kept;
    if (!kept || document.querySelector("[data-unseen]")) return "";
    const signal = navigator.onLine ? "Slow signal." : "No signal.";
    if (offlineHand) return quiet.length ? signal : `${signal} Hands wait on this phone.`;
    return `${signal} This page is from ${since(new Date(kept))}.`;
  };

  const waitingSentence = (items) =>
    items.length === 1
      ? "1 hand waiting. It is saved when the signal is back."
      : `${items.length} hands waiting. They are saved when the signal is back.`;

  const WHY = {
    ask: "needs your answer: the game has changed, or something is missing.",
    refused: "can’t be saved: this phone can’t score that game now. Ask for a link to score, then try again.",
  };

  // The form of a hand that needs an answer, sent as a page: the server then asks, as it asks two phones.
  const answer = async (item) => {
    const fields = [...item.fields, ["csrf_token", await token()]];
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
    said.textContent = `${where(item)} ${WHY[item.state]}`;
    if (item.state === "ask") said.append(make("button", "Answer", { className: "button", onclick: () => answer(item) }));
    else said.append(make("button", "Try again", { className: "quiet", onclick: () => again(item) }));
    said.append(make("button", "Remove", { className: "quiet", onclick: () => discard(item) }));
    return said;
  };

  const again = async (item) => {
    await put({ ...item, state: "wait" });
    send();
  };

  const discard = (item) => confirm(`Remove hand ${item.position}? It is on this phone only.`) && remove(item.token);

  let bar;
  const show = async () => {
    const items = await all();
    dispatchEvent(new CustomEvent("hands-waiting", { detail: items }));
    const quiet = items.filter((item) => item.state === "wait"), loud = items.filter((item) => item.state !== "wait");
    const says = [about(quiet), quiet.length ? waitingSentence(quiet) : ""].filter(Boolean);
    if (!bar && !says.length && !loud.length) return;
    if (!bar) document.body.prepend((bar = make("aside", "", { id: "waiting", className: "waiting" })));
    const opened = bar.querySelector("details")?.open;
    bar.replaceChildren();
    bar.ariaLabel = "Hands on this phone";
    bar.hidden = !says.length && !loud.length;
    if (says.length) bar.append(make("p", says.join(" "), { role: "status" }));
    if (loud.length) bar.append(make("ul", "", { className: "list" }));
    bar.querySelector("ul")?.append(...loud.map((item) => line(item)));
    if (quiet.some((item) => item.says)) bar.append(details(quiet, opened));
  };

  const details = (items, open) => {
    const more = make("details", "", { className: "show", open });
    const list = make("ul", "", { className: "list" });
    const isLast = (item, place) => !items.slice(place + 1).some(({ base }) => base === item.base);
    list.append(...items.map((item, place) => line(item, isLast(item, place))));
    more.append(make("summary", items.length === 1 ? "The hand" : "The hands"), list);
    return more;
  };

  // --- when ---

  // A page fetched for the worker to keep: the server's answer, if it was ours.
  const fetched = async (path, more = {}) => {
    const answer = await fetch(path, { headers: { "X-Keep": "1" }, priority: "low", ...more }).catch(() => {});
    return answer?.headers.get("X-Kept-For") ? answer : undefined;
  };

  // Waits until the worker sees what this page fetches, and tells it what belongs to the page: its game with the rules,
  // its club, and on a phone's first visit the page itself. The rule book comes when there is time for it.
  const worked = async () => {
    const workers = navigator.serviceWorker;
    if (!worker || !workers) return new Promise(() => {});
    const { pathname } = location, [club, game] = pathname.match(/^(\/c\/[^/]+\/)(games\/\d+\/)?/)?.slice(1) ?? [];
    const ofGame = game ? ["", "rules", "rules/ask"].map((end) => club + game + end) : [];
    const ours = ["/", club, ...ofGame, isFirst && pathname].filter(Boolean);
    const tell = async () => (await workers.ready).active.postMessage(ours);
    const controls = new Promise((resolve) => {
      workers.addEventListener("controllerchange", () => resolve(tell())); // also after an update
      if (workers.controller) resolve();
    });
    await tell(); // a worker that became ready while this page was on its way takes the page over with that
    if (!navigator.connection?.saveData) setTimeout(async () => (await workers.ready).active.postMessage("rules"), REST);
    await controls;
  };

  // A game's page tells how the game is; its hand entry for when there is no signal is fetched once, and after a change.
  const learn = async () => {
    const told = document.getElementById("game-now");
    if (root.dataset.kept) return;
    const state = told && JSON.parse(told.textContent), shape = state && (await game(state.base))?.shape;
    if (state) await ask("games", "put", { ...state, shape });
    await worked();
    const isKept = state && shape === state.shape && (await caches.match(state.page));
    if (state && !isKept && (await fetched(state.page))?.ok) await ask("games", "put", state);
  };

  const start = async () => {
    try {
      await show();
      await send();
      await learn();
    } catch {
      // This browser keeps nothing: everything else works as without a script.
    }
  };

  // A page that came after the hand was saved, when only the answer was lost, shows it already.
  addEventListener("hands-saved", async ({ detail }) => {
    const told = document.getElementById("game-now"), { base = "", version } = told ? JSON.parse(told.textContent) : {};
    const isBehind = detail.has(base) && (await game(base)).version !== version;
    const busy = document.querySelector("#hand :is([name=bidder], [name=bid], [name=trump]):checked");
    if (isBehind && !busy) location.reload();
    else if (!offlineHand) renew(); // that page goes on by itself
  });

  // A page as it was seen last becomes the server's as soon as that has it within the time that a page may take, unless
  // somebody is at it: whoever types or asks something keeps what is there.
  let touched = false, renewal, renewals = 0;
  const touch = ({ target }) => (touched ||= Boolean(target.closest?.("main :is(button, input, label, select, textarea)")));
  for (const kind of ["click", "focusin", "input"]) addEventListener(kind, touch);
  const renew = async () => {
    clearTimeout(renewal);
    if (!root.dataset.kept || touched || document.hidden) return;
    const here = location.pathname + location.search;
    const isBack = navigator.onLine && (await fetched(here, { signal: AbortSignal.timeout(SHORT) }));
    if (isBack && !touched && !(offlineHand && (await all()).length)) location.reload();
    else renewal = setTimeout(renew, RETRY[Math.min(renewals++, RETRY.length - 1)]);
  };

  // The signal may be back: tried at once, after a try that was under way without it.
  const wake = async () => {
    tries = renewals = 0;
    await sending;
    await send();
    await renew();
  };
  addEventListener("online", wake);
  for (const kind of ["online", "offline"]) addEventListener(kind, () => show().catch(() => {})); // it says which
  addEventListener("pageshow", ({ persisted }) => persisted && wake());
  document.addEventListener("visibilitychange", () => document.hidden || wake());

  // --- saving a hand with a bad signal ---

  // The hand is kept on this phone before it is sent, and waits there where no answer comes within 5 seconds. Whatever
  // else the server answers is its page, as without this script.
  const keepSaves = (form, { base, number }) => {
    const SAVES = ["save", "passed"];
    const next = `${base}hands/new`;
    let busy = false;

    // --- a tap that got no answer: the page still shows the bid, and says what Save does ---

    const NO_SIGNAL = "No signal. Save keeps this hand on this phone.";
    const tapped = (part) => {
      const label = form.querySelector(`#ask-${part} :checked`)?.closest("label");
      return label?.querySelector("span:not(.vh)")?.textContent.trim() ?? "";
    };
    const bid = () => [tapped("bidder"), tapped("bid"), tapped("trump")].filter(Boolean).join(" ");
    const heading = () => document.querySelector("#says b");

    form.addEventListener("htmx:error", ({ detail }) => {
      if (detail.ctx?.response) return;
      const shut = form.querySelector(".call > .fold .shut");
      if (shut && bid()) shut.textContent = bid();
      heading().textContent = NO_SIGNAL;
      heading().nextElementSibling.textContent = "";
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
      await put(item);
      const all = await ofGame(base), [first, ...behind] = all;
      if (first.token !== item.token) return {}; // behind the others
      const came = await post(item, SHORT, csrf);
      if (came.saved) await done(first, came);
      else if (came.status && behind.length) await put({ ...first, state: "ask" });
      else if (came.status) await remove(item.token);
      return came;
    };

    const save = async (button) => {
      const fields = [...new FormData(form, button)].filter(([key]) => key !== "csrf_token");
      const item = itemOf(fields.map(([key, value]) => [key, String(value)]));
      let came;
      try {
        came = await keepAndSend(item, form.elements.csrf_token.value);
      } catch {
        return submit(button); // this browser keeps nothing
      }
      if (came.saved) location.assign(came.next);
      else if (came.status) submit(button);
      else if (navigator.serviceWorker?.controller) location.assign(next);
      else later(item); // without a worker there is no other page to go to
    };

    const later = ({ token }) => {
      busy = false;
      addEventListener("hands-saved", async () => (await ofGame(base)).some((item) => item.token === token) || location.assign(next));
      retry();
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

  const hand = document.getElementById("hand"), now = document.getElementById("game-now");
  if (hand && now) keepSaves(hand, JSON.parse(now.textContent));
  window.waiting = { all, ofGame, game, put, remove, send, newToken };
  start().then(() => setTimeout(renew, RETRY[0]));
})();
