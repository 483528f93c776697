// The colours that somebody has chosen, before anything is painted. No module: those wait until the page is there.
// A board in somebody else's page wears what that page asks for (?theme=dark); of what is chosen here it may know nothing.

{
  /** @type {unknown} */
  let chosen = "";
  try {
    chosen = JSON.parse(localStorage.getItem("gridlock.theme") ?? '""');
  } catch {
    // Storage is closed, or holds something else: as the system has it.
  }
  const asked = location.pathname === "/embed" ? new URLSearchParams(location.search).get("theme") : null;
  const named = ["light", "dark", "contrast"].find((one) => one === (asked ?? chosen));
  const theme = named ?? (matchMedia("(prefers-contrast: more)").matches ? "contrast" : "");
  if (theme) document.documentElement.dataset.theme = theme;
}
