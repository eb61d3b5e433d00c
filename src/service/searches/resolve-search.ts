/** Finds what a search names: its model, the search that it follows up on, the sources it may use and the URL its end is sent to. */
import type { Webhook } from '../../../protocol/index.ts';
import type { Caller } from '../../access/identity.ts';
import { type AppError, invalid } from '../../base/errors.ts';
import type { Engine } from '../../engine/engine.ts';
import type { RunWebhook } from '../../runs/records/run-records.ts';
import type { Registry } from '../../runs/registry.ts';
import type { SearchCall } from '../calls.ts';
import type { Reaches } from '../sources/reach.ts';
import type { WebhookOfRun } from '../webhooks.ts';
import type { BackgroundRuns } from './background.ts';
import { checkModel } from './check-model.ts';
import { findOwn } from './own-searches.ts';
import { joinPrevious, type PreviousSearch, previousSearch } from './previous-search.ts';
import type { SearchSpec } from './specify-search.ts';
import type { Resolved } from './stored-search.ts';

export interface ResolverParts {
  readonly runs: Registry;
  readonly engine: Engine;
  /** Absent in a short-lived process. */
  readonly background?: BackgroundRuns | undefined;
  readonly reaches: Reaches;
  /** Absent in a short-lived process. */
  readonly webhookOfRun?: WebhookOfRun | undefined;
}

/** Of the start of a search, what names something. */
interface SearchToResolve {
  readonly caller: Caller;
  readonly call: Pick<SearchCall, 'webhook' | 'sentTo'>;
  readonly spec: SearchSpec;
  readonly restarted?: { readonly webhook: RunWebhook | undefined } | undefined;
}

/** A function that rejects with 422 if the search names what its caller does not have, or what only a server can do. */
export function createResolver(parts: ResolverParts): (search: SearchToResolve) => Promise<Resolved> {
  const { runs, engine, background, reaches, webhookOfRun } = parts;

  /** Rejects with 422 if nothing could be sent there. */
  async function findWebhook(
    caller: Caller,
    webhook: Webhook | undefined,
    place: 'query' | 'body',
  ): Promise<RunWebhook | undefined> {
    if (webhook === undefined) return undefined;
    if (webhookOfRun === undefined) throw needsServer('webhook');
    return webhookOfRun(caller, webhook, place);
  }

  /** The search that this one follows up on. Rejects with 422 when there is no such search. */
  async function findPrevious(caller: Caller, search_id: string | undefined): Promise<PreviousSearch | undefined> {
    if (search_id === undefined) return undefined;
    const previous = await previousSearch((id) => findOwn(runs, caller, id), search_id);
    if (previous !== undefined) return previous;
    const msg = `expected the id of one of your searches; got ${JSON.stringify(search_id)}`;
    throw invalid(['body', 'previous_search_id'], msg, 'value_error');
  }

  return async ({ caller, call, spec, restarted }) => {
    const { request, owner, previous } = spec;
    checkModel(engine, request.model);
    const reach = spec.reach ?? (await reaches.ofSearch(caller, { collections: request.collections, owner }));
    const conversation = joinPrevious(await findPrevious(caller, request.previous_search_id), previous);
    if (request.background === true && background === undefined) throw needsServer('background');
    // Only a run by its path names its webhook in the query, which has no secret.
    const place = call.webhook === undefined ? 'body' : 'query';
    const webhook =
      restarted === undefined
        ? (call.sentTo ?? (await findWebhook(caller, request.webhook, place)))
        : restarted.webhook;
    return { conversation, reach, webhook };
  };
}

/** The error for a field that only a server can honour. */
function needsServer(field: 'background' | 'webhook'): AppError {
  return invalid(['body', field], 'expected a server: this process ends with its caller', 'value_error');
}
