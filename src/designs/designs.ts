/**
 * Designed APIs: drafts that their account edits, and versions that it publishes for everyone. Builds the request of a run
 * but never runs anything itself.
 */
import type { Design } from '../../protocol/index.ts';
import { type ApiRun, buildApiRun, inputsOfText } from './api-run.ts';
import { noDraft } from './design-errors.ts';
import type { DesignRecords } from './design-records.ts';
import { createDrafts, type DraftCalls } from './drafts.ts';
import { createVersions, type VersionCalls } from './versions.ts';

export interface ApiName {
  readonly api_stub: string;
  /** By default the account's own draft or, if it has none, the newest version. */
  readonly version?: number | 'newest' | 'draft' | undefined;
}

export interface Designs extends DraftCalls, VersionCalls {
  /** The request of a run with these inputs. Rejects with 404, or 422 whose `loc` begins with `at`. */
  buildRun(account_id: string, name: ApiName, inputs: unknown, at: readonly string[]): Promise<ApiRun>;
  /** The same with what a person wrote: the inputs as a JSON object, or the value of the only one that must be given. */
  buildRunOfText(account_id: string, name: ApiName, text: string, at: readonly string[]): Promise<ApiRun>;
}

/** `onFault` is called for versions that are omitted because their content does not match its hash. */
export function createDesigns(records: DesignRecords, onFault: (error: unknown) => void): Designs {
  const now = createClock();
  const drafts = createDrafts(records, now);
  const versions = createVersions({ records, drafts: drafts.access, now, onFault });

  async function resolveName(
    account_id: string,
    { api_stub, version }: ApiName,
  ): Promise<[Design, ApiRun['api'], Pick<ApiRun, 'owner'>]> {
    if (version === undefined || version === 'draft') {
      const design = await drafts.access.byStub(account_id, api_stub);
      if (design !== undefined) return [design, { api_stub }, { owner: account_id }];
      if (version === 'draft') throw noDraft(api_stub);
    }
    const found = await versions.published(api_stub, typeof version === 'number' ? version : undefined);
    return [found.design, { api_stub, version: found.version }, { owner: found.account_id }];
  }

  return {
    ...drafts.calls,
    ...versions,

    async buildRun(account_id, name, inputs, at) {
      const [design, api, owner] = await resolveName(account_id, name);
      return { ...buildApiRun(design, api, inputs, at), ...owner };
    },

    async buildRunOfText(account_id, name, text, at) {
      const [design, api, owner] = await resolveName(account_id, name);
      return { ...buildApiRun(design, api, inputsOfText(design, text, at), at), ...owner };
    },
  };
}

/** ISO 8601 times that increase with every call, so that listings by time are in order of creation. */
function createClock(): () => string {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return new Date(last).toISOString();
  };
}
