// Hand entry by points, with or without a signal: the form's data, and the display of settle.js's results.
const taps = (() => {
  const fieldsOf = (form) => [...new FormData(form)].filter(([key, value]) => value && key !== "unfold");

  // Shows the two parts of the sentence beside Save; false if another sentence is there.
  const say = (parts) => {
    const shown = document.getElementById("says").querySelectorAll("b, b + span");
    parts.forEach((text, place) => shown[place] && shown[place].textContent !== text && (shown[place].textContent = text));
    return shown.length === parts.length;
  };

  // Marks the side that has a row's point by default.
  const showUsual = (row, usual) => {
    for (const label of row.querySelectorAll(".seg label")) label.classList.toggle("usual", label.firstElementChild.value === usual);
  };

  // With a signal, the page of a next hand shows the result of a tap at once if it is certain. The server's response
  // then replaces it. The prediction is sent along: the server counts those that were wrong.
  const predict = (form, rules, game) => {
    let told; // shown, and not yet answered
    // True if the game is unchanged as far as this page knows, and no hand of it is queued here.
    const isUpToDate = () =>
      document.querySelector("[data-live]").dataset.tag.startsWith(`${game.version}.`) && !form.closest(".locked");

    // Before htmx's own listeners, which also send while typing.
    form.addEventListener("input", () => { told = null; }, true);
    form.addEventListener("change", () => {
      const result = !form.querySelector("#ask-auction") && isUpToDate() && settle.predict(rules, game, { fields: fieldsOf(form), action: form.action });
      if (!result || !say(result.says)) return;
      for (const { key } of rules.table.points) showUsual(document.getElementById(`row-${key}`), result.usual);
      told = result.says;
    }, true);
    form.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
      if (!told || ctx.sourceElement !== form) return;
      ctx.request.headers["X-Said"] = `${game.shape}.${game.version} ${encodeURIComponent(told.join(" ").trim())}`;
      // Sending takes a phone half as long as the rest of a tap: the result is painted first.
      ctx.fetch = (...asked) => new Promise((go) => requestAnimationFrame(() => setTimeout(go))).then(() => fetch(...asked));
    });
    // Without a signal, offline.js has just put what Save does in place of the result.
    form.addEventListener("htmx:error", ({ detail: { ctx } }) => {
      if (told && ctx.sourceElement === form && !ctx.response) say([told[0], `${told[1]} ${document.querySelector("#says b").textContent}`]);
    });
  };

  return { fieldsOf, say, showUsual, predict };
})();
