/**
 * The answer in a model's stream: without its thoughts (thoughts.ts) and an object around it (json-answer.ts), and with its
 * verdict (status-line.ts) as an object instead of a line. An iterator by hand, because a generator would cost every later token.
 */
import { withoutControls } from '../../base/text/without-controls.ts';
import type { Verdict } from '../../engine/ports/model.ts';
import { ModelError } from '../model-error.ts';
import { createJsonAnswerFilter } from './json-answer.ts';
import { createStatusFilter } from './status-line.ts';
import { answerBegins } from './status-patterns.ts';
import { createThoughtFilter } from './thoughts.ts';

/**
 * The text of `stream`, and the verdict as soon as it is known. With `isThinker`, thoughts that nothing opens are expected.
 * Rejects with a `ModelError` if neither text nor a verdict that excuses it comes.
 */
export function readVerdict(
  stream: AsyncIterableIterator<string>,
  isThinker = false,
): AsyncIterableIterator<string | Verdict> {
  const thoughts = createThoughtFilter(answerBegins, isThinker);
  const unwrapped = createJsonAnswerFilter();
  const verdicts = createStatusFilter();
  let reported: Verdict['status'] | undefined;
  let isEmpty = true;
  let isOver = false;
  let waiting = '';

  /** What is to be passed on of a piece, or undefined if all of it waits. */
  function read(text: string): IteratorResult<string | Verdict> | undefined {
    if (text !== '') isEmpty &&= text.trim() === '';
    if (verdicts.status !== reported) {
      reported = verdicts.status!;
      waiting = text;
      return { value: { status: reported }, done: false };
    }
    return text === '' ? undefined : { value: text, done: false };
  }

  function onNext({
    value,
    done,
  }: IteratorResult<string>): ReturnType<typeof advance> | IteratorResult<string | Verdict> {
    if (!done) return read(verdicts.push(unwrapped.push(thoughts.push(withoutControls(value))))) ?? advance();
    isOver = true;
    const rest = unwrapped.push(thoughts.finish()) + unwrapped.finish();
    const last = read(verdicts.push(rest) + verdicts.finish());
    if (isEmpty && reported !== 'not_found') throw new ModelError('it returned an empty answer.');
    return last ?? { value: undefined, done: true };
  }

  const advance = (): Promise<IteratorResult<string | Verdict>> => stream.next().then(onNext);

  return {
    next() {
      if (waiting !== '') {
        const value = waiting;
        waiting = '';
        return Promise.resolve({ value, done: false });
      }
      return isOver ? Promise.resolve({ value: undefined, done: true }) : advance();
    },
    async return() {
      await stream.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
