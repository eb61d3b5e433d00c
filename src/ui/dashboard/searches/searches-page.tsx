/** The finished searches of the account, newest first, page by page: all of them, or what the filters select. */
import { useEffect, useState } from 'preact/hooks';
import type { ApiKeyList, SearchList } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../language/dashboard/text.ts';
import { EmptyState } from '../empty-state.tsx';
import { keyName } from '../keys/key-name.ts';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { PagedList } from '../paged-list.tsx';
import { Link } from '../router.tsx';
import { call } from '../session.ts';
import { useLoad } from '../use-load.ts';
import { ExportButton } from './export-button.tsx';
import { RunningSearches } from './running-searches.tsx';
import { type Filters, queryOf, readFilters, SearchFilters, writeFilters } from './search-filters.tsx';
import { SearchRows } from './search-rows.tsx';
import './searches.css';

/** From the last key pressed until searches are selected. Set by hand. */
const typingMs = 300;

export function SearchesPage() {
  const [filters, setFilters] = useState(() => readFilters(location.search));
  const written = writeFilters(filters);
  const query = useSettled(written, () => queryOf(filters, Date.now()));
  const path = `/v1/search?limit=25${query}`;
  const first = useLoad(() => call<SearchList>('GET', path), [path]);
  const keys = useLoad(() => call<ApiKeyList>('GET', '/v1/keys'), []);
  const nameOf = (id: string) => keyName(keys.data, id);
  const change = (change: Partial<Filters>) => setFilters((before) => ({ ...before, ...change }));
  const clear = () => {
    setFilters(readFilters(''));
    // The button that was pressed goes.
    document.querySelector<HTMLElement>('.filters input')?.focus();
  };
  useEffect(() => {
    history.replaceState(history.state, '', location.pathname + (written === '' ? '' : `?${written}`));
  }, [written]);
  return (
    <>
      <PageHead title={t.shell.searches} about={t.searches.about}>
        <Link to="/searches/refused">{t.searches.refused}</Link>
        <ExportButton query={query} nameOf={nameOf} />
      </PageHead>
      <RunningSearches onEnded={first.reload} />
      <SearchFilters filters={filters} keys={keys.data?.items ?? []} onChange={change} />
      <LoadedView loaded={first}>
        {(page) =>
          page.items.length === 0 ? (
            <NoSearches isFiltered={query !== ''} onClear={clear} />
          ) : (
            <PagedList key={path} first={page} path={path}>
              {(items) => <SearchRows items={items} nameOf={nameOf} />}
            </PagedList>
          )
        }
      </LoadedView>
    </>
  );
}

function NoSearches({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  if (!isFiltered) return <EmptyState title={t.usage.none} />;
  return (
    <EmptyState title={t.searches.noMatch}>
      <Button onClick={onClear}>{t.searches.clear}</Button>
    </EmptyState>
  );
}

/** The value made when `key` was last changed, once it has not been changed for a moment. */
function useSettled<Value>(key: string, make: () => Value): Value {
  const [settled, setSettled] = useState(() => ({ key, value: make() }));
  useEffect(() => {
    if (key === settled.key) return;
    const timer = setTimeout(() => setSettled({ key, value: make() }), typingMs);
    return () => clearTimeout(timer);
  }, [key, settled.key]);
  return settled.value;
}
