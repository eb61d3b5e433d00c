import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';

function document(title: string, text: string): Source {
  return { n: 1, snapshot: title, start: 0, title, headings: '', url: 'https://a.example/one', score: 3, text };
}

const trip = document(
  'School trip to Lake Ostra',
  `# School trip to Lake Ostra

If your child takes medicine, please tell the class teacher by 2 May. Mobile phones stay at home.

What to bring:
- rain jacket
- sleeping bag
- a packed lunch for Monday

## Action items

- Anna books the bus by 15 March.
- Piet asks three hostels for their prices.

Next meeting: 8 April, 19:00

## Offers

| Course | Price | Place |
|---|---|---|
| Rowing | 20 € | boathouse |
| Pottery | 15 € | attic |

## Rules

- Nobody leaves the hostel alone.
- Lights go out at 22:00.`,
);
const soup = document(
  'Lentil soup',
  `# Lentil soup

Serves 4.

## Method

1. Fry the onion for five minutes.
2. Add the lentils and simmer for 20 minutes.`,
);

const ask = (question: string, source = trip) => answer(question, [source]).pieces.join('');
const actions = '- Anna books the bus by 15 March.\n- Piet asks three hostels for their prices. [1]';
const bring = 'What to bring:\n\n- rain jacket\n- sleeping bag\n- a packed lunch for Monday [1]';

describe('a list that is asked for by its name', () => {
  it('is given whole, without what comes after it', () => {
    expect(ask('What are the action items?')).toBe(actions);
    expect(ask('List all action items.')).toBe(actions);
    expect(ask('Which action items are there?')).toBe(actions);
  });

  it('is found by the words that announce it, or others that mean the same', () => {
    expect(ask('What should my child bring?')).toBe(bring);
    expect(ask('What do we need to pack?')).toBe(bring);
    expect(ask('What must I take along to the trip?')).toBe(bring);
  });

  it('may be the rows of a table, which stay one table with a marker for each', () => {
    expect(ask('What courses do you offer?')).toBe(
      '| Course | Price | Place |\n|---|---|---|\n| Rowing | 20 € | boathouse [1] |\n| Pottery | 15 € | attic [1] |',
    );
  });

  it('may be lines with times below a weekday, or the items below one that names them', () => {
    const plan = document(
      'Courses',
      'Courses\n\nMonday\n17:00-18:00  Gymnastics, small hall\n18:30-20:00  Badminton, large hall\n\nFriday\n16:00-17:00  Judo, dojo\n20:00-21:30  Yoga, small hall',
    );
    expect(ask('What courses are there on Monday?', plan)).toBe(
      '17:00-18:00 Gymnastics, small hall.  \n18:30-20:00 Badminton, large hall. [1]',
    );
    const notes = document(
      'Kitchen',
      '# Kitchen\n\n- Budget: 12,000 €\n- Appliances\n  - oven: Brandt FX60\n  - dishwasher: the old one stays\n- Wall colour: grey',
    );
    expect(ask('What are the appliances?', notes)).toBe('- oven: Brandt FX60\n- dishwasher: the old one stays [1]');
  });

  it('may be the steps of a recipe', () => {
    const steps = '1. Fry the onion for five minutes.\n2. Add the lentils and simmer for 20 minutes. [1]';
    expect(ask('What are the steps?', soup)).toBe(steps);
    expect(ask('How do I make it?', soup)).toBe(steps);
    expect(ask('How is the lentil soup made?', soup)).toBe(steps);
    expect(ask('How do I make a booking?', soup)).not.toContain('Fry the onion');
  });

  it('is found in other languages, by the words of the question', () => {
    const rules = document(
      'Hausordnung',
      '# Hausordnung\n\nDie Waschküche ist bis 20 Uhr offen.\n\n## Ruhezeiten\n\n- werktags von 13 bis 15 Uhr\n- nachts ab 22 Uhr\n\nBesuch ist willkommen.',
    );
    expect(ask('Was sind die Ruhezeiten?', rules)).toBe('- werktags von 13 bis 15 Uhr\n- nachts ab 22 Uhr [1]');
  });

  it('is not given where one of its items is asked for', () => {
    expect(ask('Who books the bus?')).toBe('Anna books the bus by 15 March. [1]');
    expect(ask('What does the rowing course cost?')).toContain('| Rowing | 20 € | boathouse [1] |');
    expect(ask('What does the rowing course cost?')).not.toContain('Pottery');
  });

  it.each([
    ['How many eggs does the carbonara need?', '3 egg yolks. [1]'],
    ['What do I need for carbonara?', '- 200 g spaghetti\n- 3 egg yolks [1]'],
    ['How many desserts are there?', '- tiramisu\n- panna cotta [1]'],
  ])('is given for how many there are of what it names: %s', (question, said) => {
    const recipes = document(
      'Recipes',
      '# Recipes\n\n## Soup\n\n- 250 g red lentils\n- 1 onion\n\n## Carbonara\n\n- 200 g spaghetti\n- 3 egg yolks\n\n## Desserts\n\n- tiramisu\n- panna cotta',
    );
    expect(ask(question, recipes)).toBe(said);
    expect(ask('How many calories does the soup have?', recipes)).not.toContain('red lentils');
  });

  it('is not given for what goes with it', () => {
    const dish = document(
      'Carbonara',
      '# Carbonara\n\n- spaghetti\n- egg yolks\n\nA dry white wine goes with carbonara.',
    );
    expect(ask('Which wine goes with carbonara?', dish)).toBe('A dry white wine goes with carbonara. [1]');
  });

  it.each(['What waste goes in the yellow bin?', 'Which rubbish belongs in the yellow bin?'])(
    'is given for all that goes in: %s',
    (question) => {
      const bins = document(
        'Bins',
        '# Waste\n\n## Yellow bin\n\n- plastic bottles\n- tins\n\n## Blue bin\n\n- paper\n- cardboard',
      );
      expect(ask(question, bins)).toBe('- plastic bottles\n- tins [1]');
    },
  );

  it('is not given for a list of something else', () => {
    expect(ask('What are the rules for drones?')).not.toContain('Lights go out');
  });

  it('is not given when it is too long to be read at a glance', () => {
    const items = Array.from({ length: 30 }, (_, at) => `- Bring the ${at}th thing of all.`).join('\n');
    const long = document('Camp', `# Camp\n\n## Things\n\n${items}`);
    expect(ask('What are the things?', long).split('\n').length).toBeLessThan(5);
  });
});
