// At the table: keeps the screen awake while the page is looked at, and buzzes once when a hand has just been saved.
(() => {
  let lock = null;
  const isAtTable = "awake" in document.currentScript.dataset;

  const stayAwake = async () => {
    if (document.hidden || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      // The battery is low, or somebody has forbidden it: asked again at the next tap.
    }
  };

  if (isAtTable && navigator.wakeLock) {
    // The browser takes the lock away whenever the page is hidden.
    document.addEventListener("visibilitychange", stayAwake);
    document.addEventListener("pointerdown", stayAwake);
    stayAwake();
  }

  const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches; // which makes the browser lay out the page
  const buzz = () => document.querySelector("main[data-saved]") && !isStill() && navigator.vibrate?.(30);
  buzz();
  document.addEventListener("next-hand", buzz);
})();

// What is unfolded on the page of a hand comes out from behind the bar.
document.addEventListener("toggle", ({ target }) => {
  if (target.matches(".hand-page .show[open]")) target.querySelector("input, button").scrollIntoView({ block: "nearest" });
}, true);

// What has moved takes no tap for a moment: a finger that taps twice, or was on its way, would hit something else.
// Keys and screen readers press what they name, wherever it is.
const rest = (one) => one.animate({ pointerEvents: ["none", "none"] }, 450); // milliseconds; app.css has it for new pages

(() => {
  const NEAR = 6; // pixels
  let main = document.querySelector("main.hand-page");
  if (!main) return;
  let before;

  // A button that has come to say something else, as Save as is, is another one; Save is no other where it asks less.
  const keyOf = (one) => (one.id || one.control?.id || one.textContent) + (one.name === "do" ? one.textContent : "");
  const find = () =>
    [...main.querySelectorAll("a, button, summary, label, .at")]
      .map((one) => [one, one.getBoundingClientRect()])
      .filter(([one, box]) => !(one.control ?? one).disabled && box.width);
  let scrolledFrom, scrolled; // where the page stood then, and how far it has been scrolled since with nothing else changed
  const remember = (found) => {
    before = new Map(found.map(([one, box]) => [keyOf(one), box]));
    [scrolledFrom, scrolled] = [scrollY, 0];
  };
  const placeBefore = (one) => before.get(keyOf(one)) ?? before.get(`${keyOf(one)} as is`);
  // A thing that fills less of the place that it had is under no finger that meant another.
  const isInPlace = ({ x, y, right, bottom }, was, by) =>
    was && x > was.x - NEAR && y + by > was.y - NEAR &&
    ((x < was.x + NEAR && y + by < was.y + NEAR) || (right < was.right + NEAR && bottom + by < was.bottom + NEAR));
  let isDue = false; // something has changed: to be checked behind the frame that shows it, which is not held up
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
    remember(find());
  };

  begin();
  document.addEventListener("next-hand", begin);
  document.addEventListener("pointerdown", () => {
    check(); // a finger is quicker than the frame
    remember(find());
  }, true);
  document.addEventListener("scroll", () => { if (!isDue) scrolled = scrollY - scrolledFrom; });
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[type=checkbox], .at *")) rest(target.closest("label, .at")); // tapped again it would be taken back
    checkLater(); // what the stylesheet folds
  });
})();

// Keeps a page up to date: a stream says when something has changed, and where there is none it is asked every few
// seconds. Either way the part that changes asks for itself (see templates/macros/live.html). Nothing is asked, and no
// stream is open, while nobody looks at the page; it catches up when somebody does.
(() => {
  const TURN = 3000; // milliseconds
  const SILENT = 40000; // a stream says something every 15 seconds, or it is dead
  const LATER = 60000; // until a server that had no stream to give is asked for one again
  const MINUTE = 60000;
  const GONE = [403, 404, 410];

  const part = () => document.querySelector("[data-live]");
  if (!part()) return; // the page for no signal
  let stream = null;
  let isOpen = false;
  let heard = 0;
  let retryAt = 0;
  let seen = part().dataset.tag; // what the last question was about
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
    // One lost question is nothing: the next one comes in three seconds.
    if (missed && behind >= MINUTE) say(`last update ${ago(behind)} ago`);
    else if (missed > 1) say("no connection");
  };
  const hear = () => {
    current = Date.now();
    missed = 0;
    say("");
  };
  const miss = () => {
    missed += 1;
    tell();
  };

  // What this phone is saving is no news; the answer has the page that follows.
  const isSaving = () => document.querySelector("#hand [aria-busy]");
  const look = () => {
    if (document.hidden || isSaving()) return;
    if (asking) again = true;
    else part().dispatchEvent(new Event("look"));
  };

  const told = ({ data }) => {
    const [tag, spread] = data.split(" ");
    heard = Date.now();
    if (isSaving()) return;
    if (tag === seen && !missed) return hear();
    seen = tag;
    setTimeout(look, Math.random() * (spread || 0)); // of many pages not all ask at once
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
    stream.onmessage = told;
    stream.onerror = () => {
      isOpen = false;
      if (stream.readyState !== EventSource.CLOSED) return; // it tries again by itself
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

  // Where another phone has saved a hand, or undone one, its page goes on to the next, while nothing is tapped on it.
  const version = () => part().dataset.tag.split(".")[0];
  let main = document.querySelector("main"), shown = version();
  const goOn = () => {
    if (document.getElementById("news")?.textContent) document.querySelector(".flash")?.remove(); // of an older change
    const way = document.getElementById("way-on");
    if (way && "untouched" in main.dataset) return location.replace(way.href);
    const before = shown;
    shown = version();
    if (!before || before === shown) return; // a page that was refused has none
    document.getElementById("hand")?.dispatchEvent(new Event("change")); // what saving comes to is another sentence now
  };

  const mine = (act) => (event) => event.target === part() && act(event.detail);
  document.addEventListener("htmx:before:request", mine(() => { asking = true; }));
  document.addEventListener("htmx:finally:request", mine(() => {
    asking = false;
    if (again) queueMicrotask(look); // htmx drops what is asked before it is done with this question
    again = false;
  }));
  document.addEventListener("htmx:after:request", mine(({ ctx }) => {
    const { status } = ctx.response;
    if (status < 400) return hear();
    miss();
    if (GONE.includes(status)) say("reload this page");
  }));
  document.addEventListener("htmx:after:swap", goOn);
  const stay = () => main.removeAttribute("data-untouched");
  for (const touch of ["click", "input"]) document.addEventListener(touch, stay);
  const stayOnLeaving = () => "untouched" in main.dataset && addEventListener("beforeunload", stay); // by an address or Back
  stayOnLeaving();
  // This phone has saved a hand, and the page is that of the next one: what was asked before is not waited for.
  document.addEventListener("next-hand", () => {
    main = document.querySelector("main");
    [shown, seen, asking, again] = [version(), part().dataset.tag, false, false];
    stayOnLeaving();
    hear();
  });
  document.addEventListener("htmx:error", mine(miss));
  document.addEventListener("visibilitychange", catchUp);
  window.addEventListener("pagehide", () => {
    disconnect();
    again = false;
    // What is still asked when the page is left has not failed: nobody waits for the answer.
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
