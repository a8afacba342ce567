// Brings htmx from its CDN, or from here when the CDN fails or has not answered within a second.
// It is preloaded first, then run: a script tag would hold up the page's load event for as long as the CDN hangs.
(() => {
  const { cdn, integrity, local } = document.currentScript.dataset;
  let script;
  let fallenBack = false;

  const add = (tag, attributes) => document.head.appendChild(Object.assign(document.createElement(tag), attributes));
  const pinned = { integrity, crossOrigin: "anonymous" };

  const fromHere = () => {
    if (fallenBack || window.htmx) return;
    fallenBack = true;
    // A script that has left its document never runs: htmx must not start twice.
    if (script) document.implementation.createHTMLDocument("").adoptNode(script);
    add("script", { src: local });
  };

  const fromCdn = () => {
    if (!fallenBack) script = add("script", { ...pinned, onerror: fromHere, src: cdn });
  };

  add("link", { ...pinned, rel: "preload", as: "script", onload: fromCdn, onerror: fromHere, href: cdn });
  setTimeout(fromHere, 1000);
})();
