/**
 * The language of the page: what this browser chose here, else the first of the browser's own languages that there is, else
 * English. Also read before the first paint, so nothing else is imported.
 */

/** As each language calls itself. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  zh: '简体中文',
} as const;
export type Language = keyof typeof languages;

/** Where the browser names no region: English with dates that are read the same everywhere, and Chinese as it is written. */
const regions: Readonly<Partial<Record<Language, string>>> = { en: 'en-GB', zh: 'zh-CN' };

const storageKey = 'citewire.language';

/** Undefined where the browser's own setting counts. */
export function storedLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === null ? undefined : matching(stored);
  } catch {
    // Browsers can block storage.
    return undefined;
  }
}

/** Applies from the next time the page is loaded. */
export function storeLanguage(language: Language | undefined): void {
  try {
    if (language === undefined) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, language);
  } catch {
    // Then the browser's own setting counts.
  }
}

/** By the browser's setting alone. Traditional Chinese is read as simplified: nearer than English. */
export function browserLanguage(): Language {
  return (
    preferred()
      .map(matching)
      .find((found) => found !== undefined) ?? 'en'
  );
}

/** Pages that are not translated yet say so in their HTML. */
const isTranslated = globalThis.document?.documentElement.dataset.translated !== 'no';

export const language: Language = isTranslated ? (storedLanguage() ?? browserLanguage()) : 'en';

/** For Intl: with the browser's region if that is of the same language and script, such as `de-AT`, but not `zh-TW`. */
export const locale = preferred().find(isAsWritten) ?? regions[language] ?? language;

function isAsWritten(tag: string): boolean {
  const script = (of: string) => new Intl.Locale(of).maximize().script;
  return matching(tag) === language && script(tag) === script(language);
}

function matching(tag: string): Language | undefined {
  const [base = ''] = tag.toLowerCase().split('-');
  return Object.hasOwn(languages, base) ? (base as Language) : undefined;
}

/** Best first. The tests of single functions run without a browser. */
function preferred(): readonly string[] {
  return globalThis.navigator?.languages ?? [];
}
