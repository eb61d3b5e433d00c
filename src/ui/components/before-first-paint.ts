/**
 * Runs before the first paint, which a module cannot: so that a stored theme does not flash in late, the page says its
 * language, and the file of that language is loading while the page's own scripts are.
 */
import { language } from '../language/choice.ts';
import { applyTheme, storedTheme } from './theme.ts';

applyTheme(storedTheme());
document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;

// The page names the file of each language in an attribute of this script.
const href = document.currentScript?.dataset[language];
if (href !== undefined) {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
