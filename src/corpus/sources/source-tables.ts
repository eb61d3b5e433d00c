/**
 * What the index keeps of each source besides its pages, by the twins: sources-sqlite.ts for the index file,
 * sources-postgres.ts for Postgres. Sources of every origin are there, whether the command line added them or a call.
 */
import { isResumed, ownerOfSource, sourceId } from '../../base/source-names.ts';
import type { ListedPage, PagesReach } from '../../engine/ports/corpus.ts';
import type { SourceAbout, SourceLimits, StoredSource } from '../../sources/source-index.ts';
import { CorpusError } from '../corpus-error.ts';

/** An uploaded file. */
export interface Upload {
  readonly content: Uint8Array;
  /** A hash of the content. */
  readonly digest: string;
}

export interface SourceReader {
  /** Oldest first: of the owner and of everybody, or all. */
  storedSources(owner: string | undefined): StoredSource[];
  /** Whether the page at an address belongs to one of these sources. */
  hasPage(url: string, sources: readonly string[]): boolean;
  /** The newest snapshot of the page at an address, by its id; undefined if none within reach has this address. */
  pageAt(url: string, reach: PagesReach): string | undefined;
  /** All pages within reach in the order of their addresses, or none if there are more than `max`. */
  pages(reach: PagesReach, max: number): ListedPage[];
  /** Whether pages of this account are in the index; false for everybody's. */
  ownsPages(owner: string): boolean;
}

export interface SourceWriter {
  /** Stores a source unless it is known, with its content if it is a file, within the limits of its owner. */
  addSource(
    source: string,
    about: SourceAbout,
    content: Uint8Array | undefined,
    limits: SourceLimits | undefined,
  ): 'added' | 'known' | 'too_many' | 'too_large';
  /** Changes what is known of it; false if it is gone. */
  noteSource(source: string, change: Partial<SourceAbout>): boolean;
  /** The same, and counts its passages and the bytes of its texts again. */
  settleSource(source: string, change: Partial<SourceAbout>): boolean;
  /**
   * Has it wait in this process, unless one has worked on it since `touched_at`; returns whether it does: of several that try, one
   * does.
   */
  takeSource(source: string, touched_at: number): boolean;
  /** Notes that a process still has these. */
  keepSources(sources: readonly string[]): void;
  dropSource(source: string): void;
  /** Undefined if nothing was uploaded. */
  upload(source: string): Upload | undefined;
}

/** The error that stops the indexing of a source whose row is gone. */
export function removedSource(): CorpusError {
  return new CorpusError('removed', 'The source was removed.');
}

/**
 * Throws a CorpusError `over_limit` if the sources of an account have grown, from `before` to `after` bytes, beyond what it may
 * store: an account that has more already, because its plan was changed, may still replace pages by shorter ones.
 */
export function checkGrowth(before: number, after: number, maxBytes: number): void {
  if (after <= maxBytes || after <= before) return;
  const message = `The plan allows an account ${maxBytes} bytes of sources. The pages read so far are kept; remove a source, then index this one again.`;
  throw new CorpusError('over_limit', message);
}

/**
 * Indexing that has not been touched for this long was interrupted, ms: the process that did it is gone. Touched every 5 s. Where
 * servers go on with it, it waits for one of them.
 */
const interruptedMs = 60_000;

/** What an interrupted source is shown as: one that a server goes on with, and one that nobody does. */
const resumed = { state: 'waiting', reason: null } as const;
const abandoned = { state: 'failed', reason: 'The indexing was interrupted.' } as const;

/** A row as both databases return it. */
export interface SourceRow {
  readonly source: string;
  readonly bytes: number;
  readonly about: string;
  readonly pages: number;
  readonly address: string | null;
}

/** How far clocks of processes may differ. Set by hand. */
const skewMs = 60_000;

/** Rows as sources at `now`, ms, by the clock that touches them, oldest first; the documentation of packages only while it has pages. */
export function toStoredSources(rows: readonly SourceRow[], now = Date.now()): StoredSource[] {
  return rows
    .map(({ source, about, ...row }): StoredSource => {
      const known = JSON.parse(about) as SourceAbout;
      // A time in the future is that of a clock that was ahead: nobody knows how long ago that was.
      const untouched_ms = known.touched_at > now + skewMs ? now : now - known.touched_at;
      const isInterrupted = known.state === 'indexing' && untouched_ms > interruptedMs;
      const shown = isInterrupted ? { ...(isResumed(source) ? resumed : abandoned), interrupted: true as const } : {};
      return { ...known, ...shown, ...row, untouched_ms, source, id: sourceId(source), owner: ownerOfSource(source) };
    })
    .filter(({ kind, pages }) => kind !== 'packages' || pages > 0)
    .sort((a, b) => (a.added_at < b.added_at ? -1 : a.added_at > b.added_at ? 1 : a.source < b.source ? -1 : 1));
}

/** The same order whichever database lists them. */
export function sortPages(pages: readonly ListedPage[]): ListedPage[] {
  return [...pages].sort((a, b) => (a.url < b.url ? -1 : 1));
}

/** What is known of a new source. */
export function newAbout(kind: SourceAbout['kind'], name: string): SourceAbout {
  return {
    kind,
    name,
    state: 'waiting',
    done: 0,
    total: 0,
    added_at: new Date().toISOString(),
    indexed_at: null,
    passages: null,
    failed: 0,
    failures: [],
    reason: null,
    touched_at: Date.now(),
  };
}

/** The kind of a source that was indexed before sources were kept, and what it is called, by its name. */
export function aboutOfName(source: string): SourceAbout {
  const at = source.indexOf(':');
  const [kind, place] = [source.slice(0, at), source.slice(at + 1)];
  const last = place.slice(Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\')) + 1) || place;
  const about =
    kind === 'folder'
      ? newAbout('folder', last)
      : kind === 'packages' || kind === 'installed'
        ? newAbout(kind, 'Documentation of Citewire and its packages')
        : newAbout('url', kind === 'urls' ? 'A list of pages' : place);
  return { ...about, state: 'ready', indexed_at: about.added_at };
}
