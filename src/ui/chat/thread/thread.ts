/**
 * The questions on the page and their address. `/?search=<id>` names the last one, so that a link to it, a reload and the
 * browser's own Back lead where they should; those before it are kept with the entry of the browser's history.
 */
import { computed, effect, signal } from '@preact/signals';
import type { SearchInput } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';
import { askTurn, isRunning, openTurn, type Turn } from './turn.ts';
import { reading } from './view.ts';

export const turns = signal<readonly Turn[]>([]);

/** The turn whose answer is still coming. These three change seldom, what they are computed from with every event. */
export const runningTurn = computed(() => turns.value.findLast(isRunning));
/** How many searches have ended on this page. */
export const endedTurns = computed(() => turns.value.filter((turn) => !isRunning(turn)).length);
/** The ids on the page, with blanks between. */
export const shownIds = computed(() => turns.value.map(({ search }) => search.value.search_id ?? '').join(' '));

/** Asks, as a follow-up of the last question if there is one. */
export function ask(request: SearchInput): void {
  const { client } = signedIn.value ?? {};
  if (client === undefined) return;
  const previous_search_id = turns.value.at(-1)?.search.value.search_id;
  const followed = previous_search_id === undefined ? request : { ...request, previous_search_id };
  addTurn(askTurn(client, followed));
}

/** Asks the same once more, in the place of the last question. */
export function askAgain(turn: Turn): void {
  const { request } = turn;
  const { client } = signedIn.value ?? {};
  if (request === undefined || client === undefined) return;
  leaveTurns([turn]);
  turns.value = turns.value.filter((each) => each !== turn);
  addTurn(askTurn(client, request));
}

export function startNew(): void {
  leaveTurns(turns.value);
  reading.value = undefined;
  turns.value = [];
  if (location.search !== '') history.pushState(null, '', '/');
}

export function openSearch(search_id: string): void {
  history.pushState({ ids: [search_id] }, '', addressOf(search_id));
  readAddress();
}

/** The link to a search, for whoever has a key of the same account. */
export function linkTo(search_id: string): string {
  return new URL(addressOf(search_id), location.origin).href;
}

/** Shows what the address names, now and whenever it changes. */
export function followAddress(): void {
  addEventListener('popstate', readAddress);
  readAddress();
}

/** Shows what the address names. */
export function readAddress(): void {
  const named = new URLSearchParams(location.search).get('search');
  const ids = named === null ? [] : idsWith(named);
  leaveTurns(turns.value);
  reading.value = undefined;
  const { client } = signedIn.value ?? {};
  turns.value = client === undefined ? [] : ids.map((id) => openTurn(client, id));
}

function idsWith(last: string): string[] {
  const { ids } = (history.state ?? {}) as { ids?: unknown };
  const kept = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  return kept.at(-1) === last ? kept : [last];
}

function addTurn(turn: Turn): void {
  const isFirst = turns.value.length === 0;
  turns.value = [...turns.value, turn];
  let shown: string | undefined;
  // A search that the server had to begin anew has another id.
  effect(() => {
    const { search_id } = turn.search.value;
    if (search_id === undefined || search_id === shown || turns.peek().at(-1) !== turn) return;
    shown = search_id;
    const ids = turns.peek().map((each) => each.search.peek().search_id);
    if (isFirst && location.search === '') history.pushState({ ids }, '', addressOf(search_id));
    else history.replaceState({ ids }, '', addressOf(search_id));
  });
}

function addressOf(search_id: string): string {
  return `/?search=${encodeURIComponent(search_id)}`;
}

function leaveTurns(left: readonly Turn[]): void {
  for (const turn of left) turn.leave();
}
