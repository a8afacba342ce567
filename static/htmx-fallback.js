// Takes htmx from here when the CDN has not brought it within a second.
(() => {
  if (window.htmx) return;
  const cdn = document.getElementById("htmx-cdn");
  const { local } = document.currentScript.dataset;
  let taken = false;

  const fallBack = () => {
    if (taken || window.htmx) return;
    taken = true;
    // A script that has left its document never runs: should the CDN answer
    // after all, htmx must not start a second time.
    document.implementation.createHTMLDocument("").adoptNode(cdn);
    const script = document.createElement("script");
    script.src = local;
    document.head.append(script);
  };

  cdn.addEventListener("error", fallBack);
  // It may have failed before this script ran; then its request is over.
  const over = performance.getEntriesByName(cdn.src).length > 0;
  setTimeout(fallBack, over ? 50 : Math.max(0, 1000 - performance.now()));
})();
