/** All searches of the account that have ended, newest first, a page at a time. */
import type { SearchList } from '../../../../protocol/index.ts';
import { useLoad } from '../load.ts';
import { Pages } from '../pages.tsx';
import { Empty, LoadedView, PageHead } from '../parts.tsx';
import { call } from '../session.ts';
import { SearchRows } from './search-rows.tsx';

const path = '/v1/search?limit=25';

export function SearchesPage() {
  const first = useLoad(() => call<SearchList>('GET', path), []);
  return (
    <>
      <PageHead title="Searches" about="What this account has asked, by whichever key, and what each search took." />
      <LoadedView loaded={first}>
        {(page) =>
          page.items.length === 0 ? (
            <Empty title="No searches yet" />
          ) : (
            <Pages first={page} path={path}>
              {(items) => <SearchRows items={items} />}
            </Pages>
          )
        }
      </LoadedView>
    </>
  );
}
