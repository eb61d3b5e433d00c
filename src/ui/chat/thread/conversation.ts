/** The conversation on the page: its questions, the turns that are shown, and what they were asked with. */
import { computed, signal } from '@preact/signals';
import type { CitewireError } from '../../../client/client.ts';
import { idOf, type Question } from './questions.ts';
import type { SentRequest } from './sent-request.ts';
import { pathTo, versionsOf } from './thread-tree.ts';
import { isRunning, isStopped, type Turn } from './turn.ts';

/** All questions of the conversation, in the order in which they were asked. */
export const questions = signal<readonly Question[]>([]);
/** The last one that is shown. */
export const last = signal<Question | undefined>(undefined);

/** The thread on the page; undefined for a search without one, and until the first search of a new one has begun. */
export const thread_id = signal<string | undefined>(undefined);
/** While a thread is being opened, true; afterwards why that failed, if it did. */
export const opening = signal<boolean | CitewireError>(false);

/** Counts the turns that were opened in the place of others. */
export const reopened = signal(0);

/** The turns on the path to the last question. */
export const turns = computed(() => {
  void reopened.value;
  return pathTo(last.value).flatMap(({ turn }) => turn ?? []);
});
/** The turn that is still running. These two are computed signals because they change rarely, unlike `turns` with every event. */
export const runningTurn = computed(() => turns.value.findLast(isRunning));
/** How many searches have ended on this page: those that had ended before changed nothing in their thread. */
export const endedTurns = computed(() => turns.value.filter((turn) => !isRunning(turn) && turn.wasRunning()).length);

/** The last question on the page; empty if there is none. */
export const lastPrompt = computed(() => turns.value.at(-1)?.prompt.value ?? '');

/** The last question on the page if no answer to it has begun here and it was not stopped: only this page may know it. */
export function unansweredRequest(): SentRequest | undefined {
  const question = last.value;
  if (question?.turn === undefined || idOf(question) !== undefined || isStopped(question.turn)) return undefined;
  const { request, idempotencyKey } = question;
  return request === undefined || idempotencyKey === undefined ? undefined : { request, idempotencyKey };
}

/** The question that a turn answers. */
export function questionOf(turn: Turn): Question | undefined {
  return questions.value.find((each) => each.turn === turn);
}

/** Which version of its question a turn is, from 1, and how many there are. */
export function versionOf(turn: Turn): { readonly at: number; readonly of: number } {
  const question = questionOf(turn);
  if (question === undefined) return { at: 1, of: 1 };
  const versions = versionsOf(questions.value, question);
  return { at: versions.indexOf(question) + 1, of: versions.length };
}

/** Whether the question of a turn came with an image that this page does not have. */
export function lostImage(turn: Turn): boolean {
  const question = questionOf(turn);
  return question?.hasImage === true && question.request?.image === undefined;
}

/** Whether the question of a turn was asked again without its image. */
export function lacksImage(turn: Turn): boolean {
  return questionOf(turn)?.lacksImage === true;
}

/** Whether asking a question again leaves out its image. */
export function omitsImage({ hasImage, lacksImage, request }: Question): boolean {
  return lacksImage === true || (hasImage && request?.image === undefined);
}
