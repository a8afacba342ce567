// Hand entry by points, on the page with a signal and on the one without: what its form holds, and how what settle.js
// makes of that is shown.
const taps = (() => {
  const fieldsOf = (form) => [...new FormData(form)].filter(([key, value]) => value && key !== "unfold");

  // The sentence beside Save, in the two parts of it; false where something else is said there.
  const say = (parts) => {
    const shown = document.getElementById("says").querySelectorAll("b, b + span");
    parts.forEach((text, place) => shown[place] && shown[place].textContent !== text && (shown[place].textContent = text));
    return shown.length === parts.length;
  };

  // Who has the point of a row unless another is tapped.
  const showUsual = (row, usual) => {
    for (const label of row.querySelectorAll(".seg label")) label.classList.toggle("usual", label.firstElementChild.value === usual);
  };

  // The page of a next hand with a signal: what a tap comes to is shown at once, where this phone can be certain of it.
  // The server's answer then takes its place. What was said goes along with the question: the server counts where it
  // says something else.
  const foretell = (form, rules, game) => {
    let said = "";
    // Nobody has changed the game since, as far as this page knows, and no hand of it waits here.
    const isUpToDate = () =>
      document.querySelector("[data-live]").dataset.tag.startsWith(`${game.version}.`) &&
      !document.getElementById("away").textContent &&
      !form.closest(".locked");

    // Both before htmx asks the server, which it does of what is being typed, too.
    form.addEventListener("input", () => { said = ""; }, true);
    form.addEventListener("change", () => {
      const told = isUpToDate() && settle.foretell(rules, game, { fields: fieldsOf(form), action: form.action });
      if (!told || !say(told.says)) return;
      for (const { key } of rules.table.points) showUsual(document.getElementById(`row-${key}`), told.usual);
      said = `${game.shape}.${game.version} ${encodeURIComponent(told.says.join(" ").trim())}`;
    }, true);
    form.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
      if (said && ctx.sourceElement === form) ctx.request.headers["X-Said"] = said;
    });
  };

  return { fieldsOf, say, showUsual, foretell };
})();
