// Drag and drop of seats: with a mouse at once, with a finger after a short press. A drop taps both seats.
(() => {
  const PRESS = 250; // milliseconds
  const SHAKE = 8; // pixels a resting finger may move
  let drag = null;
  let swallows = false;

  const seatAt = (x, y) => document.elementFromPoint(x, y)?.closest("[data-seat]");

  const mark = (name, seat) => {
    document.querySelectorAll(`.round .${name}`).forEach((other) => other.classList.remove(name));
    seat?.classList.add(name);
  };

  const end = () => {
    clearTimeout(drag?.timer);
    drag = null;
    mark("lifted");
    mark("over");
  };

  const lift = () => {
    drag.ready = true;
    mark("lifted", drag.seat);
  };

  document.addEventListener("pointerdown", (event) => {
    const seat = event.target.closest("button.sitter")?.closest("[data-seat]");
    end();
    if (!seat || event.button) return;
    drag = { seat, x: event.clientX, y: event.clientY, ready: false, moved: false };
    if (event.pointerType === "mouse") drag.ready = true;
    else drag.timer = setTimeout(lift, PRESS);
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SHAKE) return;
    if (!drag.ready) return end(); // scrolling
    drag.moved = true;
    mark("lifted", drag.seat);
    const seat = seatAt(event.clientX, event.clientY);
    mark("over", seat === drag.seat ? null : seat);
  });

  // No scrolling while a seat is dragged.
  document.addEventListener("touchmove", (event) => drag?.ready && event.preventDefault(), { passive: false });
  document.addEventListener("pointercancel", end);

  document.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { seat, moved } = drag;
    const other = moved ? seatAt(event.clientX, event.clientY) : null;
    end();
    if (!moved) return;
    if (other && other !== seat) {
      document.querySelector("[name=held]").value = "";
      keep("move", seat.dataset.seat);
      other.querySelector("[name=move]").click();
    }
    swallows = true; // the click that ends the drag is no tap
    setTimeout(() => { swallows = false; });
  });

  // A tap aborts the request of the previous one, so each sends all taps since the page was drawn.
  const setup = () => document.getElementById("setup");
  const keep = (name, value) => setup().append(Object.assign(document.createElement("input"), { type: "hidden", name: "tapped", value: `${name}:${value}` }));

  document.addEventListener("click", (event) => {
    const button = event.target.closest("#players button[hx-post]");
    if (swallows && event.isTrusted) {
      event.preventDefault();
      event.stopPropagation();
    } else if (button) keep(button.name, button.value);
  }, true);

  // Enter in a name moves on to the next seat, from the last to Deal. It clicks the form's first button.
  document.addEventListener("click", (event) => {
    const field = document.activeElement;
    if (!event.target.matches("#setup > .vh") || !field.matches(".sitter input")) return;
    event.preventDefault();
    const fields = [...document.querySelectorAll(".sitter input")].sort((one, other) => one.name.localeCompare(other.name));
    (fields[fields.indexOf(field) + 1] ?? document.querySelector(".save .main")).focus();
  });

  document.addEventListener("input", ({ target }) => {
    for (const said of ["aria-invalid", "aria-describedby"]) target.removeAttribute(said); // may no longer be true
    if (!target.matches(".sitter input")) return;
    showTyped(target);
    clearTimeout(pause);
    pause = setTimeout(tellFull, PAUSE, target);
  });

  // With a name in every seat the bar says who deals, before the last field loses the focus.
  const PAUSE = 400; // milliseconds
  let pause, wasFull = false;
  const tellFull = (field) => {
    const isFull = [...document.querySelectorAll("#players .round [name^=name-]")].every(({ value }) => value.trim());
    if (field.isConnected && (isFull || wasFull)) field.dispatchEvent(new Event("change", { bubbles: true }));
    wasFull = isFull;
  };

  // Shows a name too long for its field in full: above the field while it is typed, then on several lines in its place.
  // That is updated after the tap that ends typing, so that nothing moves under it.
  const isTooLong = (field) => field.scrollWidth > field.clientWidth;
  const showWhole = (field) => {
    if (field !== document.activeElement && isTooLong(field)) field.parentElement.dataset.name = field.value;
  };
  const showTyped = (field) => {
    const { dataset } = field.parentElement;
    delete dataset.name;
    if (isTooLong(field)) dataset.typed = field.value;
    else delete dataset.typed;
  };
  document.addEventListener("focusout", ({ target }) => {
    if (target.matches(".sitter input")) setTimeout(showWhole, PRESS, target);
  });
  document.addEventListener("focusin", ({ target }) => target.matches(".sitter input") && showTyped(target));

  // The aborting request may have replaced another part only: request the seats again.
  const catchUp = () => {
    if (setup()?.querySelector("[name=tapped]")) setup().querySelector(".reshapes").dispatchEvent(new Event("change", { bubbles: true }));
  };
  document.addEventListener("htmx:finally:request", ({ detail }) => {
    if (detail.ctx.response?.status === 200) queueMicrotask(catchUp);
  });

  // Back from the editor of rules, this page has its choices again, and the players; the editor begins with them.
  // Comes last: it fails where the browser blocks storage.
  const SEATED = "seated";
  document.addEventListener("click", ({ target }) => {
    const link = target.closest("#house-rules a");
    if (!link) return;
    const all = [...new FormData(setup())], chosen = all.filter(([name]) => /^(rules|players|teams|target|house)/.test(name));
    const like = new URLSearchParams(location.search).get("like"); // the game whose seats these are
    if (like) chosen.push(["like", like]);
    link.search = new URLSearchParams(chosen);
    history.replaceState(history.state, "", link.search);
    sessionStorage.setItem(SEATED, JSON.stringify(all.filter(([name]) => /^(name-|dealer)/.test(name))));
  });
  const seated = location.search.includes("rules=") ? JSON.parse(sessionStorage.getItem(SEATED) ?? "[]") : [];
  sessionStorage.removeItem(SEATED);
  const players = document.getElementById("players");
  if (players && seated.length) {
    for (const [name, value] of seated) {
      const fields = [...players.querySelectorAll(`[name=${name}]`)];
      if (name === "dealer") for (const field of fields) field.checked = field.value === value;
      else if (fields.length) fields[0].value = value;
      else players.append(Object.assign(document.createElement("input"), { type: "hidden", name, value })); // of a larger table
    }
    document.querySelector("#how-many :checked").dispatchEvent(new Event("change", { bubbles: true })); // draws the seats
  }
})();
