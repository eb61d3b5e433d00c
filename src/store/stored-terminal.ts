/**
 * Terminal events as the column `terminal` of `runs` keeps them. The event repeats what its result has, so that a client
 * may read either; a row keeps it once, which halves its bytes. Rows of earlier versions have both.
 */
import type { TerminalEvent } from '../../protocol/index.ts';

/** The fields that the event and a result with text or evidence share, as the same objects. */
const repeated = ['sources', 'citations', 'usage', 'timings'] as const;

/** The event as JSON, without what its result has too. */
export function storeTerminal(terminal: TerminalEvent): string {
  if (terminal.type !== 'search.completed') return JSON.stringify(terminal);
  const result = terminal.result as Readonly<Record<string, unknown>>;
  const stored: Partial<typeof terminal> = { ...terminal };
  // A template may have a field of this name: that is another value.
  for (const key of repeated) if (terminal[key] === result[key]) delete stored[key];
  return JSON.stringify(stored);
}

/** The event of what `storeTerminal` returned, or an earlier version stored. */
export function readTerminal(text: string): TerminalEvent {
  const stored = JSON.parse(text) as TerminalEvent;
  if (stored.type !== 'search.completed') return stored;
  const result = stored.result as Readonly<Record<string, unknown>>;
  const kept = repeated.filter((key) => !(key in stored));
  return { ...stored, ...Object.fromEntries(kept.map((key) => [key, result[key]])) };
}
