/** A button that cycles through the themes. */
import { useState } from 'preact/hooks';
import { IconButton } from './button.tsx';
import { MoonIcon, SunIcon, SystemIcon } from './icons.tsx';
import { chooseTheme, storedTheme, themes } from './theme.ts';

const icons = { system: SystemIcon, light: SunIcon, dark: MoonIcon } as const;
const names = { system: 'system', light: 'light', dark: 'dark' } as const;

export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  const Icon = icons[theme];
  const switchOver = () => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <IconButton label={`Theme: ${names[theme]}. Switch to ${names[next]}`} onClick={switchOver}>
      <Icon />
    </IconButton>
  );
}
