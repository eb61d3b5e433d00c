/** All searches of the account that have ended, newest first, a page at a time. */
import { useState } from 'preact/hooks';
import type { SearchList } from '../../../protocol/index.ts';
import { Button } from '../design/button.tsx';
import { toast } from '../design/toast.tsx';
import { useLoad } from './load.ts';
import { Empty, LoadedView, PageHead } from './parts.tsx';
import { SearchRows } from './search-rows.tsx';
import { client } from './session.ts';

export function SearchesPage() {
  const first = useLoad((signal) => client().listSearches({ limit: 25, signal }), []);
  return (
    <>
      <PageHead title="Searches" about="What this account has asked, by whichever key, and what each search took." />
      <LoadedView loaded={first}>
        {(page) => (page.items.length === 0 ? <Empty title="No searches yet" /> : <Pages first={page} />)}
      </LoadedView>
    </>
  );
}

function Pages({ first }: { readonly first: SearchList }) {
  const [later, setLater] = useState<SearchList[]>([]);
  const { cursor } = later.at(-1) ?? first;
  const more = async () => {
    try {
      const next = await client().listSearches({ limit: 25, cursor: cursor! });
      setLater([...later, next]);
    } catch (error) {
      toast((error as Error).message);
    }
  };
  return (
    <>
      <SearchRows items={[first, ...later].flatMap(({ items }) => items)} />
      {cursor !== undefined && <Button onClick={more}>Show more</Button>}
    </>
  );
}
