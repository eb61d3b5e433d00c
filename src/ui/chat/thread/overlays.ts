/** What is open over or beside the answers: the quotes of a marker, and a source page. */
import { signal } from '@preact/signals';
import { createContext } from 'preact';
import type { Citation, PageContents, Source } from '../../../client/client.ts';

/** The citation marker that is hovered or focused; its quotes are shown next to it. */
export interface ActiveMarker {
  readonly claim: string;
  readonly citations: readonly Citation[];
  readonly sources: readonly Source[];
  readonly answer: CitedAnswer;
  readonly at: HTMLElement;
}
export const activeMarker = signal<ActiveMarker | undefined>(undefined);

/** The source page open beside the answer; with a quote, scrolled to it. */
export interface OpenPage {
  readonly snapshot: string;
  readonly source: Source | undefined;
  readonly quote: OpenedQuote | undefined;
  /** The citations of the answer that the quote is one of, to go through; empty if it is none. */
  readonly among: readonly Citation[];
  /** The search of that answer, if it can be rated. */
  readonly search_id: string | undefined;
  readonly sources: readonly Source[];
}

/** The answer around a marker: all its citations, in its order, and its search if it can be rated. */
export interface CitedAnswer {
  readonly citations: readonly Citation[];
  readonly search_id?: string | undefined;
}

export const AnswerAround = createContext<CitedAnswer>({ citations: [] });

/** In the order of the text or of the fields: by block or path as they came, then by place. */
export function inOrder(citations: readonly Citation[]): readonly Citation[] {
  const parts = new Map<string, number>();
  for (const { block, path } of citations) {
    const part = block ?? path ?? '';
    if (!parts.has(part)) parts.set(part, parts.size);
  }
  const partOf = ({ block, path }: Citation) => parts.get(block ?? path ?? '')!;
  return [...citations].sort((a, b) => partOf(a) - partOf(b) || a.start - b.start || a.n - b.n);
}

/** `id`, `support`, `score` and `verdict` are those of a citation; absent for a passage that nothing cites. */
export type OpenedQuote = Pick<Citation, 'source_start' | 'source_end'> &
  Partial<Pick<Citation, 'id' | 'support' | 'score' | 'verdict'>>;

/** Reads a stored page. Rejects with CitewireError, or with the signal's reason. */
export type LoadPage = (snapshot: string, signal: AbortSignal) => Promise<PageContents>;

/** How source pages are read; set once by the page that shows answers. */
export const loadPage = signal<LoadPage>(() => Promise.reject(new Error('No pages can be read yet.')));

export const openPage = signal<OpenPage | undefined>(undefined);

export function openSource(source: Source): void {
  openPage.value = {
    snapshot: source.snapshot,
    source,
    quote: undefined,
    among: [],
    search_id: undefined,
    sources: [source],
  };
}

/** Opens the page of a citation or of another passage, at its place. */
export function openQuote(
  quote: OpenedQuote & Pick<Citation, 'source_id' | 'snapshot'>,
  sources: readonly Source[],
  { citations: among, search_id }: CitedAnswer = { citations: [] },
): void {
  const source = sources.find(({ id }) => id === quote.source_id);
  activeMarker.value = undefined;
  openPage.value = { snapshot: quote.snapshot, source, quote, among, search_id, sources };
}
