// Reports when this device trusts the server; checked again whenever the page becomes visible.
(() => {
  const said = document.getElementById("trusted");
  if (!said) return;

  const ask = () => fetch(`${said.dataset.at}healthz`, { mode: "no-cors", cache: "no-store" }).then(() => {
    said.textContent = said.dataset.said;
    document.getElementById("open").classList.add("main");
  }, () => {
    // Not yet: the browser refuses the connection until the certificate is trusted.
  });

  document.addEventListener("visibilitychange", () => document.hidden || said.textContent || ask());
  ask();
})();
