/**
 * Runs before the first paint, which a module cannot: so that a stored theme does not flash in late, the page says its
 * language, and the files of that language are loading while the page's own scripts are.
 */
import { language } from '../language/choice.ts';
import { applyTheme, storedTheme } from './theme.ts';

applyTheme(storedTheme());
document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;

// The page names the files of each language in an attribute of this script, with spaces between.
for (const href of document.currentScript?.dataset[language]?.split(' ') ?? []) {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
