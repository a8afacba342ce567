// A row of the score sheet is tapped anywhere to correct its hand, unless words of it are being marked.
document.addEventListener("click", ({ target }) => {
  if (!target.closest("a") && getSelection().isCollapsed) target.closest(".ledger tbody")?.querySelector("a")?.click();
});
