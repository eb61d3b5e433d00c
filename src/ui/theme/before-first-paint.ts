/**
 * Runs before the first paint, which a module cannot: a stored theme does not flash in late, the page declares its language, and
 * the files of that language load alongside the page's own scripts. Until they have drawn the page, its HTML says that it is being
 * loaded, or that it could not be: see first-frame.css.
 */
import { language } from '../language/choice.ts';
import { applyTheme, storedTheme } from './theme.ts';

const root = document.documentElement;
applyTheme(storedTheme());
root.lang = language === 'zh' ? 'zh-Hans' : language;

root.dataset.scripts = 'loading';
const fail = () => {
  root.dataset.scripts = 'failed';
};
// Not only uncaught errors, which bubble: also scripts that could not be loaded, whose events do not.
addEventListener('error', fail, true);
addEventListener('unhandledrejection', fail);
addEventListener('click', ({ target }) => {
  // A link would lose what is after the # of the address.
  if ((target as Element).matches('.first-failed button')) location.reload();
});

// The page names the files of each language in an attribute of this script, separated by spaces.
for (const href of document.currentScript?.dataset[language]?.split(' ') ?? []) {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
