/**
 * Designed APIs: the calls of their authors, who create, change and publish them. Running one is not among them: a run is a
 * search and is called as one.
 */
import * as z from 'zod';
import {
  ApiId,
  CollectionNames,
  type DesignDeleted,
  type DesignList,
  type DesignRecord,
  type VersionListing,
  type VersionPublished,
} from '../../../protocol/index.ts';
import type { Caller } from '../../access/identity.ts';
import { checkUnrestricted } from '../../access/restriction.ts';
import { checkScope } from '../../access/scopes.ts';
import { parse } from '../../base/errors.ts';
import { joinObjects } from '../../base/json-text.ts';
import type { Designs } from '../../designs/designs.ts';
import type { BodyCall, Call, CallAccess, Charge, Query } from '../calls.ts';
import { createCallerCounter } from '../count-caller.ts';
import type { LargeRead } from '../large-reads.ts';
import type { Reaches } from '../sources/reach.ts';
import { createPublishedCalls, describeVersion, type PublishedCalls, parsePage, parseStub } from './published.ts';
import type { RunExampleOf } from './run-example.ts';

export interface DesignCalls extends PublishedCalls {
  create(call: BodyCall): Promise<DesignRecord>;
  list(call: Call, query: Query): Promise<DesignList>;
  /** A DesignRecord, as JSON. */
  read(call: Call, api_id: string): Promise<string>;
  change(call: BodyCall, api_id: string): Promise<DesignRecord>;
  /** Replaces the draft with a published version. */
  restore(call: BodyCall, api_id: string): Promise<DesignRecord>;
  /** Retires a version of the account, or offers it again; `version` is called only once the caller is known. */
  retire(call: BodyCall, api_stub: string, version: () => number): Promise<VersionListing>;
  remove(call: Call, api_id: string): Promise<DesignDeleted>;
  /** Charges a unit for each example, and one if there is none. */
  publish(call: Call, api_id: string): Promise<VersionPublished>;
  /** Calls the listener whenever a version is published or retired in this process; returns a function that removes it. */
  onPublished(listener: () => void): () => void;
  /** DesignVersions, as JSON. */
  versions(call: Call, api_id: string, query: Query): Promise<string>;
}

interface Parts {
  readonly access: CallAccess;
  readonly charge: Charge;
  readonly designs: Designs;
  readonly largeRead: LargeRead;
  readonly reaches: Pick<Reaches, 'idsOf'>;
  readonly runExample: RunExampleOf;
}

/** For all examples of a design together, because its author waits for one plain answer, as with a search. */
const examplesMs = 55_000;

/** The calls of authors need the scope `design`. */
export function createDesignCalls({ access, charge, designs, largeRead, runExample, reaches }: Parts): DesignCalls {
  const listeners = new Set<() => void>();

  /** Designs may be large, so their calls are counted in buckets of their own; they are not charged. */
  const countCaller = createCallerCounter(access, checkAuthor);

  /**
   * The body with the ids of its collections: a collection may be renamed. An invalid list is refused with the rest of the body.
   */
  async function readDesign(caller: Caller, call: BodyCall): Promise<unknown> {
    const body = await call.body();
    const { collections } = (body ?? {}) as { collections?: unknown };
    const names = CollectionNames.safeParse(collections);
    if (!names.success) return body;
    return { ...(body as object), collections: await reaches.idsOf(caller, names.data) };
  }

  return {
    ...createPublishedCalls({ access, designs, largeRead }),

    async create(call) {
      const caller = await countCaller(call, 'writes');
      return designs.create(caller.account_id, await readDesign(caller, call));
    },

    async list(call, query) {
      const caller = await countCaller(call, 'reads');
      const page = parsePage(query);
      return largeRead(caller, call, () => designs.list(caller.account_id, page));
    },

    async read(call, api_id) {
      const caller = await countCaller(call, 'reads');
      const id = parseApiId(api_id);
      return largeRead(caller, call, () => designs.get(caller.account_id, id));
    },

    async change(call, api_id) {
      const caller = await countCaller(call, 'writes');
      return designs.change(caller.account_id, parseApiId(api_id), await readDesign(caller, call));
    },

    async restore(call, api_id) {
      const { account_id } = await countCaller(call, 'writes');
      return designs.restore(account_id, parseApiId(api_id), await call.body());
    },

    async retire(call, api_stub, version) {
      const { account_id } = await countCaller(call, 'writes');
      const listing = await designs.retire(account_id, parseStub(api_stub), version(), await call.body());
      for (const listener of listeners) listener();
      return listing;
    },

    async remove(call, api_id) {
      const { account_id } = await countCaller(call, 'writes');
      await designs.remove(account_id, parseApiId(api_id));
      return { api_id, deleted: true };
    },

    async publish(call, api_id) {
      const caller = await access.identify(call.from);
      checkAuthor(caller);
      await charge(caller, call);
      const run = runExample(caller, call, performance.now() + examplesMs);
      let isPaid = true;
      const published = await designs.publish(caller.account_id, parseApiId(api_id), async (question, signal) => {
        if (!isPaid) await charge(caller, call);
        isPaid = false;
        return run(question, signal);
      });
      for (const listener of listeners) listener();
      return published;
    },

    onPublished(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async versions(call, api_id, query) {
      const caller = await countCaller(call, 'reads');
      const [id, page] = [parseApiId(api_id), parsePage(query)];
      const { items, ...more } = await largeRead(caller, call, () => designs.versionsOf(caller.account_id, id, page));
      const versions = items.map((version) =>
        joinObjects(JSON.stringify(describeVersion(version)), `{"design":${version.content}}`),
      );
      return joinObjects(`{"items":[${versions.join()}]}`, JSON.stringify(more));
    },
  };
}

function checkAuthor(caller: Caller): void {
  checkScope(caller, 'design');
  // A published API quotes from its collections to everyone.
  checkUnrestricted(caller, 'use the designs of the account');
}

function parseApiId(api_id: string): string {
  return parse(z.object({ api_id: ApiId }), { api_id }, 'path').api_id;
}
