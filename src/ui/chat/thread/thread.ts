/**
 * Asks questions in the conversation on the page, and keeps it synchronised with the URL: `/?thread=<id>&search=<id>` names a thread
 * of the account and the last question that is shown of it, so links, reloads and the Back button work. `/?search=<id>` alone opens a
 * search that belongs to no thread, such as one of an API's client. `/?q=<question>` asks it, as a browser whose search engine this
 * server is does; the thread then takes the place of the question in the URL.
 */
import { effect, signal } from '@preact/signals';
import type { CitewireError, Client, SearchInput } from '../../../client/client.ts';
import { signedIn } from '../../account/signed-in.ts';
import { setAddress } from '../answer/quotes/close-on-back.ts';
import { attachAgain, checkAttached, documentNames, documents } from '../composer/attachments/documents.ts';
import { chosenCollections, collectionsField } from '../composer/collections.ts';
import { choiceIsKnown, modelField } from '../composer/models.ts';
import { isAwaited } from '../composer/send/awaited-question.ts';
import { last, omitsImage, opening, questionOf, questions, reopened, thread_id } from './conversation.ts';
import { needsNewThread } from './ending/failure-text.ts';
import { openPage } from './overlays.ts';
import { idOf, type Question, questionsOf } from './questions.ts';
import { returnToPlace } from './scroll-place.ts';
import { keyFor } from './sent-request.ts';
import { addressOf } from './thread-address.ts';
import { newestBelow, pathTo, versionsOf } from './thread-tree.ts';
import { isRunning, isSignedOut, openTurn, startTurn, type Turn } from './turn.ts';

/** Asks a question, as a follow-up to the last one if there is one. One that never became a search is replaced. */
export function ask(request: SearchInput): void {
  const question = last.value;
  const { turn } = question ?? {};
  const isFailed = turn !== undefined && !isRunning(turn) && idOf(question!) === undefined;
  if (isFailed) drop(question!);
  add(request, isFailed ? question!.parent : question);
}

/**
 * Asks another version of a question; the earlier one stays. One that never became a search is replaced. Where its thread was
 * deleted, it begins a new one.
 */
export function askAgain(turn: Turn, request: SearchInput | undefined = turn.request): void {
  const question = questionOf(turn);
  if (question === undefined || request === undefined) return;
  if (turn.failure.value !== undefined && needsNewThread(turn.failure.value))
    return askInNewThread(request, omitsImage(question));
  if (isRunning(turn)) turn.stop();
  if (idOf(question) === undefined) drop(question);
  add(request, question.parent, omitsImage(question));
}

/** With the documents and collections that it was asked of. */
function askInNewThread(request: SearchInput, lacksImage: boolean): void {
  const { collections = [], source_whitelist } = request;
  startNew();
  chosenCollections.value = collections;
  attachAgain(source_whitelist);
  add(request, undefined, lacksImage);
}

/** Once somebody is signed in again: reads the searches that were interrupted, and asks what never became one. */
export function continueTurns(): void {
  const { client } = signedIn.value ?? {};
  if (client === undefined) return;
  for (const question of pathTo(last.value)) {
    const { turn } = question;
    if (turn === undefined || !isSignedOut(turn)) continue;
    const search_id = idOf(question);
    if (search_id === undefined) askAgain(turn);
    else question.turn = openTurn(client, search_id, question.request);
  }
  reopened.value += 1;
}

function drop(question: Question): void {
  question.turn?.leave();
  questions.value = questions.value.filter((each) => each !== question);
}

function add(request: SearchInput, parent: Question | undefined, lacksImage = false): void {
  const { client } = signedIn.value ?? {};
  if (client === undefined) return;
  // Of a thread that could not be opened, nothing is shown above the question, which begins another.
  if (typeof opening.value === 'object') opening.value = false;
  const { previous_search_id: _, thread: _thread, model: _model, collections: _collections, ...own } = request;
  const previous_search_id = parent && idOf(parent);
  const joined: SearchInput = {
    ...own,
    ...modelField(),
    // Attached documents are asked alone, and need not be in a collection.
    ...(documentNames(own.source_whitelist).length > 0 ? {} : collectionsField()),
    thread: thread_id.value ?? true,
    ...(previous_search_id === undefined ? {} : { previous_search_id }),
  };
  const idempotencyKey = keyFor(joined);
  const turn = startTurn(client, joined, idempotencyKey);
  const hasImage = request.image !== undefined;
  const question: Question = {
    parent,
    search_id: undefined,
    request: joined,
    idempotencyKey,
    hasImage,
    lacksImage,
    turn,
  };
  questions.value = [...questions.value, question];
  last.value = question;
  followId(question);
}

/** Puts the id of a search that was started here into the URL. One that had to be restarted gets another id. */
function followId(question: Question): void {
  const isNew = thread_id.peek() === undefined;
  // The question of an address gives way to its thread. So does a search without one: the thread shows it, too.
  const isPushed = isNew && question.parent === undefined && !new URLSearchParams(location.search).has('q');
  let shown: string | undefined;
  effect(() => {
    const { search_id } = question.turn!.search.value;
    if (search_id === undefined || search_id === shown || last.peek() !== question) return;
    const how = isPushed && shown === undefined ? 'push' : 'replace';
    shown = search_id;
    // One that was sent before the page was loaded again is in its thread already.
    questions.value = questions.peek().filter((each) => each.search_id !== search_id);
    if (isNew) thread_id.value = search_id;
    goTo(addressOf(search_id, thread_id.peek()), how);
  });
}

/** Shows another version of the question of a turn, with what was asked after it. */
export function showVersion(turn: Turn, at: number): void {
  const question = questionOf(turn);
  const { client } = signedIn.value ?? {};
  if (question === undefined || client === undefined) return;
  const version = versionsOf(questions.value, question)[at - 1];
  if (version === undefined) return;
  show(client, newestBelow(questions.value, version));
  const shown = last.value && idOf(last.value);
  if (shown !== undefined) goTo(addressOf(shown, thread_id.value), 'replace');
}

/** Shows the path to this question; opens the searches on it that are not open yet. */
function show(client: Client, question: Question): void {
  for (const each of pathTo(question)) each.turn ??= openTurn(client, each.search_id!, each.request);
  last.value = question;
}

export function startNew(): void {
  clear();
  if (location.search !== '') goTo('/', 'push');
}

export function openThread(id: string): void {
  goTo(`/?thread=${encodeURIComponent(id)}`, 'push');
  showAddress();
}

/** A link to a search in its thread; it opens only for the same account. */
export function linkTo(search_id: string): string {
  return new URL(addressOf(search_id, thread_id.value), location.origin).href;
}

/** The path and the query of what is shown. */
let address: string | undefined;

function goTo(next: string, how: 'push' | 'replace'): void {
  setAddress(next, how);
  address = next;
}

/** Shows the thread in the URL, now and whenever it changes. What is shown stays if only the fragment does. */
export function followAddress(): void {
  addEventListener('popstate', () => {
    if (location.pathname + location.search === address) return;
    returnToPlace();
    showAddress();
  });
  showAddress();
}

/** Shows the thread or the search that the URL names, or asks the question that it holds. */
export function showAddress(): void {
  clear();
  address = location.pathname + location.search;
  const { client } = signedIn.value ?? {};
  if (client === undefined) return;
  const query = new URLSearchParams(location.search);
  const id = query.get('thread');
  const search_id = query.get('search');
  const prompt = query.get('q')?.trim() ?? '';
  if (id !== null) void readThread(client, id, search_id);
  else if (search_id !== null) openSearch(client, search_id);
  else if (prompt !== '') void askFromAddress(prompt);
}

/** Asks it with the model that this browser chose, once it is known whether the server still has it. */
async function askFromAddress(prompt: string): Promise<void> {
  const own = reading;
  await choiceIsKnown();
  if (own === reading) ask({ prompt });
}

function openSearch(client: Client, search_id: string): void {
  const question: Question = { parent: undefined, search_id, request: undefined, hasImage: false, turn: undefined };
  questions.value = [question];
  show(client, question);
}

let reading = 0;

async function readThread(client: Client, id: string, search_id: string | null): Promise<void> {
  const own = (reading += 1);
  opening.value = true;
  const chosenBefore = chosenCollections.peek();
  try {
    const thread = await client.threads.get(id);
    if (own !== reading) return;
    const all = questionsOf(thread);
    questions.value = all;
    thread_id.value = id;
    const newest = all.at(-1);
    const shown = all.find((each) => each.search_id === search_id) ?? newest;
    if (shown !== undefined) {
      // What was chosen or attached while it was read stays, as what was written before the page was loaded again.
      if (chosenCollections.peek() === chosenBefore) chosenCollections.value = shown.request?.collections ?? [];
      if (documents.value.length === 0) attachAgain(shown.request?.source_whitelist);
      void checkAttached(client);
      show(client, shown);
      goTo(addressOf(shown.search_id!, id), 'replace');
    }
    opening.value = false;
  } catch (error) {
    if (own !== reading) return;
    // It would be asked in a new thread.
    isAwaited.value = false;
    opening.value = error as CitewireError;
  }
}

/** Counts how often another thread took the place of the one on the page. */
export const changesOfThread = signal(0);

function clear(): void {
  reading += 1;
  changesOfThread.value += 1;
  for (const { turn } of questions.value) turn?.leave();
  openPage.value = undefined;
  chosenCollections.value = [];
  isAwaited.value = false;
  attachAgain();
  opening.value = false;
  thread_id.value = undefined;
  last.value = undefined;
  questions.value = [];
}
