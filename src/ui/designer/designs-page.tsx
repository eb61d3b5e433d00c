/** The account's designs. */

import type { DesignList } from '../../../protocol/index.ts';
import { Button } from '../components/button.tsx';
import { formatAgo } from '../components/format.ts';
import { Badge } from '../dashboard/badge.tsx';
import { EmptyState } from '../dashboard/empty-state.tsx';
import { LoadedView } from '../dashboard/loaded-view.tsx';
import { PageHead } from '../dashboard/page-head.tsx';
import { PagedList } from '../dashboard/paged-list.tsx';
import { Link, navigate } from '../dashboard/router.tsx';
import { call, mayUse } from '../dashboard/session.ts';
import { useLoad } from '../dashboard/use-load.ts';
import { t } from '../language/designer/text.ts';
import { fill } from '../language/message.ts';

const path = '/v1/design-api?limit=50';

export function DesignsPage() {
  const designs = useLoad(() => call<DesignList>('GET', path), []);
  return (
    <>
      <PageHead title={t.designs.title} about={t.designs.about}>
        {mayUse('design') && (
          <Button look="main" onClick={() => navigate('/designs/new')}>
            {t.designs.create}
          </Button>
        )}
      </PageHead>
      <LoadedView loaded={designs}>
        {(first) =>
          first.items.length > 0 ? (
            <PagedList first={first} path={path}>
              {(items) => <DesignRows items={items} />}
            </PagedList>
          ) : (
            <EmptyState title={t.designs.none}>
              <p>{t.designs.noneAbout}</p>
            </EmptyState>
          )
        }
      </LoadedView>
    </>
  );
}

function DesignRows({ items }: { readonly items: readonly DesignList['items'][number][] }) {
  return (
    <ul class="rows" aria-label={t.designs.title}>
      {items.map(({ api_id, name, api_stub, description, published_version, updated_at }) => (
        <li key={api_id} class="row row-link">
          <div class="row-main">
            <Link class="row-title" to={`/designs/${api_id}`}>
              {name}
            </Link>
            {description !== undefined && <span class="row-about row-clip">{description}</span>}
            <span class="row-about">
              <code>{api_stub}</code>
              <span>{fill(t.designs.changed, { ago: formatAgo(updated_at) })}</span>
            </span>
          </div>
          {published_version === undefined ? (
            <Badge>{t.designs.draft}</Badge>
          ) : (
            <Badge tone="good">{fill(t.designs.published, { version: published_version })}</Badge>
          )}
        </li>
      ))}
    </ul>
  );
}
