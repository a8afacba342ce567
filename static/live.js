// At the table: keeps the screen awake while the page is visible, and vibrates once when a hand was saved.
(() => {
  let lock = null;
  const isAtTable = "awake" in document.currentScript.dataset;

  const stayAwake = async () => {
    if (document.hidden || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      // Low battery or no permission: retried at the next tap.
    }
  };

  if (isAtTable && navigator.wakeLock) {
    // Browsers release the lock when the page is hidden.
    document.addEventListener("visibilitychange", stayAwake);
    document.addEventListener("pointerdown", stayAwake);
    stayAwake();
  }

  const buzz = () => document.querySelector("main[data-saved]") &&
    !matchMedia("(prefers-reduced-motion: reduce)").matches && navigator.vibrate?.(30); // matchMedia forces a layout
  buzz();
  document.addEventListener("next-hand", buzz);
})();

// After a refused save, what is missing may lie behind the bar.
document.querySelector("[data-refused] .wrong")?.scrollIntoView({ block: "center" });

// Elements that have moved ignore taps briefly: a double tap, or a finger on its way, would hit the wrong one. Keys and
// screen readers are not affected.
const rest = (one) => one.animate({ pointerEvents: ["none", "none"] }, 450); // milliseconds; as in app.css for new pages

(() => {
  const NEAR = 6; // pixels
  let main = document.querySelector("main.hand-page");
  if (!main) return;
  let before;

  // A button with another label, such as Save as is, counts as another one; Save that asks less does not.
  const keyOf = (one) => (one.id || one.control?.id || one.textContent) + (one.name === "do" ? one.textContent : "");
  const find = () =>
    [...main.querySelectorAll("a, button, summary, label, .at")]
      .map((one) => [one, one.getBoundingClientRect()])
      .filter(([one, box]) => !(one.control ?? one).disabled && box.width);
  let scrolledFrom, scrolled; // scroll position then; scrolled since by hand
  let isByHand; // since the last touch; otherwise the browser scrolls, as to what a tap unfolded
  const remember = (found = find()) => {
    before = new Map(found.map(([one, box]) => [keyOf(one), box]));
    [scrolledFrom, scrolled] = [scrollY, 0];
    return found;
  };
  const placeBefore = (one) => before.get(keyOf(one)) ?? before.get(`${keyOf(one)} as is`);
  // True if an element is within its former place: a tap there was meant for it.
  const isInPlace = ({ x, y, right, bottom }, was, by) =>
    was && x > was.x - NEAR && y + by > was.y - NEAR &&
    ((x < was.x + NEAR && y + by < was.y + NEAR) || (right < was.right + NEAR && bottom + by < was.bottom + NEAR));
  let isDue = false; // a change to be checked after the frame that shows it, which must not be delayed
  const check = () => {
    if (!isDue) return;
    isDue = false;
    const found = find();
    for (const [one, box] of found)
      if (![0, scrolled].some((by) => isInPlace(box, placeBefore(one), by))) rest(one);
    remember(found);
  };
  const checkLater = () => {
    if (!isDue) requestAnimationFrame(() => setTimeout(check));
    isDue = true;
  };

  const observer = new MutationObserver(checkLater);
  const begin = () => {
    main = document.querySelector("main");
    observer.disconnect();
    observer.observe(main, { attributes: true, childList: true, subtree: true });
    remember();
  };

  begin();
  document.addEventListener("next-hand", begin);
  document.addEventListener("pointerdown", ({ clientX, clientY }) => {
    check(); // a tap may precede the frame
    isByHand = false;
    for (const [one, { x, y, right, bottom }] of remember()) // one that ignores this tap shows it
      if (x < clientX && clientX < right && y < clientY && clientY < bottom && getComputedStyle(one).pointerEvents === "none")
        one.animate({ opacity: [0.2, 1] }, 450);
  }, true);
  document.addEventListener("toggle", ({ target }) => {
    if (!target.matches(".hand-page .show[open]")) return;
    checkLater();
    target.querySelector("input, button").scrollIntoView({ block: "nearest" }); // out from behind the bar
  }, true);
  for (const kind of ["touchmove", "wheel"]) document.addEventListener(kind, () => { isByHand = true; });
  document.addEventListener("scroll", () => { if (isByHand || !isDue) scrolled = scrollY - scrolledFrom; });
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[type=checkbox], .at *")) rest(target.closest("label, .at")); // a second tap would undo the first
    checkLater(); // the stylesheet may fold parts
  });
  // By keyboard, the bid is folded when the focus leaves it.
  document.addEventListener("focusin", ({ target }) => document.body.classList.toggle("keys", target.matches(".part :focus-visible")));
})();

// Keeps a page up to date: a stream signals changes; without one, the server is polled every few seconds. In both cases
// the changing part is requested by itself (see templates/macros/live.html). Nothing is requested, and no stream is
// open, while the page is hidden; it catches up when visible.
(() => {
  const TURN = 3000; // milliseconds
  const SILENT = 40000; // a live stream sends something every 15 seconds
  const LATER = 60000; // until the stream is requested again after a refusal
  const MINUTE = 60000;
  const GONE = [403, 404, 410];

  const part = () => document.querySelector("[data-live]");
  if (!part()) return; // the offline page
  let stream = null;
  let isOpen = false;
  let heard = 0;
  let retryAt = 0;
  let seen = part().dataset.tag; // tag of the last request
  let current = Date.now(); // when the page was last known to be up to date
  let missed = 0;
  let asking = false;
  let again = false;

  const ago = (time) => (time < 60 * MINUTE ? `${Math.floor(time / MINUTE)} min` : `${Math.floor(time / MINUTE / 60)} h`);
  const say = (text) => {
    const away = document.getElementById("away");
    if (away.textContent !== text) away.textContent = text;
  };
  const tell = () => {
    const behind = Date.now() - current;
    // A single failed request is ignored: the next follows in three seconds.
    if (missed && behind >= MINUTE) say(`last update ${ago(behind)} ago`);
    else if (missed > 1) say("no connection");
  };
  const succeed = () => {
    current = Date.now();
    missed = 0;
    say("");
  };
  const fail = () => {
    missed += 1;
    tell();
  };

  // Changes this phone is saving are not news; the response contains the next page.
  const isSaving = () => document.querySelector("#hand [aria-busy]");
  const look = () => {
    if (document.hidden || isSaving()) return;
    if (asking) again = true;
    else part().dispatchEvent(new Event("look"));
  };

  const onMessage = ({ data }) => {
    const [tag, spread] = data.split(" ");
    heard = Date.now();
    if (isSaving()) return;
    if (tag === seen && !missed) return succeed();
    seen = tag;
    setTimeout(look, Math.random() * (spread || 0)); // spreads the requests of many pages
  };
  const disconnect = () => {
    stream?.close();
    stream = null;
    isOpen = false;
  };
  const connect = () => {
    if (stream || document.hidden || !window.EventSource || Date.now() < retryAt) return;
    stream = new EventSource(part().dataset.live);
    stream.onopen = () => {
      isOpen = true;
      heard = Date.now();
    };
    stream.onmessage = onMessage;
    stream.onerror = () => {
      isOpen = false;
      if (stream.readyState !== EventSource.CLOSED) return; // it reconnects by itself
      disconnect();
      retryAt = Date.now() + LATER;
    };
  };

  const turn = () => {
    if (document.hidden) return;
    if (isOpen && Date.now() - heard > SILENT) disconnect();
    if (!isOpen) look();
    connect();
    tell();
  };
  const catchUp = () => {
    if (document.hidden) return disconnect();
    connect();
    look();
  };

  // When another phone has saved or undone a hand, an untouched page goes on to the next hand.
  const version = () => part().dataset.tag.split(".")[0];
  let main = document.querySelector("main"), shown = version();
  const goOn = () => {
    if (document.getElementById("news")?.textContent) document.querySelector(".flash")?.remove(); // now obsolete
    const way = document.getElementById("way-on");
    if (way && "untouched" in main.dataset) return location.replace(way.href);
    const before = shown;
    shown = version();
    if (!before || before === shown) return; // error pages have none
    document.getElementById("hand")?.dispatchEvent(new Event("change")); // updates the sentence beside Save
  };

  const forPart = (act) => (event) => event.target === part() && act(event.detail);
  document.addEventListener("htmx:before:request", forPart(() => { asking = true; }));
  document.addEventListener("htmx:finally:request", forPart(() => {
    asking = false;
    if (again) queueMicrotask(look); // htmx ignores requests until it has finished this one
    again = false;
  }));
  document.addEventListener("htmx:after:request", forPart(({ ctx }) => {
    const { status } = ctx.response;
    if (status < 400) return succeed();
    fail();
    if (GONE.includes(status)) say("reload this page");
  }));
  document.addEventListener("htmx:after:swap", goOn);
  const stay = () => delete main.dataset.untouched;
  // What shows another part of the page enters nothing.
  const enter = ({ target }) => target.closest("[name]:not([name=detail], [name=by_seat], [name=unfold])") && stay();
  for (const touch of ["click", "input"]) document.addEventListener(touch, enter);
  const stayOnLeaving = () => "untouched" in main.dataset && addEventListener("beforeunload", stay); // by address or Back
  stayOnLeaving();
  // This phone has saved a hand and shows the next one: pending responses are ignored.
  document.addEventListener("next-hand", () => {
    main = document.querySelector("main");
    [shown, seen, asking, again] = [version(), part().dataset.tag, false, false];
    stayOnLeaving();
    succeed();
  });
  document.addEventListener("htmx:error", forPart(fail));
  document.addEventListener("visibilitychange", catchUp);
  window.addEventListener("pagehide", () => {
    disconnect();
    again = false;
    // Requests pending when the page is left have not failed: abort them.
    document.querySelectorAll(".htmx-request").forEach((one) => one.dispatchEvent(new Event("htmx:abort")));
  });
  window.addEventListener("pageshow", ({ persisted }) => persisted && catchUp());
  window.addEventListener("online", catchUp);
  window.addEventListener("offline", () => { // a stream may look open for long
    disconnect();
    look();
  });
  setInterval(turn, TURN);
  connect();
})();
