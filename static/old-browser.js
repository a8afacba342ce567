// The first script of every page, in words that any browser knows: one that is older than docs/browsers.md allows gets the
// pages as they are without a script, which can do it all, and a sentence. Half a script would stop in the middle of a save.
(function () {
  if (window.AbortSignal && AbortSignal.timeout) return; // the newest thing that our scripts cannot do without
  var policy = document.createElement("meta"), i;
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "script-src 'none'"; // for those that come after this one
  document.head.appendChild(policy);
  document.addEventListener("DOMContentLoaded", function () {
    var kept = document.querySelectorAll("noscript"), main = document.querySelector("main"), said = document.createElement("p");
    for (i = 0; i < kept.length; i++) kept[i].insertAdjacentHTML("beforebegin", kept[i].textContent);
    said.className = "flash";
    said.id = "old-browser";
    said.textContent = "This browser is old, so pages change only when you press a button. Everything can be done that way.";
    main.insertBefore(said, main.firstChild);
  });
})();
