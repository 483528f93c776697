// Apply the theme and hide unwanted row and column numbers before the first paint. This is not a module, because
// modules run after the page is parsed. An embedded board uses the theme in its URL (?theme=dark), because it may be
// unable to read settings.

{
  /** @type {(key: string) => unknown} */
  const stored = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "null");
    } catch {
      return null; // Storage is unavailable or the stored value is invalid.
    }
  };
  const asked = /\/embed(\.html)?$/.test(location.pathname) ? new URLSearchParams(location.search).get("theme") : null;
  const named = ["light", "dark", "contrast"].find((one) => one === (asked ?? stored("gridlock.theme")));
  const theme = named ?? (matchMedia("(prefers-contrast: more)").matches ? "contrast" : "");
  if (theme) document.documentElement.dataset.theme = theme;
  if (stored("gridlock.numbers") === false) document.documentElement.dataset.numbers = "off";
}
