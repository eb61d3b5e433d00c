/** Manuals and leaflets that come with a thing: who may use it by age, what to do in a case, and how something is done. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import { smallDocument, smallTable } from './small-documents.ts';

const leaflet = smallDocument(
  'leaflet.md',
  `# Package leaflet: Norvasolin 250 mg tablets

Norvasolin contains the active substance relutamine. It is used to relieve cramps in adults and children.

Do not take Norvasolin:

- if you are allergic to relutamine;
- if you have glaucoma;
- if you have severe kidney disease.

## How to take it

| Age | Dose | How often |
|---|---|---|
| Adults | 1 or 2 tablets | three times a day |
| 12 to 17 years | 1 tablet | twice a day |
| Over 65 years | 1 tablet | four times a day |

Take the tablets with food. Do not take more than 6 tablets in 24 hours.

Never take a double dose. If you take too many tablets, call the poison line on 0800 555 012 at once.

## Possible side effects

Common (up to 1 in 10 people): dry mouth, drowsiness.
Uncommon (up to 1 in 100 people): headache, constipation.
Rare (up to 1 in 1,000 people): fast heartbeat, skin rash.

Stop taking Norvasolin and see a doctor if your face swells.

## Contents

Each tablet contains 250 mg of relutamine. The other ingredients are lactose and povidone. The tablets are round and pale yellow.

Made by Halden Pharma AS, Bergen, Norway. Norvasolin is a trademark.`,
);
const boiler = smallDocument(
  'boiler.md',
  `# Boiler

Press the flame button for three seconds to switch the boiler on or off. Turn the left dial to set the temperature.

To top up: open the silver valve under the boiler a quarter turn until the gauge shows 1.2 bar.

| Code | Meaning | What to do |
|---|---|---|
| F22 | Low water pressure | Top up the system |
| F28 | No ignition | Check the gas, then press reset |

Reset: hold the button with the arrow for five seconds. Do not reset more than three times in an hour.`,
);
const prices = smallTable('prices.md', [
  'Ticket | Price',
  'Child under 5 | free',
  'Children 5–15 | £4',
  'Adults 16+ | £9',
  'Over 65 | £6',
]);
const courses = smallDocument(
  'kurse.md',
  `# Kurse

| Kurs | Tag | Leitung |
|---|---|---|
| Rückenfit | Dienstag | Jonas Wendt |
| Yoga | Donnerstag | Petra Aust |

Vorsitzende: Marlene Otto.`,
);

const ask = (question: string, ...sources: readonly Parameters<typeof answer>[1][number][]) =>
  answer(question, sources).pieces.join('');

describe('an age', () => {
  it.each([
    ['What is the dose for a 15 year old?', '12 to 17 years | 1 tablet | twice a day'],
    ['How often should a 70-year-old take it?', 'Over 65 years | 1 tablet | four times a day'],
  ])('is answered by the row whose ages it is among: %s', (question, row) => {
    const written = ask(question, leaflet);
    expect(written).toContain(row);
    expect(written.match(/times|twice/g)).toHaveLength(1);
  });
  it.each([
    ['What does a ticket cost for a 3 year old?', 'free'],
    ['What does a ticket cost for a 10 year old?', '£4'],
    ['I am 30, how much is a ticket?', '£9'],
    ['How much is a ticket for a child aged 5?', '£4'],
  ])('has a price: %s', (question, price) => {
    const written = ask(question, prices);
    expect(written).toContain(price);
    expect(written.match(/free|£\d/g)).toEqual([price]);
  });
  it('that no row is for is not answered by a row', () => {
    expect(ask('What is the dose for an 8 year old?', leaflet)).not.toContain('12 to 17');
  });
});

describe('a quantity', () => {
  const load = smallTable('tyres.md', ['Load | Rear', 'Up to 3 people | 2.0 bar', '4 or 5 people | 2.6 bar']);
  const postage = smallTable('postage.md', ['Weight | Price', 'Up to 2 kg | £4', 'Up to 5 kg | £7', 'Over 5 kg | £12']);
  const hire = smallTable('hire.md', ['Guests | Hire', 'under 50 | €300', '50–120 | €550', 'from 121 | €900']);
  it.each([
    ['What pressure do I need at the rear with five people?', load, '2.6 bar'],
    ['How much is a parcel of 1.5 kg?', postage, '£4'],
    ['How much is a parcel of 4 kg?', postage, '£7'],
    ['How much is a parcel of 900 g?', postage, '£4'],
    ['How much is a parcel of 8 kg?', postage, '£12'],
    ['How much is the hire for 80 guests?', hire, '€550'],
    ['How much is the hire for 200 guests?', hire, '€900'],
    ['How much is the hire for 20 guests?', hire, '€300'],
  ])('is answered by the narrowest range that it is in: %s', (question, source, value) => {
    expect(ask(question, source).match(/[€£]\d+|[\d.]+ bar/g)).toEqual([value]);
  });
});

describe('a price list', () => {
  const list = smallDocument(
    'prices.md',
    `# Prices

- Adults
  - Member: £5 a night
- Children
  - under 6: free
  - 6 to 14: £4 a night

Opening — 1 May
Closing — 4 October
Quiet hours — 22:00 to 7:00`,
  );
  it.each([
    ['What does a 4 year old pay?', 'under 6: free. [1]'],
    ['What does a night cost for a 10 year old?', '6 to 14: £4 a night. [1]'],
    ['When do you close for the winter?', 'Closing — 4 October. [1]'],
    ['What are the quiet hours?', 'Quiet hours — 22:00 to 7:00. [1]'],
  ])('has a value in each line: %s', (question, written) => {
    expect(ask(question, list)).toBe(written);
  });
});

describe('a list of tasks', () => {
  const tasks = smallDocument(
    'todo.md',
    `# Season

## To do before the season

- [x] Repair the jetty (Jonas)
- [ ] Order new mattresses (Pia, by 15 April)
- [ ] Paint the kitchen (Ruth)
- [X] Inspect the boiler (Jonas)

The reception is open daily 9–12 and 15–19. Bread can be ordered until 18:00 for the next morning.`,
  );
  it.each([
    ['What still has to be done before the season?', ['mattresses', 'kitchen']],
    ['Which tasks are open?', ['mattresses', 'kitchen']],
    ['What has already been done?', ['jetty', 'boiler']],
  ])('answers with those that are open or done: %s', (question, items) => {
    const written = ask(question, tasks);
    expect(['jetty', 'mattresses', 'kitchen', 'boiler'].filter((item) => written.includes(item))).toEqual(items);
  });
  it('shows whether a task is done, and who does it', () => {
    expect(ask('Has the boiler been inspected?', tasks)).toBe('- [X] Inspect the boiler (Jonas) [1]');
    expect(ask('Who orders the mattresses?', tasks)).toBe('- [ ] Order new mattresses (Pia, by 15 April) [1]');
  });
  it('answers nothing but questions about tasks', () => {
    const pool = smallDocument(
      'pool.md',
      '# Pool\n\nThe pool is open from 9 am to 6 pm. Of the budget 200 € are left.\n\n## Tasks\n\n- [ ] Order chlorine\n- [x] Sweep the deck',
    );
    expect(ask('What time is the pool open?', pool)).toContain('9 am to 6 pm');
    expect(ask('What is left of the budget?', pool)).toContain('200 €');
    expect(ask('Which tasks are done?', pool)).toBe('- [x] Sweep the deck [1]');
    expect(ask("What hasn't been done yet?", pool)).toBe('- [ ] Order chlorine [1]');
  });
  it('does not hide hours without minutes', () => {
    expect(ask('When is the reception open?', tasks)).toMatch(/^The reception is open daily 9–12 and 15–19\./);
  });
});

it('shows questions and answers without their marks', () => {
  const text =
    'Q: Do you have hook-ups?\nA: Twelve pitches have electricity.\n\nQ: When do the showers close?\nA: They close at 11 pm.';
  expect(ask('How many pitches have electricity?', smallDocument('faq.md', `# FAQ\n\n${text}`))).toBe(
    'Twelve pitches have electricity. [1]',
  );
});

describe('what comes with a thing', () => {
  it.each([
    ['Who makes Norvasolin?', 'Made by Halden Pharma AS, Bergen, Norway.'],
    ['What should I do if I took too many?', 'call the poison line'],
    ['What does the tablet look like?', 'round and pale yellow'],
    ['What are the side effects?', 'Common (up to 1 in 10 people): dry mouth, drowsiness. Uncommon'],
  ])('says it: %s', (question, said) => {
    expect(ask(question, leaflet)).toContain(said);
  });
  it('is not answered about what it does not speak of', () => {
    expect(ask('Can I take it with ibuprofen?', leaflet)).toBe('');
  });
  it('has an item with the beginning of its sentence', () => {
    expect(ask('Is it safe for people with glaucoma?', leaflet)).toMatch(/^Do not take Norvasolin:.*glaucoma/s);
  });
});

describe('a letter with names in bold', () => {
  const offer = smallDocument(
    'offer.md',
    `# Offer

**Start date:** 2 March 2026
**Salary:** £46,500 a year, paid on the 28th of each month
**Holiday:** 26 days plus bank holidays; the holiday year runs from April to March. Up to five unused days can be carried over.
**Probation**: six months. During probation the notice period is one week.

We provide a laptop and pay £250 once towards a desk. Parking is paid at 45p an hour.`,
  );
  it.each([
    ['When does she start?', 'Start date: 2 March 2026.'],
    ['Can she carry over holiday?', 'Up to five unused days can be carried over.'],
    ['How long is the probation?', 'Probation: six months.'],
    ['How much is parking an hour?', 'Parking is paid at 45p an hour.'],
  ])('has a value in each line: %s', (question, said) => {
    const written = ask(question, offer);
    expect(written).toContain(said);
    expect(written).not.toContain('46,500');
  });
});

it.each([
  ['What colour is the stove?', 'Press the red button to light it. The stove weighs 300 g.', ''],
  ['What colour is the stove?', 'Press the red button to light it. The stove is green and weighs 300 g.', 'green'],
  ['What colours does it come in?', 'Press the red button to light the stove. Available in black and grey.', 'black'],
])('%s is answered by the colour of the thing: %s', (question, text, said) => {
  const written = ask(question, smallDocument('stove.md', `# Stove\n\n${text}`));
  if (said === '') expect(written).toBe('');
  else expect(written).toContain(said);
});

describe('how something is done', () => {
  it.each([
    ['How do I top up the pressure?', 'To top up: open the silver valve'],
    ['How do I reset it?', 'Reset: hold the button'],
    ['How do I turn the boiler on?', 'Press the flame button'],
  ])('is said by the sentence that begins with it, or by another verb: %s', (question, said) => {
    expect(ask(question, boiler)).toMatch(new RegExp(`^${said}`));
  });
});

describe('what looks alike', () => {
  const page = (text: string) => smallDocument('page.md', `# Bakery Falk\n\n${text}`);
  it.each([
    ['Who made the cake?', 'The cake was made by Ruth Adler. It fed eighty.\n\nBuilder: Tom Hill.', 'Ruth Adler'],
    [
      'What should I do if the pump is running?',
      'If the pump is not running, call the service. While the pump is running, keep the lid closed.',
      'keep the lid closed',
    ],
    ['What colour is the front door?', '## Front door\n\nDark blue, RAL 5010, satin finish.', 'Dark blue'],
    ['How much is it for children?', 'Entry:\n\n- for adults £5\n- for children £3\n- for dogs £1', '£3'],
  ])('is not taken for the answer: %s', (question, text, said) => {
    expect(ask(question, page(text))).toContain(said);
  });
  it('is no age: a duration', () => {
    const hire = smallTable('hire.md', ['Time | Price', '1 hour | £4', '2 hours | £7', 'Day | £15']);
    expect(ask('How much is 2 hours for my 8 year old?', hire)).toContain('2 hours | £7');
  });
});

it('who leads a course is in its row, not in the line of who leads the club', () => {
  expect(ask('Wer leitet Rückenfit?', courses)).toContain('Jonas Wendt');
});

describe('a paragraph that begins with bold words', () => {
  const hotel = smallDocument(
    'a-to-z.md',
    `# Hotel Alpenblick

**Airport shuttle** On request, 45 € per ride for up to four persons.

**Dogs** Welcome, 18 € per night without food. Not in the restaurant and not in the spa.

**Gym** Third floor, open day and night with your room card.

**Pool** 8 am to 9 pm. Children under 12 only with an adult.`,
  );
  it.each([
    ['Can I bring my dog?', /^Dogs: Welcome, 18 €/],
    ['Where is the gym?', /^Gym: Third floor/],
    ['Can my son go to the pool alone?', /^Pool: .*Children under 12 only with an adult/],
  ])('is about them: %s', (question, said) => {
    expect(ask(question, hotel)).toMatch(said);
  });

  it.each([
    ['What does it cost to hire a canoe?', /^Canoe: €12/],
    ['What does it cost to repair a canoe?', /^Canoe: €40/],
  ])('is about the heading above them as well: %s', (question, said) => {
    const boats = smallDocument(
      'boats.md',
      `## Hire

**Canoe** €12 an hour.

**Kayak** €9 an hour.

## Repair

**Canoe** €40 for a leak.

**Kayak** €35 for a leak.`,
    );
    expect(ask(question, boats)).toMatch(said);
  });
});
