/**
 * The first line of an answer is the model's verdict on it. It is taken off and given at the end; text waits only while it
 * may still be that line. By hand and not as a generator, for the sake of every token that comes after it.
 */
import type { TextResult } from '../../protocol/index.ts';
import type { Verdict } from '../engine/ports.ts';
import { ModelError } from './model-error.ts';

type Status = TextResult['status'];

const statusLine = /^\W{0,4}status\W{0,6}(answered|partial|not[_ ]found|conflicting)\W{0,4}(?:\n\s*|$)/i;
const statusBegun = /^\W{0,4}(?:s|st|sta|stat|statu|status\b[^\n]{0,40})?$/i;

/** Rejects with a ModelError for an answer without a word or a verdict. `isCut`: whether it was ended for its length. */
export function readVerdict(
  stream: AsyncIterableIterator<string>,
  isCut: () => boolean,
): AsyncIterableIterator<string | Verdict> {
  let head: string | undefined = '';
  let status: Status | undefined;
  let given = false;
  let isEmpty = true;

  async function begin(): Promise<IteratorResult<string | Verdict>> {
    for (;;) {
      const { value, done } = await stream.next();
      if (!done) head += value;
      if (!done && statusBegun.test(head!)) continue;
      const found = statusLine.exec(head!);
      const text = found === null ? head! : head!.slice(found[0].length);
      status = found?.[1]?.toLowerCase().replace(' ', '_') as Status | undefined;
      head = undefined;
      if (text !== '') {
        isEmpty = text.trim() === '';
        return { value: text, done: false };
      }
      return done ? end() : pass(await stream.next());
    }
  }

  function pass(result: IteratorResult<string>): IteratorResult<string | Verdict> {
    if (result.done) return end();
    isEmpty = false;
    return result;
  }

  function end(): IteratorResult<string | Verdict> {
    if (given) return { value: undefined, done: true };
    given = true;
    if (isEmpty && status === undefined) throw new ModelError('it gave an empty answer.');
    const verdict = isCut() ? 'partial' : status;
    return verdict === undefined ? { value: undefined, done: true } : { value: { status: verdict }, done: false };
  }

  return {
    next: () => (head === undefined ? stream.next().then(pass) : begin()),
    async return() {
      await stream.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
