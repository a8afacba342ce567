// Retries when the database is back: resends the form or reloads the page, while the page is visible.
(() => {
  const { again, seconds } = document.querySelector("main").dataset;

  const go = () => {
    if (document.hidden) setTimeout(go, 1000);
    else if (again === "send") document.querySelector("form").submit();
    else location.reload();
  };

  document.getElementById("again").hidden = false;
  setTimeout(go, seconds * 1000);
})();
