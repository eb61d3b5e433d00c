/** What is open over or beside the answers: the quotes of a marker, and a source page. */
import { signal } from '@preact/signals';
import type { Citation, PageContents, Source } from '../../../client/client.ts';

/** The citation marker that is hovered or focused; its quotes are shown next to it. */
export interface ActiveMarker {
  readonly claim: string;
  readonly citations: readonly Citation[];
  readonly sources: readonly Source[];
  readonly at: HTMLElement;
}
export const activeMarker = signal<ActiveMarker | undefined>(undefined);

/** The source page open beside the answer; with a quote, scrolled to it. */
export interface OpenPage {
  readonly snapshot: string;
  readonly source: Source | undefined;
  readonly quote: OpenedQuote | undefined;
}

/** `support`, `score` and `verdict` are those of a citation; absent for a passage that nothing cites. */
export type OpenedQuote = Pick<Citation, 'source_start' | 'source_end'> &
  Partial<Pick<Citation, 'support' | 'score' | 'verdict'>>;

/** Reads a stored page. Rejects with CitewireError, or with the signal's reason. */
export type LoadPage = (snapshot: string, signal: AbortSignal) => Promise<PageContents>;

/** How source pages are read; set once by the page that shows answers. */
export const loadPage = signal<LoadPage>(() => Promise.reject(new Error('No pages can be read yet.')));

export const openPage = signal<OpenPage | undefined>(undefined);

export function openSource(source: Source): void {
  openPage.value = { snapshot: source.snapshot, source, quote: undefined };
}

/** Opens the page of a citation or of another passage, at its place. */
export function openQuote(
  quote: OpenedQuote & Pick<Citation, 'source_id' | 'snapshot'>,
  sources: readonly Source[],
): void {
  const source = sources.find(({ id }) => id === quote.source_id);
  activeMarker.value = undefined;
  openPage.value = { snapshot: quote.snapshot, source, quote };
}
