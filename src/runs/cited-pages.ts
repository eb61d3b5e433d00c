/**
 * The pages that an ended search cites or quotes must stay readable for as long as its record is kept. The page store implements
 * this port; the cited snapshots come from the search's terminal event.
 */
import type { TerminalEvent, TextResult } from '../../protocol/index.ts';

export interface CitedPages {
  /** Keeps these snapshots for this search, which ended at `ended_at` (ISO 8601). Unknown ids are skipped. */
  pin(search_id: string, snapshots: readonly string[], ended_at: string): Promise<void>;
  /** Releases the snapshots kept for this search. */
  unpin(search_id: string): Promise<void>;
  /**
   * Releases up to `limit` pins of searches that ended before `ended_at`, oldest first, and removes some of the snapshots that
   * nothing needs; resolves with whether any of either may remain.
   */
  unpinBefore(ended_at: string, limit: number): Promise<boolean>;
}

/**
 * The ids of the snapshots that this search cites, quotes as nearest, or has an excerpt of, without duplicates; empty unless it
 * completed.
 */
export function citedBy(terminal: TerminalEvent): string[] {
  if (terminal.type !== 'search.completed') return [];
  const { nearest = [] } = terminal.evidence === undefined ? (terminal.result as TextResult) : {};
  const excerpted = terminal.sources.filter(({ excerpt }) => excerpt !== undefined);
  return [...new Set([...terminal.citations, ...nearest, ...excerpted].map(({ snapshot }) => snapshot))];
}
