/**
 * Resumes the sources that were waiting or being read when a server stopped: those that it left waiting immediately, and
 * those of a server that died once they have gone untouched for longer than a living one would leave them.
 */
import type { PlanName } from '../../access/plans.ts';
import { everybody } from '../../base/source-names.ts';
import type { Indexer } from '../../sources/indexer.ts';
import type { SourceIndex, StoredSource } from '../../sources/source-index.ts';
import { indexingLimits } from './sources.ts';

/** Longer than a source that is being indexed goes without being touched, ms: see corpus/sources/source-tables.ts. */
const laterMs = 65_000;

export interface ResumeParts {
  readonly index: Pick<SourceIndex, 'list'>;
  readonly indexer: Indexer;
  readonly accounts: () => Promise<
    readonly { readonly id: string; readonly plan: PlanName; readonly status: string }[]
  >;
  readonly onFault: (error: unknown) => void;
}

/**
 * Looks once now, and once more later for what another process was reading now. Sources of inactive accounts stay as they are.
 */
export function resumeSources({ index, indexer, accounts, onFault }: ResumeParts): void {
  async function look(): Promise<boolean> {
    const all = await index.list();
    const planOf = new Map(
      (await accounts()).map(({ id, plan, status }) => [id, status === 'active' ? plan : undefined]),
    );
    for (const source of all.filter(isLeft)) {
      // Sources for everybody have the same limits under every plan.
      const plan = source.owner === everybody ? 'pro' : planOf.get(source.owner);
      if (plan !== undefined) indexer.start(source, indexingLimits(source, plan));
    }
    return all.some(({ state }) => state === 'indexing');
  }

  look()
    .then(async (isMoreToCome) => {
      if (!isMoreToCome) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, laterMs).unref();
        indexer.closed.addEventListener('abort', () => clearTimeout(timer), { once: true });
      });
      await look();
    })
    .catch(onFault);
}

/** Sources that only the command line reads again are left alone. */
function isLeft({ source, owner, state, interrupted }: StoredSource): boolean {
  const own = source.slice(owner === everybody ? 0 : owner.length + 1);
  return /^(?:file|url|folder):/.test(own) && (state === 'waiting' || interrupted === true);
}
