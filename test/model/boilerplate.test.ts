import { describe, expect, it } from 'vitest';
import { asksOfMail, isBoilerplate, isThanks } from '../../src/model/extractive/rank/boilerplate.ts';

type Candidate = Parameters<typeof isBoilerplate>[0];
type Kind = Candidate['unit']['kind'];

/** The first of some units, each a block of its own. */
const first = (kind: Kind, ...texts: string[]) => {
  const units = texts.map((text, block) => ({ kind, text, block }));
  return { unit: units[0], passage: { units }, index: 0 } as unknown as Candidate;
};
const isDetected = (text: string) => isBoilerplate(first('sentence', text, 'The boat leaves at noon.'));
const isDetectedInChat = (text: string) => isBoilerplate(first('item', text, 'Mei: yes', 'Mei: no', 'Ravi: ok'));

describe('what says nothing', () => {
  it.each([
    'Dear Lena,',
    'Hello Rui,',
    'Dear Mr Osei',
    'On 3 Mar 2024, Laura Whitfield wrote:',
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
    'Dear friends of the library will meet',
    'Note: will be closed on Monday',
    'Payment: when you leave',
    'Parking: where the old mill stood',
    'Treffpunkt: wo die Linde steht',
    'Hello is printed three times.',
    'Thanks to the new pump, the cellar stays dry.',
    'Date: 3 May 2026, at the town hall.',
    'Regards from abroad are read out at noon.',
    'Cheers are heard as far as the harbour.',
  ])('is not %j', (text) => expect(isDetected(text)).toBe(false));

  it.each(['Hello World', 'Hello Kitty', 'Ciao Bella'])('is not the name %j', (text) => {
    expect(isBoilerplate(first('sentence', text))).toBe(false);
    expect(isBoilerplate(first('item', text, 'Ciao Roma'))).toBe(false);
  });

  it.each([
    'Mei: nice. whats the wifi password again',
    'Ravi: can i bring my cat',
    'Ravi: where is the key',
    'Ravi: how long does it take',
    'Ravi: anyone know the code',
  ])('is %j in a chat', (text) => expect(isDetectedInChat(text)).toBe(true));

  it.each([
    'Mei: ok, who comes first gets the room, so be quick',
    'Mei: anyone can come',
    'Mei: who has the key is with Bob',
    'Ravi: when it rains we meet in the hall',
    'Mei: which is why we moved it to friday',
    'Abreise: wer spät geht zahlt die Nacht',
  ])('is not %j in a chat', (text) => expect(isDetectedInChat(text)).toBe(false));

  it('may be thanks for what the reader did, and nothing else', () => {
    expect(isThanks({ text: 'Thank you for your enquiry about a grey rucksack left on the 07:52 service.' })).toBe(
      true,
    );
    expect(isThanks({ text: 'Thank you for your order, it will be with you on Monday.' })).toBe(false);
    expect(isThanks({ text: 'Thanks to your gifts the roof is new.' })).toBe(false);
  });

  it('is not what is above a mail where a question may ask for that', () => {
    expect(['Who wrote to Priya?', 'When was the mail sent?', 'Wer hat geschrieben?'].every(asksOfMail)).toBe(true);
    expect(['When is the street party?', 'Where do I park?', 'Was kostet der Eintritt?'].some(asksOfMail)).toBe(false);
  });

  it('is no row of a table and no code', () => {
    expect(isBoilerplate(first('row', 'Pets? | Thanks!'))).toBe(false);
    expect(isBoilerplate(first('code', 'Hello,'))).toBe(false);
  });
});
