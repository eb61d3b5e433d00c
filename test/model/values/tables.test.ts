/** Which column of a table a prompt asks for, and which tables and lists are the rows of an array. */
import { describe, expect, it } from 'vitest';
import type { Leaf } from '../../../src/engine/ports/model.ts';
import { fill } from '../../../src/model/extractive/fill/fill.ts';

function fillFrom(text: string, prompt: string, leaves: readonly Leaf[], title = 'Snow blowers'): unknown[] {
  const source = {
    n: 1,
    snapshot: text,
    url: 'https://a.example/1',
    title,
    headings: title,
    text,
    start: 0,
    score: 1,
  };
  return fill(prompt, leaves, [source]).map(({ value }) => value);
}

const table = (first: string, second: string) =>
  `| Property | ${first} | ${second} |\n|---|---|---|\n| Rated power | 6.3 kW | 3.8 kW |\n| Heated grips | Yes | No |\n`;

describe('a table with a column for each model', () => {
  const leaves: readonly Leaf[] = [
    { path: '/power_kw', type: 'number' },
    { path: '/heated_grips', type: 'boolean' },
  ];

  it.each([
    ['TX-40', 'TX-40 E', 'TX-40 E snow blower', [3.8, false]],
    ['TX-40', 'TX-40 E', 'TX-40 snow blower', [6.3, true]],
    ['TX-40 E', 'TX-40', 'TX-40 snow blower', [3.8, false]],
    ['Ice 15', 'Ice 15 Pro', 'Ice 15 Pro snow blower', [3.8, false]],
    ['Ice 15', 'Ice 15 Pro', 'Ice 15 snow blower', [6.3, true]],
    ['TX-50', 'TX-60', 'TX-60 snow blower', [3.8, false]],
    ['TX-50', 'TX-60', 'TX-99 snow blower', [null, null]],
  ])('of %s and %s is read for "%s"', (first, second, prompt, values) => {
    expect(fillFrom(table(first, second), prompt, leaves)).toEqual(values);
  });
});

describe('the rows of an array', () => {
  const models: readonly Leaf[] = [
    { path: '/models/-/name', type: 'string' },
    { path: '/models/-/power_kw', type: 'number' },
    { path: '/models/-/drive', type: 'string' },
  ];

  it('are not those of a table that has none of the fields', () => {
    expect(fillFrom(table('TX-50', 'TX-60'), 'Snow blower models', models)).toEqual([]);
    expect(fillFrom(`## Models\n\n${table('TX-50', 'TX-60')}`, 'Snow blower models', models)).toEqual([]);
  });

  it('are not the items of a list about something else', () => {
    const text = '## Before the winter\n\n- Oil the chain\n- Check the belt\n- Fill the tank\n';
    expect(fillFrom(text, 'Snow blower models', models)).toEqual([]);
  });

  it('are the items below a heading that names them, though they say no more than a name', () => {
    const text = '## Models\n\n- Frost\n- Rime\n';
    expect(fillFrom(text, 'Snow blower models', models)).toEqual(['Frost', null, null, 'Rime', null, null]);
  });

  const people: readonly Leaf[] = [
    { path: '/people/-/name', type: 'string' },
    { path: '/people/-/email', type: 'string' },
  ];
  const committee = '- Ada Merrow\n- Karl Jensen\n';

  it.each([
    ['heading', `## Committee\n\n${committee}`],
    ['sentence', `The committee:\n\n${committee}`],
  ])('are the items below the %s that the prompt has words of', (_, text) => {
    expect(fillFrom(text, 'Members of the committee', people)).toEqual(['Ada Merrow', null, 'Karl Jensen', null]);
    expect(fillFrom(text, 'Winners of the race', people)).toEqual([]);
  });

  it('are those of a table whose first column is headed by a word of the array or the prompt', () => {
    const rooms = '| Room | Beds |\n|---|---|\n| Blue | 2 |\n| Red | 3 |\n';
    const fields: readonly Leaf[] = [
      { path: '/rooms/-/name', type: 'string' },
      { path: '/rooms/-/size_m2', type: 'number' },
    ];
    expect(fillFrom(rooms, 'Rooms of the Kestrel', fields, 'Kestrel')).toEqual(['Blue', null, 'Red', null]);
    const prices = '| Price of a room | Beds |\n|---|---|\n| 80 € | 2 |\n| 90 € | 3 |\n';
    expect(fillFrom(prices, 'Rooms of the Kestrel', fields, 'Kestrel')).toEqual([]);
  });

  it('are those of the table that has the fields', () => {
    const text = '| Model | Power | Drive |\n|---|---|---|\n| Frost | 3.8 kW | chain |\n| Rime | 6.3 kW | belt |\n';
    expect(fillFrom(text, 'Snow blower models', models)).toEqual(['Frost', 3.8, 'chain', 'Rime', 6.3, 'belt']);
  });
});
