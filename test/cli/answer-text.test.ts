/** An answer that is typed out once, also when it was begun anew halfway. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswerText } from '../../src/cli/answer-text.ts';

/** What is written of an answer that is begun anew between these attempts; `|` stands where another answer begins. */
function typeOut(attempts: readonly (readonly string[])[], isLive: boolean): string {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const answer = createAnswerText({ write, isLive, onOther: () => write('|') });
  for (const texts of attempts) {
    answer.beginAnew();
    for (const text of texts) answer.add(text);
  }
  answer.end();
  return written;
}

describe('an answer that is begun anew', () => {
  const texts = fc.array(fc.string({ maxLength: 5 }), { maxLength: 8 });

  it('is in a pipe the last one, once', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1 }), (attempts) => {
        expect(typeOut(attempts, false)).toBe(attempts.at(-1)!.join(''));
      }),
    );
  });

  it('is at a terminal not said again where it is the same', () => {
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
  ])('is at a terminal said whole where it differs: %j', (attempts, written) => {
    expect(typeOut(attempts, true)).toBe(written);
  });
});
