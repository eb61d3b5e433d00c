/**
 * The first line of an answer is the model's verdict on it. It is removed from the text, which waits only while it may
 * still be that line. An iterator by hand, because a generator would cost every later token.
 */
import type { TextResult } from '../../../protocol/index.ts';
import type { Verdict } from '../../engine/ports/model.ts';
import { ModelError } from '../model-error.ts';

type Status = TextResult['status'];

const statusLine = /^\W{0,4}status\W{0,6}(answered|partial|not[_ ]found|conflicting)\W{0,4}(?:\n\s*|$)/i;
const statusBegun = /^\W{0,4}(?:s|st|sta|stat|statu|status\b[^\n]{0,40})?$/i;

/** The text of `stream`, preceded by the verdict if there is one. Rejects with a `ModelError` if the answer is empty. */
export function readVerdict(stream: AsyncIterableIterator<string>): AsyncIterableIterator<string | Verdict> {
  let head: string | undefined = '';
  let rest = '';

  async function begin(): Promise<IteratorResult<string | Verdict>> {
    for (;;) {
      const { value, done } = await stream.next();
      if (!done) head += value;
      if (!done && statusBegun.test(head!)) continue;
      const found = statusLine.exec(head!);
      const text = found === null ? head! : head!.slice(found[0].length);
      head = undefined;
      if (found === null && text.trim() === '') throw new ModelError('it returned an empty answer.');
      if (found === null) return { value: text, done: false };
      rest = text;
      return { value: { status: found[1]!.toLowerCase().replace(' ', '_') as Status }, done: false };
    }
  }

  return {
    next() {
      if (head !== undefined) return begin();
      if (rest === '') return stream.next();
      const value = rest;
      rest = '';
      return Promise.resolve({ value, done: false });
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
