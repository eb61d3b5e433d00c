/** How sources are shown to accounts. */
import type { IndexedSource, IndexVectors } from '../../../protocol/index.ts';
import { addressOfUpload, documentation, everybody } from '../../base/source-names.ts';
import { withoutCredentials } from '../../sources/refuse-credentials.ts';
import type { StoredSource, VectorsAbout } from '../../sources/source-index.ts';

/** A source as its account sees it; every account sees those of everybody. Old ones may have URLs with a password. */
export function describeSource({
  id,
  owner,
  passages,
  indexed_at,
  reason,
  failures,
  truncated = 0,
  truncations = [],
  ...source
}: StoredSource): IndexedSource {
  const { kind, name, state, pages, bytes, done, total, added_at, failed } = source;
  const address = source.address ?? addressOfUpload(source.source, name);
  return {
    source_id: id,
    kind,
    name: kind === 'file' ? name : withoutCredentials(name),
    ...(address === undefined ? {} : { address: withoutCredentials(address) }),
    shared: owner === everybody || owner === documentation,
    state,
    pages,
    ...(passages === null ? {} : { passages }),
    bytes,
    done,
    total,
    added_at,
    ...(indexed_at === null ? {} : { indexed_at }),
    failed,
    failures: failures.map((each) => ({
      source: withoutCredentials(each.source),
      reason: withoutCredentials(each.reason),
    })),
    ...(truncated === 0 ? {} : { truncated, truncations: truncations.map(withoutCredentials) }),
    ...(reason === null ? {} : { reason: withoutCredentials(reason) }),
  };
}

/** The progress of the vectors, as the list of sources shows it. */
export function describeVectors({ model, done, total, dimensions, trouble, failure }: VectorsAbout): IndexVectors {
  return {
    model,
    done,
    total,
    ...(dimensions === null ? {} : { dimensions }),
    ...(trouble === undefined ? {} : { reason: trouble }),
    ...(failure === undefined ? {} : { last_error: failure }),
  };
}
