/** All items of a list that the server sends in pages, where a choice among them needs every one. */
import { call } from './session.ts';

/** `path` has a query already. Rejects with CitewireError. */
export async function loadAll<Item>(path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let after = ''; ; ) {
    const page = await call<{ readonly items: readonly Item[]; readonly cursor?: string }>('GET', path + after);
    items.push(...page.items);
    if (page.cursor === undefined) return items;
    after = `&cursor=${encodeURIComponent(page.cursor)}`;
  }
}
