/** Saves all searches that the filters select, page after page. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SearchList } from '../../../../protocol/index.ts';
import type { CitewireError } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { download } from '../../components/files/download.ts';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeError } from '../../language/describe-error.ts';
import { fill } from '../../language/message.ts';
import { call } from '../session.ts';
import { writeCsv } from './csv.ts';
import { durationOf, type Item } from './search-names.ts';

/** `query` selects; it begins with `&` unless it is empty. */
export function ExportButton({
  query,
  nameOf,
}: {
  readonly query: string;
  readonly nameOf: (key_id: string) => string;
}) {
  const [read, setRead] = useState<number>();
  const isGone = useRef(false);
  useEffect(() => () => void (isGone.current = true), []);
  const save = async () => {
    setRead(0);
    try {
      const items: Item[] = [];
      let cursor: string | undefined;
      do {
        const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = await readPatiently(`/v1/search?limit=100${query}${after}`, () => isGone.current);
        if (isGone.current) return;
        items.push(...page.items);
        setRead(items.length);
        cursor = page.cursor;
      } while (cursor !== undefined);
      download('searches.csv', writeCsv([columns, ...items.map((item) => rowOf(item, nameOf))]));
    } catch (error) {
      toast(describeError(error));
    }
    setRead(undefined);
  };
  return (
    <Button isBusy={read !== undefined} onClick={save}>
      {read === undefined || read === 0 ? t.searches.export : fill(t.searches.exporting, { count: read })}
    </Button>
  );
}

/** Waits where the account has used its reads of the minute. */
async function readPatiently(path: string, isGone: () => boolean): Promise<SearchList> {
  for (;;) {
    try {
      return await call<SearchList>('GET', path);
    } catch (error) {
      const { code, retry_after_ms } = error as CitewireError;
      if (code !== 'rate_limited' || isGone()) throw error;
      await new Promise((resolve) => setTimeout(resolve, retry_after_ms ?? 1_000));
    }
  }
}

const columns = [
  'search_id',
  'created_at',
  'ended_at',
  'duration_ms',
  'outcome',
  'error_code',
  'mode',
  'door',
  'key_id',
  'key',
  'prompt',
];

/** Names and numbers as the API has them, because programs read them, whatever the language of the page. */
function rowOf(item: Item, nameOf: (key_id: string) => string) {
  const { search_id, created_at, ended_at, state, status, error_code, mode, channel, door, key_id, prompt } = item;
  const outcome = state === 'completed' ? (status ?? state) : state;
  const key = key_id === undefined ? undefined : nameOf(key_id);
  const time = [created_at, ended_at, durationOf(item)];
  return [search_id, ...time, outcome, error_code, mode, channel ?? door, key_id, key, prompt];
}
