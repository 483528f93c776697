// The colours that somebody has chosen, before anything is painted. No module: those wait until the page is there.

{
  /** @type {unknown} */
  let chosen = "";
  try {
    chosen = JSON.parse(localStorage.getItem("gridlock.theme") ?? '""');
  } catch {
    // Storage is closed, or holds something else: as the system has it.
  }
  const named = ["light", "dark", "contrast"].find((one) => one === chosen);
  const theme = named ?? (matchMedia("(prefers-contrast: more)").matches ? "contrast" : "");
  if (theme) document.documentElement.dataset.theme = theme;
}
