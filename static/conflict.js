// The conflict page of a hand queued on this phone: the chosen form replaces the queued hand.
(() => {
  const { waiting: token, sheet } = document.querySelector("main").dataset;
  const find = async () => (await waiting.all()).find((item) => item.token === token);

  // Opens a page of the game; instead the one without a signal, if a hand was begun there.
  const open = (address) => location.assign(sessionStorage[`${sheet}hands/new`] ? `${sheet}hands/offline` : address);

  // Another form for the same hand; it keeps its position in the queue.
  const replace = async (form, item) => {
    const fields = [...new FormData(form)].filter(([key]) => key !== "csrf_token").map(([key, value]) => [key, String(value)]);
    const chosen = { ...item, token: fields.find(([key]) => key === "token")[1], action: new URL(form.action).pathname, fields };
    await waiting.put({ ...chosen, state: "wait", says: "" });
    await waiting.remove(token);
    await waiting.send();
    open((await waiting.ofGame(item.base)).length ? sheet : `${sheet}hands/new`);
  };

  document.addEventListener("submit", (event) => {
    event.preventDefault();
    find()
      .then((item) => (item ? replace(event.target, item) : event.target.submit()))
      .catch(() => event.target.submit());
  });
  document.getElementById("keep").addEventListener("click", (event) => {
    event.preventDefault();
    const go = () => open(event.target.href);
    waiting.remove(token).then(waiting.send).then(go, go);
  });
})();
