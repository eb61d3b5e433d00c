/** The ports to the web: search providers, and the reader that opens pages. */
import type { Contents, SourceRules } from '../../../protocol/index.ts';
import type { Snapshot } from './snapshot.ts';

/** A search result. None of it is trusted: the page itself is read before it is cited. */
export interface Hit {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly published_at?: string;
}

export interface WebQuery {
  readonly text: string;
  /** Maximum number of hits. */
  readonly limit: number;
  /** Hits that break these are dropped by the engine; a provider may pass them on to save results. */
  readonly rules: SourceRules;
  /** ISO 8601 dates of publication, both inclusive. */
  readonly from?: string;
  readonly to?: string;
  /** BCP 47. */
  readonly language?: string;
  /** Fires some time after another provider has answered: one that was too slow before may be so again. */
  readonly late?: AbortSignal | undefined;
  /** Added to the requests that the query takes. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A search provider. When it fails, the search continues without its results. */
export interface WebSearch {
  /** Shown in `usage.providers` and in warnings. */
  readonly name: string;
  /** Whether it can take requests now; absent means always. A provider that is not ready is skipped silently. */
  readonly ready?: () => boolean;
  /** Hits, best first. Rejects with a `ProviderError`, whose message is safe to show, or with the signal's reason. */
  search(query: WebQuery, signal: AbortSignal): Promise<Hit[]>;
}

type ContentsInfo = Contents['info'];

/** What is known about a page and how it was fetched. */
export type PageInfo = Readonly<Omit<ContentsInfo, 'snapshot' | 'passages' | 'links' | 'warnings'>> & {
  readonly links: readonly ContentsInfo['links'][number][];
  /** Addresses that its menus and the like link to; absent if there are none. */
  readonly other_links?: readonly string[];
  readonly warnings: readonly string[];
};

/** Reads web pages. The same page with the same text has the same snapshot id for every caller. */
export interface PageReader {
  /** Rejects with an `AppError` whose code says why the page could not be read, or with the signal's reason. */
  read(
    url: string,
    options: {
      readonly rules?: SourceRules;
      /** The account that wants the page: owners take turns, so the pages of one do not hold up those of another. */
      readonly owner?: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<{ readonly snapshot: Snapshot; readonly info: PageInfo }>;
}
