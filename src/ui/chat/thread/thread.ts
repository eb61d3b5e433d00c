/**
 * The questions on the page, synchronised with the URL. `/?search=<id>` names the last one, so links, reloads and the Back
 * button work; the ids of earlier ones are stored in the browser's history entry. `/?q=<question>` asks it, as a browser whose
 * search engine this server is does; the search then takes the place of the question in the URL.
 */
import { computed, effect, signal } from '@preact/signals';
import type { SearchInput } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';
import { openPage } from './overlays.ts';
import { isRunning, openTurn, startTurn, type Turn } from './turn.ts';

export const turns = signal<readonly Turn[]>([]);

/** The turn that is still running. These three are computed signals because they change rarely, unlike `turns` with every event. */
export const runningTurn = computed(() => turns.value.findLast(isRunning));
/** How many searches have ended on this page. */
export const endedTurns = computed(() => turns.value.filter((turn) => !isRunning(turn)).length);
/** Ids of the searches on the page, separated by spaces. */
export const shownIds = computed(() => turns.value.map(({ search }) => search.value.search_id ?? '').join(' '));

/** Starts a search, as a follow-up to the last question if there is one. */
export function ask(request: SearchInput): void {
  const { client } = signedIn.value ?? {};
  if (client === undefined) return;
  const previous_search_id = turns.value.at(-1)?.search.value.search_id;
  const followUp = previous_search_id === undefined ? request : { ...request, previous_search_id };
  addTurn(startTurn(client, followUp));
}

/** Asks the question of a turn again and replaces the turn. */
export function retryTurn(turn: Turn): void {
  const { request } = turn;
  const { client } = signedIn.value ?? {};
  if (request === undefined || client === undefined) return;
  leaveTurns([turn]);
  turns.value = turns.value.filter((each) => each !== turn);
  addTurn(startTurn(client, request));
}

export function startNew(): void {
  leaveTurns(turns.value);
  openPage.value = undefined;
  turns.value = [];
  if (location.search !== '') history.pushState(null, '', '/');
}

export function openSearch(search_id: string): void {
  history.pushState({ ids: [search_id] }, '', addressOf(search_id));
  showAddress();
}

/** A link to a search; it opens only for the same account. */
export function linkTo(search_id: string): string {
  return new URL(addressOf(search_id), location.origin).href;
}

/** Shows the searches in the URL, now and whenever it changes. */
export function followAddress(): void {
  addEventListener('popstate', showAddress);
  showAddress();
}

/** Shows the searches that the URL and the history entry name, or asks the question that the URL holds. */
export function showAddress(): void {
  const address = new URLSearchParams(location.search);
  const named = address.get('search');
  const ids = named === null ? [] : idsWith(named);
  leaveTurns(turns.value);
  openPage.value = undefined;
  const { client } = signedIn.value ?? {};
  turns.value = client === undefined ? [] : ids.map((id) => openTurn(client, id));
  const prompt = address.get('q')?.trim() ?? '';
  if (named === null && prompt !== '') ask({ prompt });
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
  // A search that had to be restarted gets another id.
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
