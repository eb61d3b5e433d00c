/** The background searches that have not ended, with what each is doing; read again after a few seconds. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
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
  const section = useRef<HTMLElement>(null);
  useKeptFocus(section);
  useEffect(() => {
    const now = items.map(({ search_id }) => search_id);
    if (before.current.some((id) => !now.includes(id))) onEnded();
    before.current = now;
  }, [data]);
  if (items.length === 0) return null;
  return (
    <section class="part" aria-labelledby="running" ref={section}>
      <div class="part-head">
        <h2 id="running">{t.searches.running}</h2>
      </div>
      <SearchRows
        items={items}
        label={t.searches.runningLabel}
        actions={({ search_id, prompt }) => <CancelButton id={search_id} prompt={prompt} onCancelled={reload} />}
      />
    </section>
  );
}

interface CancelButtonProps {
  readonly id: string;
  readonly prompt: string;
  readonly onCancelled: () => void;
}

/** Busy until its row goes. */
function CancelButton({ id, prompt, onCancelled }: CancelButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    try {
      await call('DELETE', `/v1/search/${id}`);
      onCancelled();
    } catch (error) {
      toast(describeError(error));
      setBusy(false);
    }
  };
  return (
    <Button
      look="quiet"
      aria-label={fill(t.searches.cancelOf, { name: prompt })}
      isBusy={isBusy}
      onClick={() => void cancel()}
    >
      {t.common.cancel}
    </Button>
  );
}

/** The focus of a row that goes, as its search ended, is moved to the row that takes its place, or else to the page. */
function useKeptFocus(section: RefObject<HTMLElement | null>): void {
  // Read before the row goes.
  const at = [...(section.current?.querySelectorAll('li') ?? [])].findIndex((row) =>
    row.contains(document.activeElement),
  );
  useLayoutEffect(() => {
    if (at < 0 || document.activeElement !== document.body) return;
    const links = section.current?.querySelectorAll<HTMLElement>('li a') ?? [];
    (links[at] ?? links[links.length - 1] ?? document.getElementById('main'))?.focus({ preventScroll: true });
  });
}
