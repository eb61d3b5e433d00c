/** An answer is printed once, even if its search was restarted halfway. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswerText } from '../../src/cli/ask/answer-text.ts';

/** What is written of a restarted answer between these attempts; `|` stands where another answer begins. */
function typeOut(attempts: readonly (readonly string[])[], isLive: boolean): string {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const answer = createAnswerText({ write, isLive, onMismatch: () => write('|') });
  for (const texts of attempts) {
    answer.restart();
    for (const text of texts) answer.add(text);
  }
  answer.end();
  return written;
}

describe('a restarted answer', () => {
  const texts = fc.array(fc.string({ maxLength: 5 }), { maxLength: 8 });

  it('prints a restarted answer to a pipe once, in its last version', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1 }), (attempts) => {
        expect(typeOut(attempts, false)).toBe(attempts.at(-1)!.join(''));
      }),
    );
  });

  it('does not repeat a restarted answer at a terminal if it is the same', () => {
    fc.assert(
      fc.property(texts, fc.nat(8), (whole, cut) => {
        expect(typeOut([whole.slice(0, cut), whole], true)).toBe(whole.join(''));
      }),
    );
  });

  it.each([
    [
      [
        ['One ', 'two'],
        ['One ', 'three'],
      ],
      'One two|One three',
    ],
    [[['One two three'], ['One']], 'One two three|One'],
    [[['One'], ['Two'], ['One']], 'One|Two|One'],
  ])('prints a restarted answer in full at a terminal if it differs: %j', (attempts, written) => {
    expect(typeOut(attempts, true)).toBe(written);
  });
});
