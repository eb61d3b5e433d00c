/** What the server says, in the language of the page. */
import { loadMessages } from '../load-messages.ts';

export const t = await loadMessages<typeof import('./en.ts').messages>({
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  fr: () => import('./fr.ts'),
  es: () => import('./es.ts'),
  zh: () => import('./zh.ts'),
});
