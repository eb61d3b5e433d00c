/**
 * Runs before the first paint, which a module cannot: a stored theme does not flash in late, the page declares its language, and
 * the files of that language load alongside the page's own scripts.
 */
import { language } from '../language/choice.ts';
import { applyTheme, storedTheme } from './theme.ts';

applyTheme(storedTheme());
document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;

// The page names the files of each language in an attribute of this script, separated by spaces.
for (const href of document.currentScript?.dataset[language]?.split(' ') ?? []) {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
