/** The drafts of designed APIs, which their accounts edit. */
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import {
  Design,
  DesignChange,
  type DesignList,
  type DesignRecord,
  designLimits,
  protoField,
} from '../../protocol/index.ts';
import { invalid, parse } from '../base/errors.ts';
import { joinObjects } from '../base/json-text.ts';
import { noDraft, stubTaken } from './design-errors.ts';
import type { DesignRecords, Draft, ListedDraft, ListPage, Page } from './design-records.ts';
import { readSummary, summarize } from './freeze.ts';

export interface DraftCalls {
  /** Rejects with 422. */
  create(account_id: string, body: unknown): Promise<DesignRecord>;
  /** A DesignRecord, as JSON: the stored text is not parsed. */
  get(account_id: string, api_id: string): Promise<string>;
  list(account_id: string, page: ListPage): Promise<Page<DesignList['items'][number]>>;
  change(account_id: string, api_id: string, body: unknown): Promise<DesignRecord>;
  /** Published versions stay. */
  remove(account_id: string, api_id: string): Promise<void>;
}

/** The part of the drafts that publishing and running need. */
export interface DraftAccess {
  /** Rejects with 404. */
  designOf(account_id: string, api_id: string): Promise<Design>;
  /** The draft without its document. Rejects with 404. */
  findListed(account_id: string, api_id: string): Promise<ListedDraft>;
  /** Undefined if the account has no draft of this stub. */
  byStub(account_id: string, api_stub: string): Promise<Design | undefined>;
  /** Saves what `next` makes of the draft; of the newest one, if it is changed at the same time. */
  rewrite(account_id: string, api_id: string, next: (design: Design) => Design): Promise<DesignRecord>;
}

/** `now` gives the times of changes, in ISO 8601. */
export function createDrafts(
  records: DesignRecords,
  now: () => string,
): { readonly calls: DraftCalls; readonly access: DraftAccess } {
  async function find<Found>(api_id: string, found: Promise<Found | undefined>): Promise<Found> {
    const draft = await found;
    if (draft === undefined) throw noDraft(api_id);
    return draft;
  }
  const findDraft = (account_id: string, api_id: string) => find(api_id, records.get(account_id, api_id));
  const findListed = (account_id: string, api_id: string) => find(api_id, records.listed(account_id, api_id));

  async function rewrite(account_id: string, api_id: string, next: (design: Design) => Design): Promise<DesignRecord> {
    for (;;) {
      const { published_version: _, ...draft } = await findDraft(account_id, api_id);
      const design = next(designOf(draft));
      const changes = { ...textsOf(design), revision: draft.revision + 1, updated_at: now() };
      const outcome = await records.change({ ...draft, ...changes });
      if (outcome === 'stub_taken') throw stubTaken(design.api_stub);
      if (outcome === 'changed') return { ...own(await findListed(account_id, api_id)), ...design };
    }
  }

  const calls: DraftCalls = {
    async create(account_id, body) {
      const design = readWhole(Design, body);
      const created_at = now();
      const api_id = `api_${randomBytes(16).toString('base64url')}`;
      const times = { created_at, updated_at: created_at };
      const draft: Draft = { api_id, account_id, ...textsOf(design), revision: 1, ...times };
      const outcome = await records.add(draft, designLimits.per_account);
      if (outcome === 'stub_taken') throw stubTaken(design.api_stub);
      if (outcome === 'full') {
        throw invalid(['body'], `expected at most ${designLimits.per_account} designs per account`, 'too_long');
      }
      return { ...own(await findListed(account_id, api_id)), ...design };
    },

    async get(account_id, api_id) {
      const draft = await findDraft(account_id, api_id);
      return joinObjects(JSON.stringify(own(draft)), draft.content);
    },

    async list(account_id, page) {
      const { items, ...more } = await records.list(account_id, page);
      const listed = items.map((draft) => ({ ...own(draft), api_stub: draft.api_stub, ...readSummary(draft) }));
      return { items: listed, ...more };
    },

    async change(account_id, api_id, body) {
      const change = readWhole(DesignChange, body);
      return rewrite(account_id, api_id, (design) => parse(Design, changed(design, change)));
    },

    async remove(account_id, api_id) {
      if (!(await records.remove(account_id, api_id))) await findListed(account_id, api_id);
    },
  };

  const access: DraftAccess = {
    designOf: async (account_id, api_id) => designOf(await findDraft(account_id, api_id)),
    findListed,
    async byStub(account_id, api_stub) {
      const draft = await records.byStub(account_id, api_stub);
      return draft && designOf(draft);
    },
    rewrite,
  };

  return { calls, access };
}

/** Also refuses a field named `__proto__`, which the schema would silently ignore. */
function readWhole<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const read = parse(schema, body);
  const proto = protoField(body);
  if (proto !== undefined) throw invalid(['body', ...proto], 'expected no field of this name', 'extra_forbidden');
  return read;
}

function textsOf(design: Design): Pick<Draft, 'api_stub' | 'content' | 'summary'> {
  return { api_stub: design.api_stub, content: JSON.stringify(design), summary: summarize(design) };
}

function designOf({ content }: Pick<Draft, 'content'>): Design {
  return JSON.parse(content) as Design;
}

/** The fields of a DesignRecord that the design itself does not have. */
function own({ api_id, created_at, updated_at, published_version }: ListedDraft) {
  return { api_id, created_at, updated_at, ...(published_version === null ? {} : { published_version }) };
}

/** The design with the changed fields; `null` removes one, and what has a default gets it once this is parsed. */
function changed(design: Design, change: DesignChange): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...design, ...change }).filter(([, value]) => value !== null));
}
