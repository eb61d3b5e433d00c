/** What all accounts have published: found by its words, and called from here. */
import { useEffect, useState } from 'preact/hooks';
import type { PublishedList } from '../../../protocol/index.ts';
import { Field } from '../components/field.tsx';
import { Link } from '../dashboard/address.tsx';
import { useLoad } from '../dashboard/load.ts';
import { Pages } from '../dashboard/pages.tsx';
import { Badge, Empty, LoadedView, PageHead } from '../dashboard/parts.tsx';
import { call } from '../dashboard/session.ts';
import { agoWords } from '../dashboard/words.ts';

const waitMs = 250;

export function ApisPage() {
  const [text, setText] = useState('');
  const [words, setWords] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWords(text.trim()), waitMs);
    return () => clearTimeout(timer);
  }, [text]);
  const apis = useLoad(() => call<PublishedList>('GET', pathOf(words)), [words]);
  return (
    <>
      <PageHead title="Marketplace" about="APIs that were published here. A version that you call never changes." />
      <Field
        label="Find"
        type="search"
        placeholder="Words of its name or description"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <LoadedView loaded={apis}>
        {(first) =>
          first.items.length > 0 ? (
            <Pages key={words} first={first} path={pathOf(words)}>
              {(items) => <ApiRows items={items} />}
            </Pages>
          ) : (
            <Empty title={words === '' ? 'Nothing is published yet' : 'Nothing has these words'} />
          )
        }
      </LoadedView>
    </>
  );
}

function ApiRows({ items }: { readonly items: readonly PublishedList['items'][number][] }) {
  return (
    <ul class="rows" aria-label="Published APIs">
      {items.map(({ api_stub, name, description, owner, version, published_at }) => (
        <li key={api_stub} class="row row-link">
          <div class="row-main">
            <Link class="row-title" to={`/apis/${api_stub}`}>
              {name}
            </Link>
            {description !== undefined && <span class="row-about row-clip">{description}</span>}
            <span class="row-about">
              <code>{api_stub}</code>
              <span>by {owner}</span>
              <span>{agoWords(published_at)}</span>
            </span>
          </div>
          <Badge tone="accent">v{version}</Badge>
        </li>
      ))}
    </ul>
  );
}

function pathOf(words: string): string {
  const query = new URLSearchParams({ limit: '25' });
  if (words !== '') query.set('q', words);
  return `/v1/published-service?${query}`;
}
