import { describe, expect, it } from 'vitest';
import { isBoilerplate } from '../../src/model/extractive/rank/boilerplate.ts';

const isDetected = (text: string) => isBoilerplate({ kind: 'sentence', text });

describe('what says nothing', () => {
  it.each([
    'Dear Lena,',
    'Hello Rui,',
    'Sehr geehrte Frau Dr. Maier,',
    'Kind regards, Tom',
    'Kind regards Rui.',
    'Many thanks,',
    'Thanks!',
    'Subject: Delivery of the oak From: Rui Costa To: Lena',
    "May I build a dyke on another player's land?",
  ])('is %j', (text) => expect(isDetected(text)).toBe(true));

  it.each([
    'Best before 3 May.',
    'Hello is printed three times.',
    'Thanks to the new pump, the cellar stays dry.',
    'Date: 3 May 2026, at the town hall.',
    'Regards from abroad are read out at noon.',
    'Cheers are heard as far as the harbour.',
  ])('is not %j', (text) => expect(isDetected(text)).toBe(false));

  it('is no row of a table and no code', () => {
    expect(isBoilerplate({ kind: 'row', text: 'Pets? | Thanks!' })).toBe(false);
    expect(isBoilerplate({ kind: 'code', text: 'Hello,' })).toBe(false);
  });
});
