import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Brief, Leaf, LeafValue, StageContext } from '../../src/engine/ports/model.ts';
import type { Evidence } from '../../src/engine/ports/snapshot.ts';
import { createExtractiveModel } from '../../src/model/extractive/extractive.ts';

const model = createExtractiveModel();
afterAll(() => model.close());

const context = (signal = new AbortController().signal): StageContext => ({
  signal,
  meter: { admit: () => {}, left: () => Number.POSITIVE_INFINITY, record: () => {} },
});

function brief(question: string, previous: string[] = []): Brief {
  return { prompt: [...previous, question].join('\n\n'), question, previous, today: '2026-01-01' };
}

function piece(n: number, title: string, text: string, score = 10 - n): Evidence {
  return {
    n,
    snapshot: `${title}-${text.length}`,
    url: `https://a.example/${n}`,
    title,
    headings: title,
    text,
    start: 0,
    end: text.length,
    score,
  };
}

async function write(
  question: string,
  evidence: readonly Evidence[],
  previous: string[] = [],
  effort: Brief['effort'] = 'balanced',
): Promise<string> {
  let text = '';
  for await (const part of model.write({ ...brief(question, previous), effort }, evidence, context())) text += part;
  return text;
}

async function fill(question: string, leaves: readonly Leaf[], evidence: readonly Evidence[]): Promise<LeafValue[]> {
  const values: LeafValue[] = [];
  for await (const value of model.fill(brief(question), leaves, evidence, context())) values.push(value);
  return values;
}

const lighthouse = [
  piece(
    1,
    'Harrow Point Light',
    'Harrow Point Light is a lighthouse on the northern coast. It was built in 1871 by the engineer Ada Merrow. The tower is 41 metres tall and its light reaches 22 nautical miles.',
  ),
  piece(
    2,
    'Harrow Point',
    'Harrow Point is a headland with about 5,000 breeding puffins. A footpath of 3 miles leads to the lighthouse. Dogs are not allowed on the path between April and July.',
  ),
  piece(
    3,
    'Merrow',
    'Ada Merrow (1830–1902) was an engineer. She designed eleven lighthouses and earned $1.2 million in fees over her career.',
  ),
];

describe('the extractive answer', () => {
  it('is the sentence that answers, verbatim, with the one that its pronoun refers to, and stops', async () => {
    const text = await write('Who built the Harrow Point lighthouse?', lighthouse);
    expect(text).toBe(
      'Harrow Point Light is a lighthouse on the northern coast. It was built in 1871 by the engineer Ada Merrow. [1]',
    );
  });

  it('answers the second part of a question with a second piece', async () => {
    const text = await write('How tall is the tower of Harrow Point Light, and when are dogs not allowed?', lighthouse);
    expect(text).toContain('The tower is 41 metres tall');
    expect(text).toMatch(/Dogs are not allowed on the path between April and July\. \[2\]$/);
  });

  it('goes on with further whole sentences only when a deep answer is wanted', async () => {
    const question = 'What is known about Harrow Point Light?';
    const short = await write(question, lighthouse);
    const long = await write(question, lighthouse, [], 'deep');
    expect(long.length).toBeGreaterThan(short.length);
    const sentences = long.split(/ \[\d\] ?/).filter((each) => each !== '');
    const all = lighthouse.map(({ text }) => text).join(' ');
    for (const sentence of sentences) expect(all).toContain(sentence);
  });

  it('brings the list that a sentence announces, with the numbers of its items', async () => {
    const text = await write('What are the steps to reset the pump?', [
      piece(
        1,
        'Pump',
        'To reset the pump, follow these steps:\n\n1. Close the valve.\n2. Press reset twice.\n\nIt is blue.',
      ),
    ]);
    expect(text).toBe('To reset the pump, follow these steps:\n\n1. Close the valve.\n2. Press reset twice. [1]');
  });

  it('brings a list whole where its items have several sentences', async () => {
    const valve =
      '1. Close the valve at the back of the pump by hand, and wait until no more water comes out. A hiss is normal for a while.\n2. Press reset twice.';
    const text = await write('What are the steps to reset the pump?', [
      piece(1, 'Pump', `To reset the pump, follow these steps:\n\n${valve}\n\nIt is blue.`),
    ]);
    expect(text).toBe(`To reset the pump, follow these steps:\n\n${valve} [1]`);
  });

  it('shows a table row with its headings', async () => {
    const text = await write('How long does the Eco programme take?', [
      piece(
        1,
        'Dishwasher',
        'The dishwasher has programmes.\n\n| Programme | Time |\n| --- | --- |\n| Quick | 29 min |\n| Eco | 3 h 40 min |',
      ),
    ]);
    expect(text).toBe('| Programme | Time |\n|---|---|\n| Eco | 3 h 40 min [1] |');
  });

  it.each([
    'Who won the chess tournament in Lisbon in 1953?',
    'What is the boiling point of tungsten hexafluoride?',
    'zxqv blorp wibblefrotz',
    'the of and',
    '?!',
  ])('answers nothing if the evidence does not answer: %s', async (question) => {
    expect(await write(question, lighthouse)).toBe('');
    const { enough } = await model.reflect(brief(question), lighthouse, context());
    expect(enough).toBe(false);
  });

  it("answers from a document of one's own that names options in code as from prose", async () => {
    const log = piece(
      1,
      'Changelog of tarnish',
      'Exit status is 2 for syntax errors and 1 for findings. The configuration key `exclude` was renamed to `ignore-paths`. `--watch` checks a file again whenever it is saved.',
    );
    expect(await write('What does exit status 2 mean?', [log])).toBe(
      'Exit status is 2 for syntax errors and 1 for findings. [1]',
    );
  });

  it('answers with a statement of three words', async () => {
    const club = piece(
      1,
      'Rules of the rowing club',
      'Treasurer: Maeve Dunne. Captain: Henrik Solberg. The key code is changed every quarter and is not written down.',
    );
    expect(await write('Who is the captain?', [club])).toMatch(
      /^(?:Treasurer: Maeve Dunne\. )?Captain: Henrik Solberg\./,
    );
  });

  it('answers with a sentence that ends in a colon, and what it announces', async () => {
    const letter =
      'In a letter of 1842 the keeper of Harrow Point describes how the lighthouse was built:\n\n"It took us three summers."';
    const text = await write('In which year did the keeper of Harrow Point describe how the lighthouse was built?', [
      piece(1, 'Harrow Point', letter),
    ]);
    expect(text).toMatch(/^In a letter of 1842 .* was built: "It took us three summers\." \[1\]$/);
  });

  it('answers nothing without evidence', async () => {
    expect(await write('Who built the lighthouse?', [])).toBe('');
  });

  it('answers keywords, statements and prompts with instructions like questions', async () => {
    for (const prompt of [
      'Harrow Point lighthouse engineer',
      'Tell me who built the Harrow Point lighthouse, in one sentence.',
      'Answer in one sentence with sources. Who built the Harrow Point lighthouse?',
    ]) {
      expect(await write(prompt, lighthouse)).toContain('Ada Merrow');
    }
  });

  it('matches the initials of a name with the name', async () => {
    expect(await write('How tall is the tower of the HPL?', lighthouse)).toContain('The tower is 41 metres tall');
  });

  it('reads a question that depends on the previous one together with it', async () => {
    const text = await write('How tall is it?', lighthouse, ['Who built the Harrow Point lighthouse?']);
    expect(text).toContain('41 metres');
  });

  it('escapes numbers in brackets on a page, which would read as citation markers', async () => {
    const noisy = fc.array(
      fc.oneof(
        fc.constantFrom(
          '[1]',
          '[2, 3]',
          '[99]',
          '`a[7]`',
          '``b[8] ` c``',
          '[4](http://x.example)',
          '\\[5\\]',
          '![6](x.png)',
          '`',
          '**',
          '[',
          ']',
          '\n',
          '\n\n',
          '- ',
          '| ',
        ),
        fc.constantFrom('Harrow', 'Point', 'lighthouse', 'built', 'engineer', 'in', '1871.', 'The', 'tower'),
      ),
      { minLength: 5, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(noisy, async (words) => {
        const evidence = [
          piece(41, 'Harrow Point', `Harrow Point lighthouse was built by the engineer. ${words.join(' ')}`),
        ];
        const text = await write('Who built the Harrow Point lighthouse?', evidence);
        const prose = text.replace(/^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1[^\n]*$/gm, '').replace(/`[^`\n]*`/g, 'x');
        expect(prose).not.toMatch(/\]\(/);
        for (const [, n] of prose.matchAll(/\[(\d[\d,\s]*)\]/g)) expect(n).toBe('41');
      }),
      { numRuns: 150 },
    );
  });

  it('shows whole sentences, or whole clauses of long ones', async () => {
    const clause = fc.constantFrom(
      'the lighthouse of Harrow Point was built by Ada Merrow in 1871',
      'the engineer designed eleven lighthouses over her career',
      'about 5,000 puffins breed on the headland every summer',
      'a footpath of three miles leads to the tower from the village',
      'its light reaches 22 nautical miles and was automated in 1962',
    );
    const joint = fc.constantFrom('; ', ', although ', ', while ', ' – ', ', and ', ', so ');
    const sentence = fc.array(fc.tuple(joint, clause), { minLength: 1, maxLength: 4 }).map((parts) => {
      const [, ...rest] = parts.flat();
      return `It is said that ${rest.join('')}.`;
    });
    let count = 0;
    const pages = fc.array(fc.array(sentence, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(pages, async (texts) => {
        const evidence = texts.map((sentences, i) => {
          count += 1;
          return { ...piece(i + 1, `Harrow Point ${i}`, sentences.join(' ')), snapshot: `page ${count}` };
        });
        const text = await write('Who built the lighthouse of Harrow Point?', evidence);
        for (const [, shown = '', n] of text.matchAll(/(\S.*?) \[(\d+)\]/g)) {
          const source = evidence[Number(n) - 1]!.text;
          const bare = shown.replace(/\.$/, '');
          expect(source).toMatch(new RegExp(`(?:^|[.;] )${bare}(?:[.;]|, (?:and|while) )`, 'i'));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('rejects with the reason of a signal that is aborted', async () => {
    const left = new AbortController();
    const reason = new Error('left');
    left.abort(reason);
    await expect(model.plan(brief('x'), context(left.signal))).rejects.toBe(reason);
    await expect(model.reflect(brief('Who built it?'), lighthouse, context(left.signal))).rejects.toBe(reason);
    await expect(
      model.write(brief('Who built it?'), lighthouse, context(left.signal))[Symbol.asyncIterator]().next(),
    ).rejects.toBe(reason);
  });

  it('answers any prompt and evidence without an error', async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom(
        '__proto__',
        'constructor toString',
        '[('.repeat(400),
        '`'.repeat(999),
        '- '.repeat(500),
        '|'.repeat(800),
        '#'.repeat(500),
        '\u0000\u0001',
      ),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.array(text, { maxLength: 4 }), async (prompt, texts) => {
        const evidence = texts.map((each, i) => piece(i + 1, each.slice(0, 20), each));
        await write(prompt, evidence);
        await fill(
          prompt,
          [
            { path: '/a', type: 'string' },
            { path: '/rows/-/b', type: 'number' },
          ],
          evidence,
        );
      }),
      { numRuns: 150 },
    );
  });
});

describe('a second hop', () => {
  const compare = 'Who is older, Ada Merrow or Ingrid Solvang?';
  const solvang = piece(4, 'Ingrid Solvang', 'Ingrid Solvang (born 1844) was a Norwegian surveyor of harbours.');

  it('names a query for the thing that has no page if a question compares two', async () => {
    const { enough, queries } = await model.reflect(brief(compare), lighthouse, context());
    expect(enough).toBe(false);
    expect(queries).toContain('Ingrid Solvang');
  });

  it('cites both pages in the answer to a comparison', async () => {
    const text = await write(compare, [...lighthouse, solvang]);
    expect(text).toContain('[3]');
    expect(text).toContain('[4]');
  });

  it('names no further query if one page answers', async () => {
    const question = brief('Who built the Harrow Point lighthouse?');
    expect(await model.reflect(question, lighthouse, context())).toEqual({ enough: true, queries: [] });
  });
});

describe('the plan', () => {
  it('plans a query without the instructions about the form of the answer', async () => {
    const { queries } = await model.plan(
      brief('Please tell me who built the lighthouse, in two sentences.'),
      context(),
    );
    expect(queries[0]).toBe('who built the lighthouse');
  });

  it('splits a question of several parts into queries, the whole question first', async () => {
    const { queries } = await model.plan(brief('Who was Ada Merrow and when was Harrow Point Light built?'), context());
    expect(queries).toEqual([
      'Who was Ada Merrow and when was Harrow Point Light built?',
      'Who was Ada Merrow',
      'when was Harrow Point Light built?',
    ]);
  });

  it('reads sources and a timeframe from a prompt that names them', async () => {
    const plan = await model.plan(
      brief('Lighthouse news, only from example.org, articles published since 2019'),
      context(),
    );
    expect(plan).toMatchObject({ only: ['example.org'], from: '2019-01-01' });
  });
});

describe('excerpts', () => {
  const excerptsOf = async (question: string, evidence: readonly Evidence[]) =>
    (await model.excerpts!(brief(question), evidence, context())).map(({ n, start, end }) => ({
      n,
      text: evidence[n - 1]!.text.slice(start, end),
    }));

  it('are one a page, the best first, and none for a page without a word of the question', async () => {
    const evidence = [
      ...lighthouse.slice(0, 2),
      piece(3, 'Ferries', 'The ferry leaves at noon.'),
      { ...piece(4, 'Harrow Point Light', 'The lighthouse is open in summer.'), snapshot: lighthouse[0]!.snapshot },
    ];
    const excerpts = await excerptsOf('How tall is the lighthouse at Harrow Point?', evidence);
    expect(excerpts.map(({ n }) => n)).toEqual([1, 2]);
    expect(excerpts[0]!.text).toContain('41 metres tall');
  });

  it('begin with the sentence that a pronoun refers to, and end with a sentence', async () => {
    const long = 'Its keepers came from all the villages of the coast and stayed for a year. '.repeat(6).trim();
    const text = `Some words first. Harrow Point Light opened in 1871. It was designed by Ada Merrow. ${long}`;
    const [excerpt] = await excerptsOf('Who designed the lighthouse?', [piece(1, 'Harrow Point Light', text)]);
    expect(excerpt!.text).toMatch(/^Harrow Point Light opened in 1871\. It was designed by Ada Merrow\..*year\.$/);
    expect(excerpt!.text.length).toBeLessThanOrEqual(400);
  });

  it('begin with a sentence that only says what there is', async () => {
    const text = 'Harrow Point Light opened in 1871. There are no lifts in the lighthouse.';
    const [excerpt] = await excerptsOf('Does the lighthouse have lifts?', [piece(1, 'Harrow Point Light', text)]);
    expect(excerpt!.text).toBe('There are no lifts in the lighthouse.');
  });

  it('have what a page says of most of the question, also where another sentence may rather answer it', async () => {
    const tower = 'Heron Point Lighthouse stands on a reef. It was designed by the engineer Ingrid Solvay in 1887.';
    const life =
      'Ingrid Solvay was an engineer from Varnholm. She built eleven lighthouses along the northern coast. Her best known work is the Heron Point Lighthouse.';
    const evidence = [piece(1, 'Heron Point Lighthouse', tower), piece(2, 'Ingrid Solvay', life)];
    const spans = await model.excerpts!(brief('Who designed the Heron Point Lighthouse?'), evidence, context());
    expect(spans.find(({ n }) => n === 2)!.coverage).toBeGreaterThan(0.5);
  });

  it('take in the list that a colon announces, and skip a sentence whose list is too long', async () => {
    const short = 'The lamp needs three things:\n\n- oil\n- a wick\n- a match';
    const long = `The lamp needs many things:\n\n- ${'oil '.repeat(100).trim()}\n\nThe lamp is old.`;
    const question = 'What does the lamp need?';
    const excerpts = await excerptsOf(question, [piece(1, 'Lamps', short), piece(2, 'Old lamps', long)]);
    expect(excerpts.find(({ n }) => n === 1)!.text).toBe(short);
    expect(excerpts.find(({ n }) => n === 2)!.text).toBe('The lamp is old.');
  });
});

describe('a template filled from evidence', () => {
  const span = (value: LeafValue, evidence: readonly Evidence[]) =>
    evidence.find(({ n }) => n === value.support?.evidence)?.text.slice(value.support?.start, value.support?.end);

  it('fills numbers, names, years and booleans, each with its supporting words', async () => {
    const values = await fill(
      'Who built the Harrow Point lighthouse and how tall is the tower?',
      [
        { path: '/engineer', type: 'string' },
        { path: '/year_built', type: 'number' },
        { path: '/height_metres', type: 'number' },
      ],
      lighthouse,
    );
    expect(values.map(({ value }) => value)).toEqual(['Ada Merrow', 1871, 41]);
    expect(values.map((value) => span(value, lighthouse))).toEqual(['Ada Merrow', '1871', '41 metres']);
  });

  it('reads thousands separators, amounts of money and negation', async () => {
    const [puffins] = await fill(
      'How many puffins breed at Harrow Point?',
      [{ path: '/puffins', type: 'number' }],
      lighthouse,
    );
    expect(puffins?.value).toBe(5000);
    const [fees] = await fill(
      'How much did Ada Merrow earn in fees over her career?',
      [{ path: '/fees_usd', type: 'number' }],
      lighthouse,
    );
    expect(fees?.value).toBe(1_200_000);
    const [dogs] = await fill(
      'Are dogs allowed on the path at Harrow Point?',
      [{ path: '/dogs_allowed', type: 'boolean' }],
      lighthouse,
    );
    expect(dogs?.value).toBe(false);
  });

  it('fills null for what the evidence does not have', async () => {
    const values = await fill(
      'What is the boiling point of tungsten hexafluoride?',
      [
        { path: '/celsius', type: 'number' },
        { path: '/source', type: 'string' },
        { path: '/toxic', type: 'boolean' },
        { path: '/rows/-/name', type: 'string' },
      ],
      lighthouse,
    );
    expect(values.map(({ path, value, confidence }) => [path, value, confidence])).toEqual([
      ['/celsius', null, 0],
      ['/source', null, 0],
      ['/toxic', null, 0],
    ]);
  });

  it('fills an array from the items of a list and from the rows of a table', async () => {
    const list = [
      piece(
        1,
        'Lamp options',
        '# Lamp options\n\nThe lamp has these options:\n\n* **brightness** `number` - Default: `40` - How bright the lamp burns.\n* **colour** `string` - The colour of the lamp.\n',
      ),
    ];
    const leaves: Leaf[] = [
      { path: '/options/-/name', type: 'string' },
      { path: '/options/-/default', type: 'number' },
    ];
    const values = await fill('List the options of the lamp', leaves, list);
    expect(values.map(({ path, value }) => [path, value])).toEqual([
      ['/options/0/name', 'brightness'],
      ['/options/0/default', 40],
      ['/options/1/name', 'colour'],
      ['/options/1/default', null],
    ]);
  });

  it('fills all rows of a table, unless the prompt says how many', async () => {
    const rooms = Array.from({ length: 45 }, (_, at) => `| Room ${at + 1} | ${60 + at} |`).join('\n');
    const table = [piece(1, 'Rooms', `# Rooms\n\n| Room | Price |\n|---|---|\n${rooms}\n`)];
    const leaves: Leaf[] = [
      { path: '/rooms/-/room', type: 'string' },
      { path: '/rooms/-/price', type: 'number' },
    ];
    const countOf = async (prompt: string) => (await fill(prompt, leaves, table)).length / 2;
    expect(await countOf('The rooms and their prices')).toBe(45);
    expect(await countOf('Which rooms are there for 2 guests who arrive at 18:30?')).toBe(45);
    expect(await countOf('List the rooms that are free on 12 May')).toBe(45);
    expect(await countOf('The first three rooms')).toBe(3);
    expect(await countOf('Name 5 rooms and their prices')).toBe(5);
  });

  it('takes the words of a link, and nothing that was cut in one', async () => {
    const list = [
      piece(
        1,
        'Lamp shades',
        '# Lamp shades\n\nThe lamp has these shades:\n\n* [`paper`](#paper)\n* [Fine linen](https://a.example/linen) - soft\n\n## Bulbs\n\n- [Glow](#glow)\n- [Gleam](gleam.md)\n\nHooks: see [hooks.list()](#list).\n',
      ),
    ];
    const valuesOf = async (prompt: string, path: string) =>
      (await fill(prompt, [{ path, type: 'string' }], list)).map(({ value }) => value);
    expect(await valuesOf('List the shades of the lamp', '/shades/-/name')).toEqual(['paper', 'Fine linen']);
    expect(await valuesOf('List the bulbs of the lamp', '/bulbs/-')).toEqual(['Glow', 'Gleam']);
    for (const value of await valuesOf('List the hooks of the lamp', '/hooks/-')) expect(value).not.toMatch(/[[\]]/);
  });

  it('fills an option and its default from the documentation of undici', async () => {
    const file = new URL('../../node_modules/undici/docs/docs/api/Client.md', import.meta.url);
    const sections = (await readFile(file, 'utf8')).split(/\n(?=#)/).slice(0, 8);
    const evidence = sections.map((text, i) => piece(i + 1, 'undici › Class: Client', text));
    const values = await fill(
      'How do I set a request timeout in undici?',
      [
        { path: '/option', type: 'string' },
        { path: '/default_ms', type: 'number' },
      ],
      evidence,
    );
    expect(['bodyTimeout', 'headersTimeout']).toContain(values[0]?.value);
    expect(values[1]?.value).toBe(300_000);
    const text = await write('How do I set a request timeout in undici?', evidence);
    expect(text).toMatch(/(?:body|headers)Timeout/);
  });

  it('supports every value with a span of the evidence it names', async () => {
    const values = await fill(
      'Tell me about Harrow Point Light, its height, its builder and its year',
      [
        { path: '/summary', type: 'string' },
        { path: '/year', type: 'number' },
        { path: '/builder/name', type: 'string' },
        { path: '/is_lighthouse', type: 'boolean' },
      ],
      lighthouse,
    );
    for (const value of values.filter((each) => each.value !== null)) {
      expect(span(value, lighthouse)).not.toBe('');
      if (typeof value.value === 'string') expect(span(value, lighthouse)).toContain(value.value);
    }
  });
});
