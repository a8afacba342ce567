// Says so when this device trusts the server: asked again whenever somebody comes back from the settings.
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
