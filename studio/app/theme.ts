export type Theme = "system" | "light" | "dark";

const name = "signoff-theme";

export function currentTheme(): Theme {
  const kept = window.localStorage.getItem(name);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function keepTheme(theme: Theme): void {
  window.localStorage.setItem(name, theme);
  applyTheme();
}

export function applyTheme(): void {
  const theme = currentTheme();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
