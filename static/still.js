// What has moved takes no tap for a moment: a finger that taps twice, or was on its way, would hit something else.
// Keys and screen readers press what they name, wherever it is.
const rest = (one) => one.animate({ pointerEvents: ["none", "none"] }, 450); // milliseconds; app.css has it for new pages

(() => {
  const NEAR = 6; // pixels
  const main = document.querySelector("main");
  let before;

  const isTapped = (one) => !(one.control ?? one).disabled && one.getBoundingClientRect().width;
  // A button that has come to say something else, as Save anyway, is another one.
  const keyOf = (one) => (one.id || one.control?.id || one.textContent) + (one.name === "do" ? one.textContent : "");
  const find = () => [...main.querySelectorAll("a, button, summary, label, .at")].filter(isTapped);
  const look = () => { before = new Map(find().map((one) => [keyOf(one), one.getBoundingClientRect()])); };
  const isNear = (one, { x, y } = { x: Infinity }) => {
    const now = one.getBoundingClientRect();
    return Math.abs(now.x - x) < NEAR && Math.abs(now.y - y) < NEAR;
  };
  const check = () => {
    find().filter((one) => !isNear(one, before.get(keyOf(one)))).forEach(rest);
    look();
  };

  look();
  document.addEventListener("pointerdown", look, true); // the page may have been scrolled
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[type=checkbox], .at *")) rest(target.closest("label, .at")); // tapped again it would be taken back
    check(); // what the stylesheet folds
  });
  new MutationObserver(check).observe(main, { attributes: true, childList: true, subtree: true });
})();
