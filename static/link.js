// Passes a link to the phone's share sheet, or copies it; without this script it can be copied from the page. Where there
// is none yet, it taps the button that makes one.
(() => {
  document.querySelector("[data-make] [aria-pressed=true]")?.click();
  const find = (id) => document.getElementById(id);
  const field = find("address");
  const status = find("link-status");
  if (!field) return;
  const offer = (id, act) => {
    find(id).hidden = false;
    find(id).addEventListener("click", act);
  };
  const failed = (error) => {
    // Closing the share sheet is no error.
    if (error.name === "AbortError") return;
    field.select();
    status.textContent = status.dataset.failed;
  };
  const title = find("share-link").dataset.name;
  if (navigator.share) offer("share-link", () => navigator.share({ title, url: field.value }).catch(failed));
  if (navigator.clipboard) offer("copy-link", () => navigator.clipboard.writeText(field.value).then(
    () => { status.textContent = status.dataset.copied; },
    failed,
  ));
})();
