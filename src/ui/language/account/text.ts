/** The messages of the sign-in page and of the page of accounts in the language of the page, loaded only with the dashboard. */
import { type Language, language } from '../choice.ts';
import type { Messages } from './en.ts';

type English = typeof import('./en.ts').messages;

const load: Readonly<Record<Language, () => Promise<{ readonly messages: Messages }>>> = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  fr: () => import('./fr.ts'),
  es: () => import('./es.ts'),
  zh: () => import('./zh.ts'),
};

/** Typed as the English texts, whose placeholders the compiler checks; a test checks the other languages against them. */
export const t = (await load[language]()).messages as English;
