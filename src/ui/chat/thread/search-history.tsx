/** Finished searches of the account, newest first and grouped by day; loads more on demand. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CitewireError, Client, SearchList } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { describeFailure } from './failure-text.ts';
import { endedTurns, openSearch, shownIds } from './thread.ts';

type Item = SearchList['items'][number];

export function SearchHistory({ client, onOpened }: { readonly client: Client; readonly onOpened: () => void }) {
  const items = useSignal<readonly Item[]>([]);
  const cursor = useSignal<string | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const ended = endedTurns.value;
  const current = new Set(shownIds.value.split(' '));

  const load = async (after: string | undefined) => {
    try {
      const page = await client.listSearches({ limit: 30, ...(after === undefined ? {} : { cursor: after }) });
      items.value = after === undefined ? page.items : [...items.value, ...page.items];
      cursor.value = page.cursor;
      problem.value = undefined;
    } catch (error) {
      problem.value = describeFailure(error as CitewireError).title;
    }
  };
  useEffect(() => void load(undefined), [client, ended]);

  if (problem.value !== undefined) return <p class="history-none">{problem.value}</p>;
  if (items.value.length === 0) return <p class="history-none">Your searches will appear here.</p>;
  return (
    <div class="history">
      {[...byDay(items.value)].map(([day, those]) => (
        <section key={day}>
          <h3>{day}</h3>
          <ul>
            {those.map(({ search_id, prompt, state }) => (
              <li key={search_id}>
                <button
                  type="button"
                  class="history-item"
                  aria-current={current.has(search_id) ? 'true' : undefined}
                  onClick={() => {
                    openSearch(search_id);
                    onOpened();
                  }}
                >
                  {prompt}
                  {state !== 'completed' && <span class="history-state">{state}</span>}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {cursor.value !== undefined && (
        <Button look="quiet" onClick={() => void load(cursor.value)}>
          Show more
        </Button>
      )}
    </div>
  );
}

function byDay(items: readonly Item[]): Map<string, Item[]> {
  const days = new Map<string, Item[]>();
  for (const item of items) {
    const day = dayLabel(new Date(item.created_at));
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return days;
}

function dayLabel(date: Date): string {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const days = Math.ceil((midnight - date.getTime()) / 86_400_000);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 7 ? 'This week' : date.toLocaleDateString(undefined, { month: 'long', year: 'numeric' });
}
