/** The collections of the account, which designs keep as ids. */
import type { CollectionList } from '../../../protocol/index.ts';
import { call } from '../dashboard/session.ts';
import { useLoad } from '../dashboard/use-load.ts';

export interface Collections {
  /** Undefined while they are loading, or where they cannot be read. */
  readonly items: CollectionList['items'] | undefined;
  /** The id itself if the name is not known. */
  readonly nameOf: (collection_id: string) => string;
}

export function useCollections(): Collections {
  const items = useLoad(() => call<CollectionList>('GET', '/v1/collections'), []).data?.items;
  const nameOf = (id: string) => items?.find(({ collection_id }) => collection_id === id)?.name ?? id;
  return { items, nameOf };
}
