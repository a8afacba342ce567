// The first script of every page. A browser that is older than docs/browsers.md allows gets the pages as they are without
// a script, which can do it all, and a sentence: half a script would stop in the middle of a save. Every other one gets
// htmx from its CDN, or from here when the CDN fails or has not answered within a second. Written so that any browser can
// read it.
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
    said.textContent = "This browser is old, so pages change only when you press a button. Everything can be done that way.";
    main.insertBefore(said, main.firstChild);
  }

  function fromHere() {
    if (fallenBack || window.htmx) return;
    fallenBack = true;
    // A script that has left its document never runs: htmx must not start twice.
    if (script) document.implementation.createHTMLDocument("").adoptNode(script);
    add("script", { src: data.local });
  }

  function fromCdn() {
    var about = { integrity: data.integrity, crossOrigin: "anonymous", onerror: fromHere, src: data.cdn };
    if (!fallenBack) script = add("script", about);
  }

  // What was tapped or typed is said again when htmx is there, or when the signal is back: a number that is chosen already
  // changes no more, however often it is tapped. The hand page without a signal is offline.js's.
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
    waits = last && by.contains(last.target); // what a button asks is asked again when it is tapped again
    if (says) says.textContent = waits ? "No signal. This page tries again by itself." : "No signal. Tap again.";
    if (!waits) return;
    missed = [last];
    setTimeout(again, 3000);
  });
  window.addEventListener("online", again);

  // What a page can do without until it is there holds up nothing else of it.
  window.addEventListener("load", function () {
    var later = document.querySelector("[data-later]");
    if (later) Object.assign(add("script", { src: later.dataset.later }).dataset, later.dataset);
  });

  if (!window.AbortSignal || !AbortSignal.timeout) { // the newest thing that our scripts cannot do without
    var policy = document.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = "script-src 'none'"; // for those that come after this one
    document.head.appendChild(policy);
    document.addEventListener("DOMContentLoaded", sayOld);
  } else if (data.cdn) {
    // It is preloaded first, then run: a script tag would hold up the page's load event for as long as the CDN hangs.
    var preload = { rel: "preload", as: "script", integrity: data.integrity, crossOrigin: "anonymous" };
    add("link", Object.assign(preload, { onload: fromCdn, onerror: fromHere, href: data.cdn }));
    setTimeout(fromHere, 1000);
  }
})();
