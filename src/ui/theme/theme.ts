/** Light, dark or the system's theme; the choice is stored in the browser. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'citewire.theme';

export function storedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system';
  } catch {
    // Browsers can block storage.
    return 'system';
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Then it lasts for this visit only.
  }
}
