// At the table: keeps the screen awake while this page is looked at, and buzzes once when a hand has just been saved.
(() => {
  let lock = null;

  const stayAwake = async () => {
    if (document.hidden || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      // The battery is low, or somebody has forbidden it: asked again at the next tap.
    }
  };

  if (navigator.wakeLock) {
    // The browser takes the lock away whenever the page is hidden.
    document.addEventListener("visibilitychange", stayAwake);
    document.addEventListener("pointerdown", stayAwake);
    stayAwake();
  }

  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (document.querySelector("main[data-saved]") && !still) navigator.vibrate?.(30);
})();
