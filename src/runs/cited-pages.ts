/**
 * What ended searches cite must stay readable for as long as they do. The keeper of pages implements this port; which
 * snapshots those are is read off a search's last word.
 */
import type { TerminalEvent } from '../../protocol/index.ts';

export interface CitedPages {
  /** From now on these snapshots are kept for this search, which ended then; ids that there are not are passed over. */
  pin(search_id: string, snapshots: readonly string[], ended_at: string): Promise<void>;
  /** They need not be kept for it any more. */
  unpin(search_id: string): Promise<void>;
  /** The same for all searches that ended before then, `most` marks of them at a time; gives whether any are left. */
  unpinBefore(ended_at: string, most: number): Promise<boolean>;
}

/** The ids of the snapshots that it cites, each once. */
export function citedBy(terminal: TerminalEvent): string[] {
  if (terminal.type !== 'search.completed') return [];
  return [...new Set(terminal.citations.map(({ snapshot }) => snapshot))];
}
