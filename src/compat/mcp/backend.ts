/**
 * What the tools need of Citewire, for one caller: the service of this process, or a running server reached by the client.
 * Every method rejects with an AppError that says what is wrong.
 */
import type {
  DesignList,
  KeyScope,
  PageContents,
  PageRequest,
  PublishedApi,
  SearchEvent,
} from '../../../protocol/index.ts';

import type { ReadablePage } from '../../service/contents.ts';

/** The body of POST /v1/search, not yet validated. */
export type SearchBody = Readonly<Record<string, unknown>>;

/** A search that continues, whether or not it is read, until it ends or is cancelled. */
export interface OpenSearch {
  readonly search_id: string;
  /** Its events, from the first to the terminal one. Ends early, without an error, once the signal fires. */
  events(signal: AbortSignal): AsyncIterable<SearchEvent>;
  /** Ends it. Does nothing once it has ended. */
  cancel(): void;
}

/** The newest version of a published API. */
export interface CallableApi extends Pick<PublishedApi, 'api_stub' | 'version' | 'name' | 'description' | 'owner'> {
  /** JSON Schema of its inputs. */
  readonly takes: object;
  /** JSON Schema of its answer. */
  readonly returns: object;
}

export interface ApiPage {
  /** Most recently published first. */
  readonly items: readonly CallableApi[];
  /** For the next page; absent on the last one. */
  readonly cursor?: string | undefined;
}

export interface Backend {
  /** What the caller may do. */
  readonly scopes: ReadonlySet<KeyScope>;
  /** Starts a search, which costs one unit. `signal` ends the wait for its start. */
  search(body: SearchBody, signal: AbortSignal): Promise<OpenSearch>;
  /** The same in the background, where the backend has that: nobody has to read it, and it survives a restart of the server. */
  research(body: SearchBody, signal: AbortSignal): Promise<OpenSearch>;
  /** Starts a run of the newest version of a published API, which costs one unit. */
  runApi(api_stub: string, inputs: SearchBody, signal: AbortSignal): Promise<OpenSearch>;
  /** A search of the caller's account, running or ended. */
  find(search_id: string, signal: AbortSignal): Promise<Omit<OpenSearch, 'cancel'>>;
  /** A page of the web, or one of the index by the address that a search has returned, which costs one unit. */
  page(request: PageRequest, signal: AbortSignal): Promise<ReadablePage>;
  snapshot(id: string, signal: AbortSignal): Promise<PageContents>;
  /** One page of the published APIs. */
  apis(cursor: string | undefined, signal: AbortSignal): Promise<ApiPage>;
  /** The newest drafts of the caller's account. */
  designs(signal: AbortSignal): Promise<DesignList['items']>;
  /** A DesignRecord, as JSON. */
  design(api_id: string, signal: AbortSignal): Promise<string>;
}
