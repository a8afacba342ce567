// The board asks for what is new only while it is looked at, and says since when nobody has answered.
(() => {
  const away = document.getElementById("away");
  const clock = () => new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  let answered = clock();
  let unanswered = 0;

  const say = (text) => {
    if (away.textContent !== text) away.textContent = text;
  };
  const hear = () => {
    answered = clock();
    unanswered = 0;
    say("");
  };
  // One lost question is nothing: the next one comes in three seconds.
  const miss = () => {
    unanswered += 1;
    if (unanswered > 1) say(`no connection, showing ${answered}`);
  };
  const look = () => document.getElementById("_board").dispatchEvent(new Event("look"));

  document.addEventListener("htmx:config:request", (event) => {
    if (document.hidden) event.preventDefault();
  });
  document.addEventListener("htmx:after:request", ({ detail }) => (detail.ctx.response.status < 400 ? hear() : miss()));
  document.addEventListener("htmx:error", miss);
  document.addEventListener("visibilitychange", look);
  window.addEventListener("online", look);
})();
