/**
 * The collections of the account, and those that the thread on the page is restricted to: none for a new one, its own for an
 * opened one.
 */
import { effect, signal } from '@preact/signals';
import type { Collection } from '../../../../protocol/index.ts';
import type { SearchInput } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';

/** Empty until the server has answered, and where there are none. */
export const collections = signal<readonly Collection[]>([]);
/** Ids. */
export const chosenCollections = signal<readonly string[]>([]);

/** The field `collections` of a request. Those that have since been deleted are left out. */
export function collectionsField(): Pick<SearchInput, 'collections'> {
  const ids = chosenCollections.value.filter((id) => collections.value.some((each) => each.collection_id === id));
  return ids.length === 0 ? {} : { collections: ids };
}

/** Keeps the list up to date with who is signed in. A failure is not shown: every question is then asked of all sources. */
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
