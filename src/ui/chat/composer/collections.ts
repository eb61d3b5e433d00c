/** The collections of the account, and those that the thread on the page is restricted to: a new one to none, an opened one as it was. */
import { effect, signal } from '@preact/signals';
import type { Collection } from '../../../../protocol/index.ts';
import type { SearchInput } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';

/** Empty until the server has answered, and where there are none. */
export const collections = signal<readonly Collection[]>([]);
/** Ids. */
export const chosenCollections = signal<readonly string[]>([]);

/** The field `collections` of a request. One that was deleted meanwhile is left out. */
export function collectionsField(): Pick<SearchInput, 'collections'> {
  const ids = chosenCollections.value.filter((id) => collections.value.some((each) => each.collection_id === id));
  return ids.length === 0 ? {} : { collections: ids };
}

/** Keeps the list up to date with who is signed in. Without it every question is asked of all sources: a failure is not shown. */
export function loadCollections(): void {
  effect(() => void readCollections());
}

/** Reads the list again. */
export function readCollections(): void {
  signedIn.value?.client.collections.list().then(
    ({ items }) => {
      collections.value = items;
    },
    () => {},
  );
}
