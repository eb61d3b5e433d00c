/** The background searches that have not ended, with what each is doing; read again after a few seconds. */
import { useEffect, useRef } from 'preact/hooks';
import type { SearchList } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeError } from '../../language/describe-error.ts';
import { fill } from '../../language/message.ts';
import { call } from '../session.ts';
import { useLoad, useReload } from '../use-load.ts';
import { SearchRows } from './search-rows.tsx';

/** Set by hand. */
const pauseMs = 3_000;

/** `onEnded` is called when one of them has ended. */
export function RunningSearches({ onEnded }: { readonly onEnded: () => void }) {
  const running = useLoad(() => call<SearchList>('GET', '/v1/search?state=running'), []);
  useReload(running, pauseMs);
  const { data, reload } = running;
  const before = useRef<readonly string[]>([]);
  const items = data?.items ?? [];
  useEffect(() => {
    const now = items.map(({ search_id }) => search_id);
    if (before.current.some((id) => !now.includes(id))) onEnded();
    before.current = now;
  }, [data]);
  if (items.length === 0) return null;
  const cancel = async (id: string) => {
    await call('DELETE', `/v1/search/${id}`).catch((error: Error) => toast(describeError(error)));
    reload();
  };
  return (
    <section class="part" aria-labelledby="running">
      <div class="part-head">
        <h2 id="running">{t.searches.running}</h2>
      </div>
      <SearchRows
        items={items}
        label={t.searches.runningLabel}
        actions={({ search_id, prompt }) => (
          <Button
            look="quiet"
            aria-label={fill(t.searches.cancelOf, { name: prompt })}
            onClick={() => cancel(search_id)}
          >
            {t.common.cancel}
          </Button>
        )}
      />
    </section>
  );
}
