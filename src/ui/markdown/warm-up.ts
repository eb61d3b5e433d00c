/**
 * Compiles the lexer's regular expressions while the page is idle. Engines compile them on the first use and optimise them
 * on later ones, some 50 ms in all, which would otherwise delay the first words of an answer.
 */

import { splitMarkdown } from './block-splitter.ts';
import { renderMarkdown } from './render.tsx';

const latin =
  '# A\n\nOne *two* **three** `four` [five](https://a.example).\n\n- a\n- b\n\n1. c\n\n> d\n\n| e |\n|---|\n| f |\n\n```\ng\n```';

/** Expressions are compiled separately for text beyond Latin-1. */
const samples = [latin, `${latin}\n\n–`];

export function warmMarkdown(): void {
  const act = () => {
    for (const text of [...samples, ...samples, ...samples]) {
      splitMarkdown(text);
      renderMarkdown(text);
    }
  };
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act);
  else setTimeout(act, 500);
}
