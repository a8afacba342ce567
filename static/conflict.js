// The conflict page of a hand queued on this phone: the chosen form replaces the queued hand.
(() => {
  const { waiting: token, sheet } = document.querySelector("main").dataset;
  const find = async () => (await waiting.all()).find((item) => item.token === token);

  // Another form for the same hand; it keeps its position in the queue.
  const replace = async (form, item) => {
    const fields = [...new FormData(form)].filter(([key]) => key !== "csrf_token").map(([key, value]) => [key, String(value)]);
    const chosen = { ...item, token: fields.find(([key]) => key === "token")[1], action: new URL(form.action).pathname, fields };
    await waiting.put({ ...chosen, state: "wait", says: "" });
    await waiting.remove(token);
    await waiting.send();
    location.assign((await waiting.ofGame(item.base)).length ? sheet : `${item.base}hands/new`);
  };

  document.addEventListener("submit", (event) => {
    event.preventDefault();
    find()
      .then((item) => (item ? replace(event.target, item) : event.target.submit()))
      .catch(() => event.target.submit());
  });
  document.getElementById("keep").addEventListener("click", (event) => {
    event.preventDefault();
    const go = () => location.assign(event.target.href);
    waiting.remove(token).then(waiting.send).then(go, go);
  });
})();
