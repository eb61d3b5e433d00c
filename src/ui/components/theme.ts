/** Light, dark, or as the system has it; what was chosen is kept in this browser. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'citewire.theme';

export function storedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system';
  } catch {
    // A browser may deny a page its storage.
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
    // Chosen for this visit, then.
  }
}
