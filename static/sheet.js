// A tap anywhere on a score sheet's row opens its hand for correction, unless text is selected.
document.addEventListener("click", ({ target }) => {
  if (!target.closest("a") && getSelection().isCollapsed) target.closest(".ledger tbody")?.querySelector("a")?.click();
});
