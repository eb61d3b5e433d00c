/** Hostile pages by name. */
import { answerPages } from './answers.ts';
import { documentPages } from './documents.ts';
import { markupPages } from './markup.ts';
import type { HostilePages } from './page.ts';

/** All of them. At scale 1 they are as large as a page may be; below, what is repeated is repeated less often. */
export function hostilePages(scale: number): HostilePages {
  const n = (count: number) => Math.ceil(count * scale);
  return { ...markupPages(n), ...documentPages(n), ...answerPages };
}
