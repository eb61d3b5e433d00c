/**
 * The newest deliveries, read again while one of them is about to be tried. A key has a limit of reads, which this must leave to
 * others: only the first page is read, less and less often, and not while nobody looks.
 */
import { useEffect, useState } from 'preact/hooks';
import type { WebhookDelivery, WebhookDeliveryList } from '../../../../protocol/index.ts';
import { call } from '../session.ts';

/** What is tried within this time is waited for, ms; set by hand. A later try may be hours away. */
const soonMs = 60_000;
// The pauses, ms; set by hand.
const firstPauseMs = 1_500;
const maxPauseMs = 15_000;
const growth = 1.5;

/** Undefined if they are those of `first`, which was read from `path`. After a failure, they are read no more until `first` is. */
export function useNewestDeliveries(
  path: string,
  first: WebhookDeliveryList | undefined,
): readonly WebhookDelivery[] | undefined {
  const [newest, setNewest] = useState<{ readonly of: typeof first; readonly items: readonly WebhookDelivery[] }>();
  useEffect(() => {
    if (first === undefined) return undefined;
    let isGone = false;
    let isDue = false;
    let pauseMs = firstPauseMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (items: readonly WebhookDelivery[]) => {
      if (!items.some(isTriedSoon)) return;
      timer = setTimeout(() => {
        isDue = true;
        read();
      }, pauseMs);
      pauseMs = Math.min(pauseMs * growth, maxPauseMs);
    };
    const read = () => {
      if (!isDue || document.hidden) return;
      isDue = false;
      call<WebhookDeliveryList>('GET', path).then(
        ({ items }) => {
          // Where nothing is in both, something may be missing in between.
          if (isGone || !items.some((item) => includes(first.items, item))) return;
          setNewest({ of: first, items });
          wait(items);
        },
        () => {},
      );
    };
    document.addEventListener('visibilitychange', read);
    wait(first.items);
    return () => {
      isGone = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [first]);
  return newest?.of === first ? newest?.items : undefined;
}

/** With what else was read before. */
export function withNewest(
  items: readonly WebhookDelivery[],
  newest: readonly WebhookDelivery[] | undefined,
): readonly WebhookDelivery[] {
  return newest === undefined ? items : [...newest, ...items.filter((item) => !includes(newest, item))];
}

/**
 * Also while it is sent: the next try is then put off until that one would have failed. What is long overdue is tried by nobody, as
 * while a server has no webhooks.
 */
function isTriedSoon({ state, next_try_at }: WebhookDelivery): boolean {
  return state === 'pending' && next_try_at !== null && Math.abs(Date.parse(next_try_at) - Date.now()) < soonMs;
}

function includes(items: readonly WebhookDelivery[], { delivery_id }: WebhookDelivery): boolean {
  return items.some((item) => item.delivery_id === delivery_id);
}
