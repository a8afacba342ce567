// The first script of every page. Browsers older than docs/browsers.md allows get a notice and no other scripts: pages
// are complete without, and partial scripts could break a save. All others load htmx from its CDN, or from here if the
// CDN fails or takes longer than a second. Written in a syntax every browser can parse.
(function () {
  var data = document.currentScript.dataset, fallenBack = false, script;

  function add(tag, attributes) {
    return document.head.appendChild(Object.assign(document.createElement(tag), attributes));
  }

  function sayOld() {
    var kept = document.querySelectorAll("noscript"), main = document.querySelector("main"), said = document.createElement("p"), i;
    for (i = 0; i < kept.length; i++) kept[i].insertAdjacentHTML("beforebegin", kept[i].textContent);
    said.className = "flash";
    said.id = "old-browser";
    said.textContent = "This browser is old. Press a button to see each change. Everything works that way.";
    main.insertBefore(said, main.firstChild);
  }

  function fromHere() {
    if (fallenBack || window.htmx) return;
    fallenBack = true;
    // A script removed from its document never runs: htmx must not start twice.
    if (script) document.implementation.createHTMLDocument("").adoptNode(script);
    add("script", { src: data.local });
  }

  function fromCdn() {
    var about = { integrity: data.integrity, crossOrigin: "anonymous", onerror: fromHere, src: data.cdn };
    if (!fallenBack) script = add("script", about);
  }

  // Repeats the last tap or input when htmx has loaded or the signal is back; repeating a chosen value changes nothing
  // more. offline.js handles this for hand entry without a signal.
  var missed = [], isThere = false, last;

  function note(event) {
    last = event;
    if (!isThere) missed.push(event);
  }

  function again() {
    var said = missed;
    missed = [];
    said.forEach(function (event) {
      var control = event.target;
      if (control.type !== "radio" || control.checked) control.dispatchEvent(new Event(event.type, { bubbles: true }));
    });
  }

  document.addEventListener("change", note, true);
  document.addEventListener("input", note, true);
  document.addEventListener("htmx:after:process", function () {
    isThere = true;
    again();
  }, { once: true });
  document.addEventListener("htmx:error", function (event) {
    var asked = event.detail.ctx, by = event.target, says = document.getElementById("says"), waits;
    if (!asked || asked.response || by.closest("#hand") || by.matches("[data-live]")) return;
    waits = last && by.contains(last.target); // a button's request is repeated by tapping it again
    if (says) says.textContent = waits ? "No signal. This page tries again by itself." : "No signal. Tap again.";
    if (!waits) return;
    missed = [last];
    setTimeout(again, 3000);
  });
  window.addEventListener("online", again);

  // Loads scripts the page can do without after everything else.
  window.addEventListener("load", function () {
    var later = document.querySelector("[data-later]");
    if (later) Object.assign(add("script", { src: later.dataset.later }).dataset, later.dataset);
  });

  if (!window.AbortSignal || !AbortSignal.timeout) { // the newest feature that our scripts require
    var policy = document.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = "script-src 'none'"; // applies to later scripts
    document.head.appendChild(policy);
    document.addEventListener("DOMContentLoaded", sayOld);
  } else if (data.cdn) {
    // Preloaded, then run: a script element would delay the load event while the CDN hangs.
    var preload = { rel: "preload", as: "script", integrity: data.integrity, crossOrigin: "anonymous" };
    add("link", Object.assign(preload, { onload: fromCdn, onerror: fromHere, href: data.cdn }));
    setTimeout(fromHere, 1000);
  }
})();
