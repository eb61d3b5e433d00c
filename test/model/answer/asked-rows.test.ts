import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { smallDocument, smallTable } from './small-documents.ts';

const boats = [
  'Heron | 2x | 2004 | rack 3',
  'Otter | 1x | 2016 | rack 1',
  'Wren | 4x | 2011 | rack 5',
  'Grebe | 2x | 2022 | rack 3',
];
const head = '| Name | Type | Year | Place |\n| --- | --- | --- | --- |\n';
const source = (n: number, text: string, more: Partial<Source> = {}): Source => ({
  n,
  snapshot: 'boats',
  start: 0,
  title: 'boats.csv',
  headings: '',
  url: 'file:///club/boats.csv',
  score: 4 - n,
  corpusSize: 'small',
  text,
  ...more,
});
const row = (cells: string) => `| ${cells} |\n`;
const list = source(1, head + boats.map(row).join(''));

const ask = (question: string, sources: readonly Source[] = [list]) => answer(question, sources);

describe('a question for rows of a table', () => {
  it.each([
    ['Which boats are on rack 3?', ['Heron', 'Grebe']],
    ['List the boats on rack 3.', ['Heron', 'Grebe']],
    ['Which boats are of type 2x?', ['Heron', 'Grebe']],
    ['What is kept on rack 3?', ['Heron', 'Grebe']],
    ['How many boats are on rack 3?', ['Heron', 'Grebe']],
    ['Are there any boats on rack 5?', ['Wren']],
    ['Which boats are not on rack 3?', ['Otter', 'Wren']],
    ["Which boats aren't of type 2x?", ['Otter', 'Wren']],
    ['How many boats are not on rack 3?', ['Otter', 'Wren']],
    ['Which boats are from before 2011?', ['Heron']],
    ['How many boats are of a year after 2010?', ['Otter', 'Wren', 'Grebe']],
    ['Which boats are there?', ['Heron', 'Otter', 'Wren', 'Grebe']],
    ['Which boats are on rack 1 or rack 3?', ['Heron', 'Otter', 'Grebe']],
    ['Which boats are on rack 1 or 5?', ['Otter', 'Wren']],
    ['Which boats are on rack 1 and rack 5?', ['Otter', 'Wren']],
    ['How many boats are of type 1x or 4x?', ['Otter', 'Wren']],
  ])('has all that it asks for, each with its marker: %s', (question, names) => {
    const written = ask(question).pieces.join('');
    expect(written).toBe(
      `${head.replaceAll(' --- |', '---|').replace('| --', '|--').trimEnd()}\n${names
        .map((name) => `| ${boats.find((boat) => boat.startsWith(name))} [1] |`)
        .join('\n')}`,
    );
  });

  it.each(['Which boats on rack 3 are for beginners?', 'Who repaired the boats on rack 3?'])(
    'has no rows for what no column says: %s',
    (question) => {
      expect(ask(question).pieces.join('')).not.toMatch(/Heron[\s\S]*Grebe/);
    },
  );

  it.each([
    'Which boats are on rack 4?',
    'Which boats were built before 2004?',
    'How many boats are on rack 4?',
    'Which boats are on rack 4 or rack 6?',
    'Who is not on the Heron?',
  ])('has no rows of another one: %s', (question) => {
    expect(ask(question).pieces).toEqual([]);
  });

  const courses = source(
    1,
    `| Course | Teacher | Fee | Full |\n|---|---|---|---|\n| Spanish A1 | Ada Ruiz | 140 | no |\n| Spanish B1 | Bo Prado | 140 | yes |\n| Pottery | Ada Ruiz | 160 | yes |\n| Yoga | Cem Ohm | 80 | no |\n`,
    { title: 'courses.csv', url: 'file:///school/courses.csv', snapshot: 'courses' },
  );
  it.each([
    ['Which courses does Ada Ruiz teach?', ['Spanish A1', 'Pottery']],
    ['How many courses does Ada Ruiz teach?', ['Spanish A1', 'Pottery']],
    ['Who teaches Spanish?', ['Spanish A1', 'Spanish B1']],
    ['Which courses cost 140 euros?', ['Spanish A1', 'Spanish B1']],
    ['Which courses cost more than 90 euros?', ['Spanish A1', 'Spanish B1', 'Pottery']],
    ['Which courses are cheaper than 100 euros?', ['Yoga']],
    ['Which courses are full?', ['Spanish B1', 'Pottery']],
    ['Which courses are not full?', ['Spanish A1', 'Yoga']],
  ])('has those that say it in other words, in part of a cell, or with yes or no: %s', (question, names) => {
    const rows = ask(question, [courses]).pieces.join('').split('\n').slice(2);
    expect(rows.map((line) => line.split(' | ')[0]!.slice(2))).toEqual(names);
  });

  it('has them in German as well', () => {
    const gardens = source(
      1,
      '| Parzelle | Pächter | Weg |\n|---|---|---|\n| 1 | Öztürk | Rosenweg |\n| 2 | Vogt | Lilienweg |\n| 3 | Hahn | Rosenweg |\n',
      { title: 'Gartenliste', url: 'file:///verein/liste.csv', snapshot: 'gardens' },
    );
    const written = (question: string) => ask(question, [gardens]).pieces.join('');
    expect(written('Wie viele Parzellen liegen am Rosenweg?')).toMatch(/Öztürk[^V]*Hahn/);
    expect(written('Welche Parzellen liegen nicht am Rosenweg?')).toMatch(/^(?!.*Öztürk)[\s\S]*Vogt/);
  });

  it('has those below a column with yes and no of which the question has a word', () => {
    const rooms = source(
      1,
      '| Room | Bath | Pets allowed | Price |\n|---|---|---|---|\n| 1 | shared | yes | 96 € |\n| 2 | own | yes | 74 € |\n| 3 | own | no | 78 € |\n',
      { title: 'rooms.csv', url: 'file:///hostel/rooms.csv', snapshot: 'rooms' },
    );
    const first = (question: string) =>
      ask(question, [rooms])
        .pieces.join('')
        .split('\n')
        .slice(2)
        .map((line) => line[2]);
    expect(first('Which rooms allow pets?')).toEqual(['1', '2']);
    expect(first('Which rooms have no pets?')).toEqual(['3']);
    expect(first('Which rooms have their own bath?')).toEqual(['2', '3']);
    expect(first('Which rooms are cheaper than 80 euros?')).toEqual(['2', '3']);
  });

  it('has the items of several lists of a page', () => {
    const menu = source(
      1,
      '# Menu\n\n## Starters\n\n- Tomato soup (vegan) 6.50\n- Smoked trout 9.80\n\n## Mains\n\n- Beef stew 17.80\n- Lentil curry (vegan) 13.90\n\n## Desserts\n\n- Flan 4.20\n- Cake 3.80',
      { title: 'Menu', url: 'file:///bistro/menu.md', snapshot: 'menu' },
    );
    expect(ask('Which dishes are vegan?', [menu]).pieces.join('')).toBe(
      '- Tomato soup (vegan) 6.50 [1]\n- Lentil curry (vegan) 13.90 [1]',
    );
    expect(ask('How many desserts are there?', [menu]).pieces.join('')).toBe('- Flan 4.20\n- Cake 3.80 [1]');
  });

  it('does not turn around what belongs to the name of a row', () => {
    const tariffs = source(
      1,
      '| | Lumo S | Lumo M |\n|---|---|---|\n| Minimum term | none | 12 months |\n| Data | 5 GB | 15 GB |\n',
      {
        title: 'Tariffs',
        url: 'file:///phone/tariffs.csv',
        snapshot: 'tariffs',
      },
    );
    expect(ask('Which tariff has no minimum term?', [tariffs]).pieces.join('')).not.toContain('15 GB');
  });

  it('does not take a number for a value of another column', () => {
    const seats = source(
      1,
      `| Name | Seats | Oars |\n|---|---|---|\n| Heron | 2 | 4 |\n| Otter | 1 | 2 |\n| Wren | 4 | 2 |\n`,
    );
    const written = ask('Which boats have 2 oars?', [seats]).pieces.join('');
    expect(written).toContain('Otter');
    expect(written).toContain('Wren');
    expect(written).not.toContain('Heron');
  });

  it('tells what has a letter or a place in an order', () => {
    const berths = source(
      1,
      '| Boat | Berth | Deck |\n|---|---|---|\n| Tern | pier A | first |\n| Skua | pier B | second |\n| Ruff | pier A | third |\n',
      { snapshot: 'berths' },
    );
    const names = (question: string) =>
      ask(question, [berths])
        .pieces.join('')
        .match(/Tern|Skua|Ruff/g) ?? [];
    expect(names('Which boats are at pier A?')).toEqual(['Tern', 'Ruff']);
    expect(names('Which boats are at pier A or pier B?')).toEqual(['Tern', 'Skua', 'Ruff']);
    expect(names('Which boats are on the first or second deck?')).toEqual(['Tern', 'Skua']);
    expect(names('Which boats are at pier D?')).toEqual([]);
  });

  it('goes on in the next passage below the same columns', () => {
    const first = source(2, head + boats.slice(0, 2).map(row).join('').trim());
    const second = source(1, boats.slice(2).map(row).join('').trim(), {
      start: 200,
      headings: '| Name | Type | Year | Place |',
    });
    expect(ask('Which boats are on rack 3?', [second, first]).pieces.join('')).toBe(
      '| Name | Type | Year | Place |\n|---|---|---|---|\n| Heron | 2x | 2004 | rack 3 [2] |\n| Grebe | 2x | 2022 | rack 3 [1] |',
    );
  });

  it('has the first of very many, and says that there are more', () => {
    const many = Array.from({ length: 60 }, (_, n) => row(`Boat ${n} | 2x | ${1950 + n} | rack ${n % 2}`)).join('');
    const { pieces, status } = ask('Which boats are on rack 1?', [source(1, head + many)]);
    expect(pieces.join('').match(/rack 1 \[1\]/g)).toHaveLength(20);
    expect(status).toBe('partial');
  });

  it('tells a row of a long table by the columns above its passage', () => {
    const passage = source(1, boats.map(row).join('').trim(), {
      start: 900,
      headings: '| Name | Type | Year | Place |',
    });
    expect(ask('Where is Grebe?', [passage]).pieces.join('')).toBe(
      '| Name | Type | Year | Place |\n|---|---|---|---|\n| Grebe | 2x | 2022 | rack 3 [1] |',
    );
  });
});

describe('a question for rows that also has their words', () => {
  const week = smallTable('week.csv', [
    'Day | Time | Group | Room | Contact',
    'Monday | 9.30–11.30 | Toddlers | Main hall | Jess Coates',
    'Saturday | 10.00–11.00 | Judo | Main hall | Tom Irving',
    'Sunday | 15.00–16.00 | Chess | Attic | Ada Bell',
  ]);
  const about = smallDocument('about.md', 'The main hall seats 120 people at tables. Cars are left in the field.');
  const prices = smallTable('prices.csv', ['Room | Weekday | Weekend', 'Main hall | £12 | £16', 'Attic | £6 | £8']);

  it('has the sentence that says what is counted', () => {
    expect(ask('How many people can sit in the main hall?', [week, about]).pieces.join('')).toMatch(
      /^The main hall seats/,
    );
  });

  it('has the price and not what takes place there', () => {
    const written = ask('What does the main hall cost on a Saturday?', [week, prices]).pieces.join('');
    expect(written).toContain('£16');
    expect(written).not.toContain('Judo');
  });
});

describe('a question for something of each row', () => {
  const racks = smallTable('racks.csv', [
    'Boat | Type | Rack | Weight class',
    'Heron | 2x | 3 | 80-90 kg',
    'Otter | 1x | 1 | 60-70 kg',
    'Grebe | 2x | 3 | 85-95 kg',
  ]);
  const namesIn = (question: string) =>
    ['Heron', 'Otter', 'Grebe'].filter((name) => answer(question, [racks]).pieces.join('').includes(name));

  it.each([
    'Which boats are on which rack?',
    'On which rack is each boat?',
    'What is the weight class of each boat?',
    'the weight class of every boat?',
  ])('is answered by all of them: %s', (question) => {
    expect(namesIn(question)).toEqual(['Heron', 'Otter', 'Grebe']);
  });

  it('may be in German', () => {
    const boats = smallTable('boote.csv', [
      'Boot | Klasse | Regal',
      'Reiher | C | 3',
      'Otter | B | 1',
      'Taucher | A | 2',
    ]);
    const said = answer('Welche Klasse haben alle Boote?', [boats]).pieces.join('');
    expect(['Reiher', 'Otter', 'Taucher'].filter((name) => said.includes(name))).toHaveLength(3);
  });

  it('is not one for the rows that it names, nor for what no column has', () => {
    expect(namesIn('Which boats are on rack 3?')).toEqual(['Heron', 'Grebe']);
    expect(namesIn('Where is Grebe?')).toEqual(['Grebe']);
    expect(namesIn('Where is Wren?')).toEqual([]);
    expect(namesIn('When was each boat built?')).toEqual([]);
  });
});
