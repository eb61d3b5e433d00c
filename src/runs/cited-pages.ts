/**
 * What ended searches cite must stay readable for as long as they do. The keeper of pages implements this port; which
 * snapshots those are is read off a search's last word.
 */
import type { TerminalEvent } from '../../protocol/index.ts';

export interface CitedPages {
  /** From now on these snapshots are kept for this search; ids that there are not are passed over. */
  cite(search_id: string, snapshots: readonly string[]): Promise<void>;
  /** They need not be kept for it any more. */
  uncite(search_id: string): Promise<void>;
}

/** The ids of the snapshots that it cites, each once. */
export function citedBy(terminal: TerminalEvent): string[] {
  if (terminal.type !== 'search.completed') return [];
  return [...new Set(terminal.citations.map(({ snapshot }) => snapshot))];
}
