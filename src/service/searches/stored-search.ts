/** What is stored of a background search, so that another process can restart it. */
import type { SearchChannel } from '../../../protocol/index.ts';
import type { Caller } from '../../access/identity.ts';
import type { RunWebhook } from '../../runs/records/run-records.ts';
import type { SearchCall } from '../calls.ts';
import type { Reach } from '../sources/reach.ts';
import type { PreviousSearch } from './previous-search.ts';
import type { SearchSpec } from './specify-search.ts';

export interface StoredSearch {
  readonly spec: SearchSpec;
  readonly caller: Caller;
  readonly request_id: string;
  readonly maxSeconds: number;
  /** Its secret is sealed. */
  readonly webhook?: RunWebhook;
  /** The span of the call that started it. */
  readonly traceparent?: string;
  readonly channel?: SearchChannel;
}

/** What a search was found to need when it started. */
export interface Resolved {
  readonly conversation: PreviousSearch;
  readonly reach: Reach | undefined;
  readonly webhook: RunWebhook | undefined;
}

/** What a restart takes over of the call. */
type CallToRestart = Pick<SearchCall, 'request_id' | 'traceparent' | 'channel'>;

/** A `StoredSearch` as JSON. What it refers to is stored as resolved now: the search that it follows up may be removed. */
export function inputToRestart(
  search: Pick<StoredSearch, 'caller' | 'spec' | 'maxSeconds'> & { readonly call: CallToRestart },
  { conversation, reach, webhook }: Resolved,
): string {
  const { caller, call, spec, maxSeconds } = search;
  const { request_id, traceparent, channel } = call;
  const { request: asked, parts, api, instructions, allowed } = spec;
  const { webhook: _webhook, previous_search_id: _previous, thread: _thread, ...request } = asked;
  const { address: _address, ...lastingCaller } = caller;
  const lasting = { request, parts, api, previous: conversation, instructions, allowed, reach };
  return JSON.stringify({
    spec: lasting,
    caller: lastingCaller,
    request_id,
    maxSeconds,
    webhook,
    traceparent,
    channel,
  });
}
