/**
 * The messages of the page in its language: `t.dialog.close`. Only that language is loaded, as a file of its own that the page
 * begins to load before its scripts run; modules that import this one run once it is there.
 */
import { type Language, language } from './choice.ts';
import type { Messages } from './messages/en.ts';

type English = typeof import('./messages/en.ts').messages;

const load: Readonly<Record<Language, () => Promise<{ readonly messages: Messages }>>> = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
  es: () => import('./messages/es.ts'),
  zh: () => import('./messages/zh.ts'),
};

/** Typed as the English texts, whose placeholders the compiler checks; a test checks the other languages against them. */
export const t = (await load[language]()).messages as English;
