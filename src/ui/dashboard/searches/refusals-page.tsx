/** The log of refused calls: what was refused to which key, and why. */
import { useState } from 'preact/hooks';
import type { ApiKeyList, RefusalList } from '../../../../protocol/index.ts';
import { SelectField } from '../../components/field.tsx';
import { formatAgo, formatDateTime } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { describeIssue } from '../../language/server-text.ts';
import { Badge } from '../badge.tsx';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { PagedList } from '../paged-list.tsx';
import { Link } from '../router.tsx';
import { call } from '../session.ts';
import { useLoad } from '../use-load.ts';
import './searches.css';

export function RefusalsPage() {
  const [keyId, setKeyId] = useState('');
  const path = `/v1/account/refusals?limit=50${keyId === '' ? '' : `&key_id=${encodeURIComponent(keyId)}`}`;
  const first = useLoad(() => call<RefusalList>('GET', path), [path]);
  const keys = useLoad(() => call<ApiKeyList>('GET', '/v1/keys'), []);
  const all = keys.data?.items ?? [];
  const nameOf = (id: string) => all.find(({ key_id }) => key_id === id)?.name ?? id;
  return (
    <>
      <nav class="crumbs" aria-label={t.common.breadcrumb}>
        <Link to="/searches">{t.shell.searches}</Link>
      </nav>
      <PageHead title={t.searches.refused} about={t.searches.refusedAbout} />
      <search class="filters" aria-label={t.searches.refused}>
        <SelectField label={t.common.key} value={keyId} onChange={({ currentTarget }) => setKeyId(currentTarget.value)}>
          <option value="">{t.common.allKeys}</option>
          {all.map(({ key_id, name }) => (
            <option key={key_id} value={key_id}>
              {name}
            </option>
          ))}
        </SelectField>
      </search>
      <LoadedView loaded={first}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState title={t.searches.noRefused} />
          ) : (
            <PagedList key={path} first={page} path={path}>
              {(items) => (
                <ul class="rows" aria-label={t.searches.refused}>
                  {items.map((item) => (
                    <RefusalRow key={`${item.request_id} ${item.at}`} of={item} name={nameOf(item.key_id)} />
                  ))}
                </ul>
              )}
            </PagedList>
          )
        }
      </LoadedView>
    </>
  );
}

type Item = RefusalList['items'][number];

function RefusalRow({ of: item, name }: { readonly of: Item; readonly name: string }) {
  const { at, method, path, status, code, message, request_id } = item;
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">{describeIssue(message)}</span>
        <span class="row-about">
          <span title={formatDateTime(at)}>{formatAgo(at)}</span>
          <span>{name}</span>
          <code class="row-code">
            {method} {path}
          </code>
          <code class="row-code">{request_id}</code>
        </span>
      </div>
      <Badge tone="bad">{`${status} ${code.replaceAll('_', ' ')}`}</Badge>
    </li>
  );
}
