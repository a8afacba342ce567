// Resends the form or reloads the page while it is visible, when what the page waits for may have come.
(() => {
  const { again, seconds } = document.currentScript.dataset;

  const go = () => {
    if (document.hidden) setTimeout(go, 1000);
    else if (again === "send") document.querySelector("form").submit();
    else location.reload();
  };

  document.getElementById("again")?.removeAttribute("hidden");
  setTimeout(go, seconds * 1000);
})();
