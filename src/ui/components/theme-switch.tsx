/** A button that cycles through the themes. */
import { useState } from 'preact/hooks';
import { fill } from '../language/message.ts';
import { t } from '../language/text.ts';
import { chooseTheme, storedTheme, themes } from '../theme/theme.ts';
import { IconButton } from './button.tsx';
import { MoonIcon, SunIcon, SystemIcon } from './icons.tsx';

const icons = { system: SystemIcon, light: SunIcon, dark: MoonIcon } as const;

export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  const Icon = icons[theme];
  const switchOver = () => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <IconButton label={fill(t.theme.label, { theme: t.theme[theme], next: t.theme[next] })} onClick={switchOver}>
      <Icon />
    </IconButton>
  );
}
