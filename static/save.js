// Saving a hand with a bad signal: the hand is kept on this phone before it is sent, and waits there where no answer
// comes within 5 seconds. Whatever else the server answers is its page, as without this script.
(() => {
  const form = document.getElementById("hand"), now = document.getElementById("game-now");
  if (!form || !now) return;
  const { base, number } = JSON.parse(now.textContent);
  const SAVES = ["save", "passed"];
  const next = `${base}hands/new`;
  let busy = false;

  // --- a tap that got no answer: the page still shows the bid, and says what Save does ---

  const NO_SIGNAL = "No signal. Save keeps this hand on this phone.";
  const tapped = (part) => {
    const label = form.querySelector(`#ask-${part} :checked`)?.closest("label");
    return label?.querySelector("span:not(.vh)")?.textContent.trim() ?? "";
  };
  const bid = () => [tapped("bidder"), tapped("bid"), tapped("trump")].filter(Boolean).join(" ");
  const heading = () => document.querySelector("#says b");

  form.addEventListener("htmx:error", ({ detail }) => {
    if (detail.ctx?.response) return;
    const shut = form.querySelector(".call > .fold .shut");
    if (shut && bid()) shut.textContent = bid();
    heading().textContent = NO_SIGNAL;
    heading().nextElementSibling.textContent = "";
  });

  // --- saving ---

  const itemOf = (fields) => {
    const value = (name) => fields.find(([key]) => key === name)?.[1];
    const said = heading()?.textContent ?? "", says = said === NO_SIGNAL ? bid() : said;
    const action = new URL(form.action).pathname;
    return { token: value("token"), base, action, number, position: Number(value("position")), fields, says };
  };

  // As a form without a script: the server's page says what it has to say.
  const submit = (button) => {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "do", value: button.value }));
    form.submit();
  };

  const keepAndSend = async (item, csrf) => {
    await waiting.put(item);
    const all = await waiting.ofGame(base), [first, ...behind] = all;
    if (first.token !== item.token) return {}; // behind the others
    const came = await waiting.post(item, waiting.SHORT, csrf);
    if (came.saved) await waiting.done(first, came);
    else if (came.status && behind.length) await waiting.put({ ...first, state: "ask" });
    else if (came.status) await waiting.remove(item.token);
    return came;
  };

  const save = async (button) => {
    const fields = [...new FormData(form, button)].filter(([key]) => key !== "csrf_token");
    const item = itemOf(fields.map(([key, value]) => [key, String(value)]));
    let came;
    try {
      came = await keepAndSend(item, form.elements.csrf_token.value);
    } catch {
      return submit(button); // this browser keeps nothing
    }
    if (came.saved) location.assign(came.next);
    else if (came.status) submit(button);
    else if (navigator.serviceWorker?.controller) location.assign(next);
    else later(item); // without a worker there is no other page to go to
  };

  const later = ({ token }) => {
    busy = false;
    addEventListener("hands-saved", async () => (await waiting.ofGame(base)).some((item) => item.token === token) || location.assign(next));
    waiting.retry();
  };

  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button?.name !== "do" || !SAVES.includes(button.value) || button.form !== form) return;
    event.preventDefault();
    if (busy) return;
    busy = true;
    button.setAttribute("aria-busy", "true");
    save(button);
  });
})();
