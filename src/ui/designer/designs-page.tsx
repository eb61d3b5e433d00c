/** The account's designs. */
import type { DesignList } from '../../../protocol/index.ts';
import { Button } from '../components/button.tsx';
import { go, Link } from '../dashboard/address.tsx';
import { useLoad } from '../dashboard/load.ts';
import { Pages } from '../dashboard/pages.tsx';
import { Badge, Empty, LoadedView, PageHead } from '../dashboard/parts.tsx';
import { call } from '../dashboard/session.ts';
import { agoWords } from '../dashboard/words.ts';

const path = '/v1/design-api?limit=50';

export function DesignsPage() {
  const designs = useLoad(() => call<DesignList>('GET', path), []);
  return (
    <>
      <PageHead
        title="Designs"
        about="An API of your own: a prompt with inputs, the shape of its answers, and versions that never change."
      >
        <Button look="main" onClick={() => go('/designs/new')}>
          New design
        </Button>
      </PageHead>
      <LoadedView loaded={designs}>
        {(first) =>
          first.items.length > 0 ? (
            <Pages first={first} path={path}>
              {(items) => <DesignRows items={items} />}
            </Pages>
          ) : (
            <Empty title="No designs yet">
              <p>Turn a question that you ask again and again into an API that others can call.</p>
            </Empty>
          )
        }
      </LoadedView>
    </>
  );
}

function DesignRows({ items }: { readonly items: readonly DesignList['items'][number][] }) {
  return (
    <ul class="rows" aria-label="Designs">
      {items.map(({ api_id, name, api_stub, description, published_version, updated_at }) => (
        <li key={api_id} class="row row-link">
          <div class="row-main">
            <Link class="row-title" to={`/designs/${api_id}`}>
              {name}
            </Link>
            {description !== undefined && <span class="row-about row-clip">{description}</span>}
            <span class="row-about">
              <code>{api_stub}</code>
              <span>changed {agoWords(updated_at)}</span>
            </span>
          </div>
          {published_version === undefined ? (
            <Badge>draft</Badge>
          ) : (
            <Badge tone="good">published v{published_version}</Badge>
          )}
        </li>
      ))}
    </ul>
  );
}
