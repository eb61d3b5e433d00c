/**
 * The collections of the account, and those that the thread on the page is restricted to: none for a new one, its own for an
 * opened one.
 */
import { computed, effect, signal } from '@preact/signals';
import type { Collection } from '../../../../protocol/index.ts';
import type { SearchInput } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';
import { t } from '../../language/text.ts';

/** Undefined until the server has answered. */
const list = signal<readonly Collection[] | undefined>(undefined);
/** Empty until the server has answered, and where there are none. */
export const collections = computed(() => list.value ?? []);
/** Ids. */
export const chosenCollections = signal<readonly string[]>([]);

/** The ids of those that the key is restricted to that this browser signed in with; undefined if it is not. */
const keyCollections = computed(() => signedIn.value?.session.key?.collections);
/** The names of those that are left; undefined for a key that is not restricted, and until they are known. */
export const namesOfKey = computed(() => {
  const [ids, known] = [keyCollections.value, list.value];
  if (ids === undefined || known === undefined) return undefined;
  return known.filter(({ collection_id }) => ids.includes(collection_id)).map(({ name }) => name);
});

/** The field `collections` of a request. Those that have since been deleted are left out. */
export function collectionsField(): Pick<SearchInput, 'collections'> {
  const known = list.value;
  const isThere = (id: string) => known === undefined || known.some(({ collection_id }) => collection_id === id);
  const ids = chosenCollections.value.filter(isThere);
  return ids.length === 0 ? {} : { collections: ids };
}

/** The names of those that a request was restricted to, by id; empty for no restriction, and until they are known. */
export function collectionNames(ids: readonly string[] = []): string[] {
  const known = list.value;
  if (known === undefined) return [];
  return ids.map((id) => known.find(({ collection_id }) => collection_id === id)?.name ?? t.composer.deletedCollection);
}

/** Keeps the list up to date with who is signed in. A failure is not shown: there are no collections to choose then. */
export function loadCollections(): void {
  effect(() => void readCollections());
}

/** Reads the list again. */
export function readCollections(): void {
  signedIn.value?.client.collections.list().then(
    ({ items }) => {
      list.value = items;
    },
    () => {},
  );
}
