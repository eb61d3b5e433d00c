/**
 * The messages of the page in its language: `t.dialog.close`. Their file begins to load before the scripts of the page run;
 * modules that import this one run once it is there.
 */
import { loadMessages } from './load-messages.ts';

export const t = await loadMessages<typeof import('./messages/en.ts').messages>({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
  es: () => import('./messages/es.ts'),
  zh: () => import('./messages/zh.ts'),
});
