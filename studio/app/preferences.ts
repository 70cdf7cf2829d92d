export type Theme = "system" | "light" | "dark";

const themeName = "signoff-theme";
const shortcutsName = "signoff-shortcuts";

export function currentTheme(): Theme {
  const kept = window.localStorage.getItem(themeName);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function keepTheme(theme: Theme): void {
  window.localStorage.setItem(themeName, theme);
  applyTheme();
}

export function applyTheme(): void {
  const theme = currentTheme();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Single-letter shortcuts get in the way of speech input and of some screen readers. */
export function hasShortcuts(): boolean {
  return window.localStorage.getItem(shortcutsName) !== "off";
}

export function keepShortcuts(isOn: boolean): void {
  window.localStorage.setItem(shortcutsName, isOn ? "on" : "off");
}
