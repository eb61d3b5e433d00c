/** The marketplace: published APIs of all accounts, with search. */

import { useEffect, useState } from 'preact/hooks';
import type { PublishedList } from '../../../protocol/index.ts';
import { Field } from '../components/field.tsx';
import { formatAgo } from '../components/format.ts';
import { Badge } from '../dashboard/badge.tsx';
import { EmptyState } from '../dashboard/empty-state.tsx';
import { LoadedView } from '../dashboard/loaded-view.tsx';
import { PageHead } from '../dashboard/page-head.tsx';
import { PagedList } from '../dashboard/paged-list.tsx';
import { Link } from '../dashboard/router.tsx';
import { call } from '../dashboard/session.ts';
import { useLoad } from '../dashboard/use-load.ts';
import { t } from '../language/designer/text.ts';
import { fill } from '../language/message.ts';

const debounceMs = 250;

export function ApisPage() {
  const [text, setText] = useState('');
  const [query, setQuery] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQuery(text.trim()), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  const apis = useLoad(() => call<PublishedList>('GET', pathOf(query)), [query]);
  return (
    <>
      <PageHead title={t.market.title} about={t.market.about} />
      <Field
        label={t.market.search}
        type="search"
        placeholder={t.market.placeholder}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <LoadedView loaded={apis}>
        {(first) =>
          first.items.length > 0 ? (
            <PagedList key={query} first={first} path={pathOf(query)}>
              {(items) => <ApiRows items={items} />}
            </PagedList>
          ) : (
            <EmptyState title={query === '' ? t.market.none : t.market.noMatch} />
          )
        }
      </LoadedView>
    </>
  );
}

function ApiRows({ items }: { readonly items: readonly PublishedList['items'][number][] }) {
  return (
    <ul class="rows" aria-label={t.market.list}>
      {items.map(({ api_stub, name, description, owner, version, published_at }) => (
        <li key={api_stub} class="row row-link">
          <div class="row-main">
            <Link class="row-title" to={`/apis/${api_stub}`}>
              {name}
            </Link>
            {description !== undefined && <span class="row-about row-clip">{description}</span>}
            <span class="row-about">
              <code>{api_stub}</code>
              <span>{fill(t.market.by, { owner })}</span>
              <span>{formatAgo(published_at)}</span>
            </span>
          </div>
          <Badge tone="accent">v{version}</Badge>
        </li>
      ))}
    </ul>
  );
}

function pathOf(query: string): string {
  const parameters = new URLSearchParams({ limit: '25' });
  if (query !== '') parameters.set('q', query);
  return `/v1/published-service?${parameters}`;
}
