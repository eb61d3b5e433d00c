/** The threads of the account: the pinned ones, then the others by day. They can be searched, renamed, pinned and deleted. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CitewireError, Client, ThreadSummary } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { formatMonth } from '../../components/format.ts';
import { MoreIcon, PinIcon } from '../../components/icons.tsx';
import { Menu } from '../../components/menu.tsx';
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { endedTurns, thread_id } from './conversation.ts';
import { describeFailure } from './ending/failure-text.ts';
import { openThread } from './thread.ts';
import { threadActions, threadChanges } from './thread-actions.tsx';

/** The model's title arrives after the answer. Set by hand. */
const titleMs = 4_000;
/** From a failure to the next attempt. Set by hand. */
const retryMs = 10_000;
/** From the last key press to the search. Set by hand. */
const typingMs = 200;

export function ThreadList({ client, onOpened }: { readonly client: Client; readonly onOpened: () => void }) {
  const items = useSignal<readonly ThreadSummary[] | undefined>(undefined);
  const cursor = useSignal<string | undefined>(undefined);
  const problem = useSignal<CitewireError | undefined>(undefined);
  const query = useSignal('');
  const newest = useRef(0);
  /** How many pages are to be shown. */
  const wanted = useRef(1);
  const [ended, changes, words] = [endedTurns.value, threadChanges.value, query.value];
  // A new thread is listed while its first answer is written, and is still there when the page goes on to another one.
  const shown = thread_id.value;

  /** Loads the pages that are to be shown, after those that are `known`. */
  const load = async (known: readonly ThreadSummary[] = [], pages = wanted.current, from?: string) => {
    const own = (newest.current += 1);
    const all = [...known];
    let after = from;
    try {
      for (let page = 0; page < pages && (page === 0 || after !== undefined); page += 1) {
        const next = await client.threads.list({ limit: 30, query: words.trim() || undefined, cursor: after });
        if (own !== newest.current) return;
        all.push(...next.items);
        after = next.cursor;
      }
      items.value = all;
      cursor.value = after;
      problem.value = undefined;
    } catch (error) {
      if (own === newest.current) problem.value = error as CitewireError;
    }
  };
  const more = () => {
    wanted.current += 1;
    void load(items.value, 1, cursor.value);
  };
  useEffect(() => {
    wanted.current = 1;
  }, [client, words]);
  useEffect(() => {
    const reload = () => void load();
    const timers = [
      setTimeout(reload, words === '' ? 0 : typingMs),
      ...(ended > 0 ? [setTimeout(reload, titleMs)] : []),
    ];
    return () => timers.forEach(clearTimeout);
  }, [client, ended, changes, words, shown]);
  const failed = problem.value;
  useEffect(() => {
    if (failed?.code !== 'connection_failed') return undefined;
    const again = () => void load();
    // The browser notices that the network is back, but not that the server is.
    addEventListener('online', again);
    const timer = setTimeout(again, retryMs);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [client, failed, words]);

  return (
    <div class="history">
      <input
        type="search"
        class="input history-find"
        aria-label={t.thread.find}
        placeholder={t.thread.find}
        maxLength={200}
        value={words}
        onInput={(event) => {
          query.value = event.currentTarget.value;
        }}
      />
      {failed !== undefined && <p class="history-none">{describeFailure(failed).title}</p>}
      {items.value?.length === 0 && (
        <p class="history-none">{words.trim() === '' ? t.thread.none : t.thread.noMatch}</p>
      )}
      {[...grouped(items.value ?? [])].map(([name, those]) => (
        <section key={name} aria-label={name}>
          <h3>{name}</h3>
          <ul>
            {those.map((thread) => (
              <li key={thread.thread_id} class="history-row">
                <button
                  type="button"
                  class="history-item"
                  title={thread.title}
                  aria-current={thread.thread_id === shown ? 'true' : undefined}
                  onClick={() => {
                    openThread(thread.thread_id);
                    onOpened();
                  }}
                >
                  {thread.pinned && <PinIcon size={13} />}
                  <span class="history-title" dir="auto">
                    {thread.title}
                  </span>
                </button>
                <Menu
                  label={fill(t.thread.actionsFor, { title: thread.title })}
                  actions={threadActions(client, thread)}
                >
                  <MoreIcon size={16} />
                </Menu>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {cursor.value !== undefined && (
        <Button look="quiet" onClick={more}>
          {t.thread.more}
        </Button>
      )}
    </div>
  );
}

function grouped(items: readonly ThreadSummary[]): Map<string, ThreadSummary[]> {
  const groups = new Map<string, ThreadSummary[]>();
  for (const item of items) {
    const name = item.pinned ? t.thread.pinned : dayLabel(new Date(item.updated_at));
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return groups;
}

function dayLabel(date: Date): string {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const days = Math.ceil((midnight - date.getTime()) / 86_400_000);
  if (days <= 0) return t.thread.today;
  if (days === 1) return t.thread.yesterday;
  return days < 7 ? t.thread.thisWeek : formatMonth(date);
}
