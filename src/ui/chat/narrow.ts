/** Whether the window is so narrow that the list of threads and the page reader cover the answers. */
import { type ReadonlySignal, signal } from '@preact/signals';

const width = matchMedia('(max-width: 60rem)');
const matches = signal(width.matches);
width.addEventListener('change', () => {
  matches.value = width.matches;
});

/** The list starts closed then. */
export const narrow: ReadonlySignal<boolean> = matches;
