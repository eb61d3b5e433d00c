import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanMarkdown, removedPattern } from '../../src/model/extractive/text/clean.ts';
import { splitUnits } from '../../src/model/extractive/text/sentences.ts';

const shown = (text: string) => splitUnits(text).map((unit) => unit.text);

describe('units of a passage', () => {
  it('splits prose into sentences, not at abbreviations or decimal points', () => {
    expect(
      shown(
        'Dr. J. R. Smith of the U.S. Army paid $3.5 million (c. 1900). He left at 5 p.m. on Monday! "Really?" she said.',
      ),
    ).toEqual([
      'Dr. J. R. Smith of the U.S. Army paid $3.5 million (c. 1900).',
      'He left at 5 p.m. on Monday!',
      '"Really?" she said.',
    ]);
  });

  it('takes the heading of an entry in a list for a heading', () => {
    const units = splitUnits('- ## Tides\n\n  High water is at noon.\n\n- ## Winds\n');
    expect(units.map(({ section, text }) => [section, text])).toEqual([['Tides', 'High water is at noon.']]);
  });

  it('takes bold words without an end mark that several paragraphs begin with for what names the paragraph', () => {
    const text =
      '# Hotel\n\nWelcome.\n\n**Dogs** Welcome, 18 €. Not in the spa.\n\n**Gym** Third floor.\n**Pool** 8 am to 9 pm.\n\nCall us.';
    expect(splitUnits(text).map((unit) => [unit.section, unit.label, unit.text])).toEqual([
      ['Hotel', '', 'Welcome.'],
      ['Hotel, Dogs', 'Dogs', 'Welcome, 18 €.'],
      ['Hotel, Dogs', 'Dogs', 'Not in the spa.'],
      ['Hotel, Gym', 'Gym', 'Third floor.'],
      ['Hotel, Pool', 'Pool', '8 am to 9 pm.'],
      ['Hotel', '', 'Call us.'],
    ]);
  });

  it.each([
    ['a currency', '€18 per night.'],
    ['a quotation mark', '“Welcome”, we say.'],
    ['words in parentheses', '(small ones) Welcome, 18 €.'],
    ['only words in parentheses', '(on request)'],
    ['more emphasis', '*Welcome*, 18 €.'],
  ])('names a paragraph with bold words before %s', (_, said) => {
    const units = splitUnits(`## Prices\n\n**Dogs** ${said}\n**Mo** 9–12\n**Do** 9–12\n**May** Closed`);
    expect(units.map(({ label }) => label)).toEqual(['Dogs', 'Mo', 'Do', 'May']);
    expect(units.map(({ section }) => section)).toEqual(['Prices, Dogs', 'Prices, Mo', 'Prices, Do', 'Prices, May']);
  });

  it.each([
    ['fewer than three', ['**Dogs** Welcome, 18 €.', '**Gym** Third floor.']],
    ['the beginning of a sentence', ['**Dogs** are welcome.', '**Cats** stay out.', '**Guests** get a key.']],
    ['with a full stop', ['**Playground.** It is new.', '**Gate.** It is old.', '**Pond.** It is deep.']],
    [
      'a part of a name',
      ['**Karl** Jensen founded it.', '**Ada** Merrow painted it.', '**Bo** Holt led it until 1950.'],
    ],
    [
      'a part of a subject',
      ['**The Blue** Room has 12 seats.', '**The Red** Room has 40.', '**The Old** Mill burned.'],
    ],
    [
      'in German',
      ['**Der kleine** Saal hat 40 Plätze.', '**Der große** Saal ist neu.', '**Die alte** Küche wird neu.'],
    ],
    ['in a list', ['- **Oak** Two left', '- **Ash** Three left', '- **Elm** None left']],
    [
      'before a noun',
      [
        '**Keine** Hunde im Saal.',
        '**Die** Küche ist offen.',
        '**Alle** Zimmer haben ein Bad.',
        '**No** Smoking here.',
      ],
    ],
    [
      'before a remark',
      ['**Dogs** (small ones) are welcome.', '**Cats** (all) stay out.', '**Guests** (two) get a key.'],
    ],
  ])('leaves bold words in their sentence: %s', (_, lines) => {
    const units = splitUnits(lines.join('\n\n'));
    expect(units.every(({ section, label }) => section === '' && label === '')).toBe(true);
    expect(units.map(({ text }) => text).join(' ')).toBe(lines.join(' ').replace(/\*\*|- /g, ''));
  });

  it('does not split after the number of a work or within a degree', () => {
    const text =
      'He wrote the Rondo, Op. 1, in 1825 as Op. 1 of many. A Ph.D. Student played it; her M.Sc. (Tech.) came later.';
    expect(shown(text)).toEqual([
      'He wrote the Rondo, Op. 1, in 1825 as Op. 1 of many.',
      'A Ph.D. Student played it; her M.Sc. (Tech.) came later.',
    ]);
  });

  it('splits after a number of a war or a king, and after what editors note, which it does not show', () => {
    const text =
      'It fell in World War I. Despite that it was rebuilt.[dubious – discuss][^é] Manuel I. The king[citation needed] left.';
    expect(shown(text)).toEqual([
      'It fell in World War I.',
      'Despite that it was rebuilt.',
      'Manuel I.',
      'The king left.',
    ]);
    expect(shown('J. R. I. Smith wrote it.')).toEqual(['J. R. I. Smith wrote it.']);
  });

  it('does not split before the figure of a house, an article or a reference', () => {
    const text = 'Take the key to apt. 4 at no. 9. Section 4, art. 12 says so. The answer is no. Two came.';
    expect(shown(text)).toEqual([
      'Take the key to apt. 4 at no. 9.',
      'Section 4, art. 12 says so.',
      'The answer is no.',
      'Two came.',
    ]);
  });

  it('splits after how a letter begins, and after who wrote the lines that it quotes', () => {
    expect(shown("Hi Priya, I've got a van. Dear all, come.")).toEqual([
      'Hi Priya,',
      "I've got a van.",
      'Dear all, come.',
    ]);
    expect(shown('> On 3 Mar 2024, Laura Whitfield wrote:\n> Hi Martin, the boiler is banging again.')).toEqual([
      'On 3 Mar 2024, Laura Whitfield wrote:',
      'Hi Martin,',
      'the boiler is banging again.',
    ]);
    expect(shown('Dear as it was, he bought it.')).toEqual(['Dear as it was, he bought it.']);
  });

  it('returns list items, table rows and code blocks with the heading above them', () => {
    const text =
      '## Options\n\n- **one** `a`\n- two\n  goes on\n\n| Name | Default |\n|---|---|\n| x | 5 |\n\n```js\nlet a = b[0];\n```\n';
    const units = splitUnits(text);
    expect(units.map(({ kind, text: each }) => [kind, each])).toEqual([
      ['item', 'one `a`'],
      ['item', 'two goes on'],
      ['row', 'x | 5'],
      ['code', '```js\nlet a = b[0];\n```'],
    ]);
    expect(units.every(({ section }) => section === 'Options')).toBe(true);
    expect(units.map(({ header }) => header)).toEqual(['', '', 'Name | Default', '']);
    expect(units.map(({ bullet }) => bullet)).toEqual(['-', '-', '', '']);
  });

  it('reads rows of a table that was cut below the columns that it is given, until the table ends', () => {
    const text = '| Ada Vogel | Kiel |\n| Jan Otto | Bremen |\n\nThey meet weekly.\n\n| 1 | 2 |';
    expect(splitUnits(text, '| Name | City |').map(({ header }) => header)).toEqual([
      'Name | City',
      'Name | City',
      '',
      '',
    ]);
  });

  it('skips the rest of a block of code that was cut, and reads on after it', () => {
    const cut =
      "cache.set('b', 2);\ncache.clear(); // of both\n```\n\nThe cache is empty now.\n\n```js\ncache.size;\n```";
    expect(splitUnits(cut).map(({ kind, text }) => [kind, text])).toEqual([
      ['sentence', 'The cache is empty now.'],
      ['code', '```js\ncache.size;\n```'],
    ]);
    const open = 'This empties the cache:\n\n```\ncache.clear();';
    expect(splitUnits(open).map(({ kind }) => kind)).toEqual(['sentence', 'code']);
  });

  it('splits a long list item into sentences', () => {
    const long = 'The tower was built of granite from the quarry on the island. '.repeat(5).trim();
    expect(splitUnits(`- ${long}`).map(({ kind }) => kind)).toEqual(Array(5).fill('sentence'));
  });

  it('ends no sentence within parentheses that are closed soon', () => {
    const replace = 'Replace it once a year (part no. AQ-F3, 14.90 €).';
    expect(shown(`Wash it often. ${replace} Let it dry.`)).toEqual(['Wash it often.', replace, 'Let it dry.']);
    expect(shown('A smile :( is sad. Nobody knew why. A tram came.')).toHaveLength(3);
  });

  it('splits the rules of a list into sentences, but no item whose beginning the rest needs', () => {
    const rule =
      'Rent is 62 euros for a full plot, payable by 30 April. A fee of 10 euros applies to late payments after 15 May.';
    const items = (item: string) =>
      splitUnits(`1. ${item}`).map(({ kind, text, bullet, block }) => [kind, text, bullet, block]);
    expect(items(rule)).toEqual([
      ['sentence', 'Rent is 62 euros for a full plot, payable by 30 April.', '1.', 1],
      ['sentence', 'A fee of 10 euros applies to late payments after 15 May.', '1.', 1],
    ]);
    for (const begin of ['Rent: ', '**Rent** ', '[Rent](rent.md) ', 'With `--rent`, ']) {
      expect(items(`${begin}${rule}`).map(([kind]) => kind)).toEqual(['item']);
    }
    expect(items('Press the button. Wait for a minute.').map(([kind]) => kind)).toEqual(['item']);
  });

  it('shows text without links, images, emphasis and reference marks', () => {
    expect(
      shown('The *old* [tower](http://a.example/x_(y)) ![img](i.png) fell[3][12] in __1871__[citation needed].'),
    ).toEqual(['The old tower fell in 1871.']);
  });

  it('takes a short line above a sentence of plain text for its heading, but not a line of an address or of wrapped text', () => {
    const text =
      'Hiring\nTwo candidates come on Wednesday.\n\nOakfield House\n12 Mill Lane\nYork\n\nThe outage of the third of October lasted for about\nTwenty-three minutes.';
    expect(splitUnits(text).map(({ section, text: each }) => [section, each])).toEqual([
      ['Hiring', 'Two candidates come on Wednesday.'],
      ['Hiring', 'Oakfield House 12 Mill Lane York'],
      ['Hiring', 'The outage of the third of October lasted for about Twenty-three minutes.'],
    ]);
  });

  it('takes a numbered line, or one in capitals, for the heading of the text below it, but not the items of a list', () => {
    const text =
      '1. Joining\nAnyone over 16 can join; under 18 a parent signs as well.\n\nCONDITION RATINGS\n\nRating 3 means urgent.\n\n4. Outside\n\nThe stack leans.\n\n1. Unpack the pump\n\n2. Fill it\n\n3. Switch it on\n   Then wait for a minute.';
    expect(splitUnits(text).map(({ section, kind, text: each }) => [section, kind, each])).toEqual([
      ['Joining', 'sentence', 'Anyone over 16 can join; under 18 a parent signs as well.'],
      ['CONDITION RATINGS', 'sentence', 'Rating 3 means urgent.'],
      ['Outside', 'sentence', 'The stack leans.'],
      ['Outside', 'item', 'Unpack the pump'],
      ['Outside', 'item', 'Fill it'],
      ['Outside', 'item', 'Switch it on Then wait for a minute.'],
    ]);
  });

  it('takes each line of a list without bullets for a unit, and the line above them for their heading', () => {
    const text =
      'Ratings\nChimney stack: 3\nGutters: 2\n\nDATES:\n28 March   plant swap, 2 pm\n18 April   spring clean\n\nThe meeting of the whole committee was moved by about\n20 minutes, which nobody minded.';
    expect(splitUnits(text).map(({ section, text: each }) => [section, each])).toEqual([
      ['Ratings', 'Chimney stack: 3'],
      ['Ratings', 'Gutters: 2'],
      ['DATES', '28 March plant swap, 2 pm'],
      ['DATES', '18 April spring clean'],
      ['DATES', 'The meeting of the whole committee was moved by about 20 minutes, which nobody minded.'],
    ]);
  });

  it('takes each line for a unit if some of the lines are entries, but not where a line goes on in the next one', () => {
    const text = 'Car\nSkoda Octavia, KN19 TRV\nTyres: 2.3 bar\nMOT due: 18 November\nIt is at the garage. Ask Ann.';
    expect(splitUnits(text).map((unit) => [unit.section, unit.text])).toEqual([
      ['Car', 'Skoda Octavia, KN19 TRV'],
      ['Car', 'Tyres: 2.3 bar'],
      ['Car', 'MOT due: 18 November'],
      ['Car', 'It is at the garage.'],
      ['Car', 'Ask Ann.'],
    ]);
    const wrapped = 'Note: the car is at the garage and will be there\nuntil Friday. Ask: Ann.\nTyres: 2.3 bar.';
    expect(splitUnits(wrapped).map((unit) => unit.text)).toContain(
      'Note: the car is at the garage and will be there until Friday.',
    );
  });

  it('takes lines of Markdown for units if all of them are values with a name', () => {
    const prices = splitUnits('# Salon\n\nMachine cut: 18\nScissor cut: 27\n\nWe close at 6.\nPrices: see above.');
    expect(prices.map((unit) => unit.text)).toEqual([
      'Machine cut: 18',
      'Scissor cut: 27',
      'We close at 6.',
      'Prices: see above.',
    ]);
  });

  it('takes a short item for the name of the items below it', () => {
    const notes =
      '# Kitchen\n\n- Fitter:\n  - Kowalski & Sons\n  - Deposit\n    - 30 %\n- They come in May.\n  - At 8.\n\nThe end.';
    expect(splitUnits(notes).map((unit) => [unit.section, unit.text])).toEqual([
      ['Kitchen', 'Fitter:'],
      ['Fitter', 'Kowalski & Sons'],
      ['Fitter', 'Deposit'],
      ['Deposit', '30 %'],
      ['Kitchen', 'They come in May.'],
      ['Kitchen', 'At 8.'],
      ['Kitchen', 'The end.'],
    ]);
  });

  it('ends no sentence after an ordinal or an abbreviation of German', () => {
    const sentences = [
      'Am Dienstag, dem 17. März, ist die Waschküche im 3. Stock bis zum 24. Dezember zu.',
      'Der 1. Vorsitzende trinkt z. B. Kaffee und u. a. Tee.',
      'Dipl.-Ing. Meier, geb. Schulz, zahlt 3 Mio. Euro.',
      'Wir öffnen von 8 bis 12.',
      'Danach ist Pause.',
      'Es waren 17.',
      'Das Haus gilt nach § 3.',
      'Die Kosten trägt er.',
    ];
    expect(splitUnits(`# Haus\n\n${sentences.join(' ')}`).map((unit) => unit.text)).toEqual(sentences);
    const english = ['I am 12.', 'She is 9.', 'We left room 5.', 'May came.'];
    expect(splitUnits(`# Us\n\n${english.join(' ')}`).map((unit) => unit.text)).toEqual(english);
  });

  it('takes lines of Markdown for units if most of them are, and none goes on in the next one', () => {
    const booking =
      '# Booking\n\nNumber: KX-48213\nHotel Adler, Seestraße 12\nCheck-in: 6 June, from 15:00\nRoom: with balcony';
    expect(splitUnits(booking).map((unit) => unit.text)).toEqual([
      'Number: KX-48213',
      'Hotel Adler, Seestraße 12',
      'Check-in: 6 June, from 15:00',
      'Room: with balcony',
    ]);
    const wrapped =
      '# Notes\n\nPumps: the red one runs\nEvery day. Valves: both of\nthem leak. Hoses: see\nThe list of parts.';
    expect(splitUnits(wrapped).map((unit) => unit.text)).toContain('Valves: both of them leak.');
  });

  it('takes the line above such lines for their heading', () => {
    const hours = '# Shop\n\nOpening hours\nMon to Fri: 9:00 to 18:30\nSun: closed';
    expect(splitUnits(hours).map((unit) => [unit.section, unit.text])).toEqual([
      ['Opening hours', 'Mon to Fri: 9:00 to 18:30'],
      ['Opening hours', 'Sun: closed'],
    ]);
  });

  it('takes the lines of aligned columns for units, below the names of the columns', () => {
    const invoice =
      'Pos  Description      Qty   Total\n1    Flour, 25 kg      12   220.80\n2    Delivery           1    15.00\n\nNet: 235.80\n';
    expect(splitUnits(invoice).map((unit) => [unit.section, unit.text])).toEqual([
      ['Pos Description Qty Total', '1 Flour, 25 kg 12 220.80'],
      ['Pos Description Qty Total', '2 Delivery 1 15.00'],
      ['', 'Net: 235.80'],
    ]);
  });

  it('takes a single line with a name for a unit between lines that end like sentences', () => {
    const text =
      'Payable within 14 days.\nBank: Sparkasse Holm, IBAN DE02 1203\nFor questions call Ms Petersen, extension 22.';
    expect(splitUnits(text).map((unit) => unit.text)).toEqual([
      'Payable within 14 days.',
      'Bank: Sparkasse Holm, IBAN DE02 1203',
      'For questions call Ms Petersen, extension 22.',
    ]);
  });

  it('takes each of several short lines of plain text for a unit, below the words between them that they are about', () => {
    const notes =
      'Boiler\nServiced in October by Kemp Heating\nNext service in a year\nBins\nBlack bin Monday\nBlue bin every second Thursday';
    expect(splitUnits(notes).map((unit) => [unit.section, unit.text])).toEqual([
      ['Boiler', 'Serviced in October by Kemp Heating'],
      ['Boiler', 'Next service in a year'],
      ['Bins', 'Black bin Monday'],
      ['Bins', 'Blue bin every second Thursday'],
    ]);
    const address = 'Mrs Ann Smith\nOakfield House\n12 Mill Lane\nYork\nYO1 7AB';
    expect(splitUnits(address)).toHaveLength(1);
    const wrapped =
      'Proben\nDas Orchester probt am Dienstag um acht und\nDie Jugend am Freitag um fünf,\nDie Halle ist offen';
    expect(splitUnits(wrapped)).toHaveLength(1);
  });

  it('takes no value with its name for the heading of the sentence below it', () => {
    const notes = 'Council\n\nCaretaker: Oleg Petrenko\nThe cleaning costs 210 euros a month.';
    expect(splitUnits(notes).map(({ section, text }) => [section, text])).toEqual([
      ['', 'Council'],
      ['', 'Caretaker: Oleg Petrenko'],
      ['', 'The cleaning costs 210 euros a month.'],
    ]);
  });

  it('takes the number of an office for a part of its name, but not that of a step', () => {
    const board = '1. Vorsitzender: Jonas Reuter\n2. Vorsitzende: Petra Kling\nKassiererin: Sabine Lenz';
    const lines = board.split('\n');
    expect(splitUnits(board).map(({ kind, text }) => [kind, text])).toEqual(lines.map((line) => ['sentence', line]));
    expect(splitUnits(`# Board\n\n${board}`).map(({ text }) => text)).toEqual(lines);
    const steps = splitUnits('1. Rinse: cold water\n2. Wash: warm water\n3. Dry: no heat');
    expect(steps.map(({ kind, text }) => [kind, text])).toEqual([
      ['item', 'Rinse: cold water'],
      ['item', 'Wash: warm water'],
      ['item', 'Dry: no heat'],
    ]);
  });

  it('takes a line in bold for the name of the value below it alone', () => {
    const sheet = '## Data\n\n**Weight**\n\n3.4 kg\n\n**Warranty:**\n\ntwo years\n\nIt is made in Leeds.';
    expect(splitUnits(sheet).map((unit) => [unit.section, unit.label, unit.text])).toEqual([
      ['Weight', 'Weight', '3.4 kg'],
      ['Warranty', 'Warranty', 'two years'],
      ['Data', '', 'It is made in Leeds.'],
    ]);
  });

  it('leaves the lines above an e-mail together', () => {
    expect(shown('From: Ada Berg\nTo: Tom Lane\nDate: 3 May\nSubject: Boxes\n\nThe boxes came.')).toEqual([
      'From: Ada Berg To: Tom Lane Date: 3 May Subject: Boxes',
      'The boxes came.',
    ]);
  });

  it('splits text in a script without spaces', () => {
    expect(shown('灯台は1871年に建てられた。高さは41メートルである。')).toHaveLength(2);
  });

  it('returns units in order, without overlap, at their exact offsets', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '\n',
        '\n\n',
        '. ',
        '- ',
        '* ',
        '1. ',
        '# ',
        '| a | b |\n',
        '|---|---|\n',
        '```\n',
        '`',
        '> ',
        '---\n',
        '===\n',
        'Mr. ',
        '。',
      ),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        let last = 0;
        for (const { start, end, kind, text: each } of splitUnits(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          const raw = text.slice(start, end);
          expect(raw).toBe(raw.trim());
          // Backticks torn across markup are shown by their own rules.
          if (kind !== 'code' && !raw.includes('`')) expect(bare(each)).toBe(bare(raw));
          last = end;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('splits long hostile text before the test times out', () => {
    for (const hostile of ['`', '[(', '](', '*a', '<a ', '- ', '|', '> ', '. A', '"', '![', '_a']) {
      expect(splitUnits(hostile.repeat(6000))).toBeDefined();
    }
  });
});

describe('shown text', () => {
  it('keeps code that is broken over two lines in backticks, but none over two paragraphs', () => {
    expect(cleanMarkdown('Run `A_B=1\n  start_it` now.')).toBe('Run `A_B=1 start_it` now.');
    expect(cleanMarkdown('One ` here.\n\nAnother_one ` there.')).not.toContain('`');
  });

  it('never shows a marker or a link, whatever the page has', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '[',
            ']',
            '(',
            ')',
            '1',
            '12',
            '`',
            '``',
            '!',
            '\\',
            'a',
            ' ',
            '<b>',
            '<script>',
            '\u0000',
            '\u00010',
          ),
          { maxLength: 60 },
        ),
        (parts) => {
          const text = cleanMarkdown(parts.join('')).replace(/`[^`]*`/g, 'x');
          expect(text).not.toMatch(/\[\d+(?:\s*,\s*\d+)*\]/);
          expect(text).not.toMatch(/\]\(/);
          expect(text).not.toMatch(/(?<!\\)<[a-z]/i);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** What a locator compares: letters and digits, without what never is shown. */
function bare(text: string): string {
  return text.replace(removedPattern, ' ').replace(/[^\p{L}\p{N}]+/gu, '');
}
