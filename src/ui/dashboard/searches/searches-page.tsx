/** All finished searches of the account, newest first, page by page. */
import type { SearchList } from '../../../../protocol/index.ts';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { PagedList } from '../paged-list.tsx';
import { call } from '../session.ts';
import { useLoad } from '../use-load.ts';
import { RunningSearches } from './running-searches.tsx';
import { SearchRows } from './search-rows.tsx';

const path = '/v1/search?limit=25';

export function SearchesPage() {
  const first = useLoad(() => call<SearchList>('GET', path), []);
  return (
    <>
      <PageHead title="Searches" about="All searches of this account, with any key, and what each one cost." />
      <RunningSearches onEnded={first.reload} />
      <LoadedView loaded={first}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState title="No searches yet" />
          ) : (
            <PagedList first={page} path={path}>
              {(items) => <SearchRows items={items} />}
            </PagedList>
          )
        }
      </LoadedView>
    </>
  );
}
