/**
 * The reader's expressions are compiled when they are first used, and again when they are used a second time: some 50 ms,
 * which nobody notices while the page is idle and everybody would while the first words of an answer come.
 */
import { renderMarkdown } from './render.tsx';
import { splitMarkdown } from './split.ts';

const latin =
  '# A\n\nOne *two* **three** `four` [five](https://a.example).\n\n- a\n- b\n\n1. c\n\n> d\n\n| e |\n|---|\n| f |\n\n```\ng\n```';

/** For text with letters beyond Latin-1 they are compiled once more. */
const samples = [latin, `${latin}\n\n–`];

export function warmMarkdown(): void {
  const act = () => {
    for (const text of [...samples, ...samples, ...samples]) {
      splitMarkdown(text);
      renderMarkdown(text);
    }
  };
  // Not every browser says when it is idle.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act);
  else setTimeout(act, 500);
}
