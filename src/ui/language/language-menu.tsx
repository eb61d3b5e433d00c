/** Chooses the language; the page is then reloaded in it. */
import { TranslateIcon } from '../components/icons.tsx';
import { Menu } from '../components/menu.tsx';
import { browserLanguage, type Language, languages, storedLanguage, storeLanguage } from './choice.ts';
import { fill } from './message.ts';
import { t } from './text.ts';

export function LanguageMenu() {
  const stored = storedLanguage();
  const action = (chosen: Language | undefined, label: string) => ({
    label,
    isChosen: chosen === stored,
    onChoose() {
      storeLanguage(chosen);
      if (chosen !== stored) location.reload();
    },
  });
  const named = Object.entries(languages).map(([name, label]) => action(name as Language, label));
  const own = fill(t.language.ofBrowser, { language: languages[browserLanguage()] });
  return (
    <Menu label={t.language.label} actions={[action(undefined, own), ...named]}>
      <TranslateIcon />
    </Menu>
  );
}
