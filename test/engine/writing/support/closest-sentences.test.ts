/** Which sentences of a page are compared with a claim, and how much of it they say. */
import { expect, it } from 'vitest';
import { readClaim, readSource } from '../../../../src/engine/writing/support/check-claim.ts';
import { findClosest } from '../../../../src/engine/writing/support/closest-sentences.ts';

/** The sentence that says most of a claim, and the share of it that it says. */
function closestTo(claim: string, text: string) {
  const page = readSource(text, '', '');
  const { reading, share } = findClosest(readClaim(claim, page.names), page)[0]!;
  return { text: text.slice(reading.start, reading.end), share };
}

const claim = 'Henrik Aas was managing director from 1998 to 2011.';
const items = '\n\n- Marta Voll (1974 to 1998)\n- Henrik Aas (1998 to 2011)';

it('reads the line that announces a list as a heading of its items', () => {
  expect(closestTo(claim, `Managing directors:${items}`)).toEqual({ text: 'Henrik Aas (1998 to 2011)', share: 1 });
});

it('reads no other line before a list as one', () => {
  expect(closestTo(claim, `Managing directors.${items}`).share).toBeLessThan(0.8);
  const long = 'These people have worked for the firm, some of them as managing directors, others in the laboratory:';
  expect(closestTo(claim, `${long}${items}`).share).toBeLessThan(0.8);
});

it('finds the sentence that shares most with a claim among many', () => {
  const fillers = Array.from({ length: 40 }, (_, at) => `The committee met for the ${at + 3}th time and adjourned.`);
  const text = [...fillers, 'The harbour froze in January.', ...fillers].join(' ');
  expect(closestTo('In January the harbour froze.', text).text).toBe('The harbour froze in January.');
});
