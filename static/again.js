// Goes on by itself when the database is back: sends the form again, or loads the page again, while it is looked at.
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
