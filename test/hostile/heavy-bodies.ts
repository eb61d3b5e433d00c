/**
 * Bodies that cost a server as much as they can: as many keys, entries and characters as a megabyte holds, and as many as
 * are let through. `refusedBy` is the issue that the count on the text makes; undefined where a schema may read the body.
 */
import { designLimits, jsonLimits, requestLimits } from '../../protocol/index.ts';
import { largeImage } from '../support/image.ts';

export interface HeavyBody {
  readonly what: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  /** Sent by a signed-in browser instead of with a key. */
  readonly byBrowser?: true;
  readonly text: string;
  readonly refusedBy?: { readonly loc: readonly (string | number)[]; readonly type: 'too_long' | 'string_too_long' };
}

/** Room for the rest of the body beside the heavy part. */
const megabyte = requestLimits.body_bytes - 2_000;
const prompt = 'Who designed the Heron Point Lighthouse?';

/** `{"k0":<value>,…}` with this many fields, or as many as a megabyte holds. */
function wide(value: string, count = Math.floor(megabyte / (value.length + 10))): string {
  return `{${Array.from({ length: count }, (_, n) => `"k${n}":${value}`).join()}}`;
}

function list(value: string, count = Math.floor(megabyte / (value.length + 1))): string {
  return `[${Array(count).fill(value).join()}]`;
}

const design = (fields: string, text = prompt) =>
  `{"name":"Heavy","api_stub":"heavy","prompt":${JSON.stringify(text)},${fields}}`;
const placeholders = (count: number) => Array.from({ length: count }, (_, n) => `{{k${n}}}`).join('');
const search = (fields: string) => `{"prompt":${JSON.stringify(prompt)},${fields}}`;

const tooLong = (...loc: (string | number)[]) => ({ loc: ['body', ...loc], type: 'too_long' }) as const;
const stringTooLong = (...loc: (string | number)[]) => ({ loc: ['body', ...loc], type: 'string_too_long' }) as const;

const toDesigns = { method: 'POST', path: '/v1/design-api' } as const;
const toSearch = { method: 'POST', path: '/v1/search' } as const;
const toTickets = { method: 'POST', path: '/v1/ws/tickets' } as const;
const toRun = { method: 'POST', path: '/v1/user-defined-service/who-designed' } as const;
const toKeys = { method: 'POST', path: '/v1/keys', byBrowser: true } as const;

export const tooHeavy: readonly HeavyBody[] = [
  {
    what: 'a design with thousands of inputs',
    ...toDesigns,
    text: design(`"inputs":${wide('{"type":"string"}')}`),
    refusedBy: tooLong('inputs'),
  },
  {
    what: 'a design with thousands of inputs, all of them used',
    ...toDesigns,
    text: design(`"inputs":${wide('{"type":"number","min":1}', 25_000)}`, placeholders(4_500)),
    refusedBy: tooLong('inputs'),
  },
  {
    what: 'a design with 90,000 values of an enum',
    ...toDesigns,
    text: design(`"inputs":{"a":{"type":"number","min":5,"enum":${list('1', 90_000)}}}`),
    refusedBy: tooLong('inputs', 'a', 'enum'),
  },
  {
    what: 'a design with an example of 100,000 inputs',
    ...toDesigns,
    text: design(`"examples":[{"inputs":${wide('1')}}]`),
    refusedBy: tooLong('examples', 0, 'inputs'),
  },
  {
    what: 'a design with thousands of examples',
    ...toDesigns,
    text: design(`"examples":${list('{"inputs":{"a":1}}')}`),
    refusedBy: tooLong('examples'),
  },
  {
    what: 'a design with a template of 70,000 leaves',
    ...toDesigns,
    text: design(`"output_format":${wide('"string"')}`),
    refusedBy: tooLong('output_format'),
  },
  {
    what: 'a change of a design with unknown fields',
    method: 'PATCH',
    path: `/v1/design-api/api_${'a'.repeat(22)}`,
    text: wide('1'),
    refusedBy: tooLong(),
  },
  { what: 'a search with unknown fields', ...toSearch, text: wide('1'), refusedBy: tooLong() },
  {
    what: 'a search with unknown fields of empty objects',
    ...toSearch,
    text: wide('{}'),
    refusedBy: tooLong(),
  },
  {
    what: 'a search with a template of 70,000 leaves',
    ...toSearch,
    text: search(`"output_format":${wide('"string"')}`),
    refusedBy: tooLong('output_format'),
  },
  {
    what: 'a search with a template of lists',
    ...toSearch,
    text: search(`"output_format":{"a":${list('[]')}}`),
    refusedBy: tooLong('output_format', 'a'),
  },
  {
    what: 'a search with 500,000 sources',
    ...toSearch,
    text: search(`"source_whitelist":${list('1')}`),
    refusedBy: tooLong('source_whitelist'),
  },
  {
    what: 'a search with 70,000 sources that are hosts',
    ...toSearch,
    text: search(`"source_blacklist":${list('"example.org"')}`),
    refusedBy: tooLong('source_blacklist'),
  },
  {
    what: 'a search with one field a hundred thousand times',
    ...toSearch,
    text: `{${'"a":1,'.repeat(150_000)}"b":1}`,
    refusedBy: tooLong(),
  },
  ...['prompt', 'from', 'language', 'effort', 'previous_search_id', 'unknown'].map(
    (field): HeavyBody => ({
      what: `a search whose "${field}" has a million characters`,
      ...toSearch,
      text: `{"${field}":"${'a-'.repeat(megabyte / 2)}"}`,
      refusedBy: stringTooLong(field),
    }),
  ),
  {
    what: 'a search with a source of a million characters',
    ...toSearch,
    text: search(`"source_whitelist":["${'a/.'.repeat(megabyte / 3)}"]`),
    refusedBy: stringTooLong('source_whitelist', 0),
  },
  {
    what: 'contents with a URL of a million characters',
    method: 'POST',
    path: '/v1/contents',
    text: `{"url":"https://${'a.'.repeat(megabyte / 2)}"}`,
    refusedBy: stringTooLong('url'),
  },
  {
    what: 'a ticket that locks 100,000 fields',
    ...toTickets,
    text: `{"locked":${wide('1')}}`,
    refusedBy: tooLong('locked'),
  },
  { what: 'a run with 100,000 inputs', ...toRun, text: wide('1'), refusedBy: tooLong() },
  {
    what: 'a run with an input of lists',
    ...toRun,
    text: `{"building":${list('[]')}}`,
    refusedBy: tooLong('building'),
  },
  { what: 'a key with 100,000 unknown fields', ...toKeys, text: wide('1'), refusedBy: tooLong() },
  {
    what: 'a key with 500,000 scopes',
    ...toKeys,
    text: `{"name":"x","scopes":${list('1')}}`,
    refusedBy: tooLong('scopes'),
  },
];

/** Designs of the caller's whose runs are heavy: by their stub, the fields that differ from an ordinary one. */
export const heavyDesigns: Readonly<Record<string, object>> = {
  'repeats-input': {
    prompt: '{{a}}'.repeat(requestLimits.prompt_characters / 5),
    inputs: { a: { type: 'string' } },
    output_format: undefined,
    examples: [],
  },
  'long-enum': {
    prompt: '{{a}}',
    inputs: { a: { type: 'string', enum: Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(10_000, 'x')) } },
    output_format: undefined,
    examples: [],
  },
};

/** As much as the counts let through: a schema reads it, and refuses it. */
export const asHeavyAsMayBe: readonly HeavyBody[] = [
  {
    what: 'a design with 1,400 inputs, all of them used',
    ...toDesigns,
    text: design(`"inputs":${wide('{"type":"string"}', 1_400)}`, placeholders(1_400)),
  },
  {
    what: 'a design with 1,400 inputs, none of them used',
    ...toDesigns,
    text: design(`"inputs":${wide('{"type":"string","max":0}', 900)}`, placeholders(4_500)),
  },
  {
    what: 'a design with 2,900 inputs that are none',
    ...toDesigns,
    text: design(`"inputs":${wide('1', jsonLimits.design_keys - 20)}`, '{{'.repeat(20_000)),
  },
  {
    what: 'a design with 9,000 values of an enum',
    ...toDesigns,
    text: design(`"inputs":{"k0":{"type":"number","min":5,"enum":${list('1', 9_900)}}}`, '{{k0}}'),
  },
  {
    what: 'a design with a prompt of broken placeholders',
    ...toDesigns,
    text: design('"inputs":{}', '{{}}'.repeat(requestLimits.prompt_characters / 4)),
  },
  {
    what: 'a design with an example of long inputs',
    ...toDesigns,
    text: design(`"examples":[{"inputs":${wide(`"${'x'.repeat(300)}"`, 2_900)}}]`),
  },
  {
    what: 'a design with a template of 2,900 long names',
    ...toDesigns,
    text: design(`"output_format":{${Array.from({ length: 2_900 }, (_, n) => `"${n}${'n'.repeat(300)}":1`).join()}}`),
  },
  { what: 'a search with 2,000 unknown fields', ...toSearch, text: wide('1', jsonLimits.keys) },
  {
    what: 'a search with 1,900 unknown fields of long names',
    ...toSearch,
    text: `{${Array.from({ length: 1_900 }, (_, n) => `"${'é'.repeat(200)}${n}":1`).join()}}`,
  },
  {
    what: 'a search with 3,900 invalid sources',
    ...toSearch,
    text: search(`"source_whitelist":${list(`"${'a b'.repeat(80)}"`, 3_900)}`),
  },
  {
    what: 'a search with 25 sources of 40,000 characters',
    ...toSearch,
    text: search(`"source_whitelist":${list(`"${'a./?'.repeat(9_990)}"`, 25)}`),
  },
  {
    what: 'a search with 200 long sources',
    ...toSearch,
    text: search(`"source_whitelist":${list(`"a.org/${'%41./'.repeat(408)}"`, 200)},"source_blacklist":["b.org"]`),
  },
  {
    what: 'a search with a template of 200 leaves below eight levels',
    ...toSearch,
    text: `{"output_format":{${Array.from({ length: 200 }, (_, n) => `"a${n}":${'[{"a":'.repeat(7)}"string"${'}]'.repeat(7)}`).join()}}}`,
  },
  ...['from', 'language', 'effort', 'previous_search_id', 'prompt'].map(
    (field): HeavyBody => ({
      what: `a search whose "${field}" has 40,000 characters`,
      ...toSearch,
      text: `{"${field}":"${'2026-01-01T00:00:00'.padEnd(40_000, field === 'prompt' ? ' ' : '-0a')}","include":[1]}`,
    }),
  ),
  {
    what: 'contents with a URL of 40,000 characters',
    method: 'POST',
    path: '/v1/contents',
    text: `{"url":"https://${'a.'.repeat(19_990)}"}`,
  },
  {
    what: 'a ticket that locks 2,000 fields of 500 characters',
    ...toTickets,
    text: `{"locked":${wide(`"${'x'.repeat(500)}"`, 1_900)}}`,
  },
  {
    what: 'a run whose prompt repeats an input of 20,000 characters 8,000 times',
    ...toRun,
    path: '/v1/user-defined-service/repeats-input',
    text: `{"a":"${'x\\u0001'.repeat(designLimits.input_characters / 2)}"}`,
  },
  {
    what: 'a run with none of the 100 long values of an enum',
    ...toRun,
    path: '/v1/user-defined-service/long-enum',
    text: '{"a":"y"}',
  },
  { what: 'a run with 2,000 unknown inputs', ...toRun, text: wide(`"${'x'.repeat(500)}"`, 1_900) },
  {
    what: 'a design with 100 values of an enum of 10,000 characters',
    ...toDesigns,
    text: design(
      `"inputs":{"k0":{"type":"string","enum":${list(`"${'x'.repeat(10_000)}"`, designLimits.enum_values)},"default":"y"}}`,
      '{{k0}}',
    ),
  },
  {
    what: 'a search with an image of 13 MB',
    ...toSearch,
    text: search(`"effort":1,"image":"${largeImage(13_000_000)}"`),
  },
  {
    what: 'a search with an image of 13 MB and a key of idempotency',
    ...toSearch,
    text: search(`"previous_search_id":"none","image":"${largeImage(13_000_000)}"`),
  },
];

/** Searches with the longest prompts: each is answered, whatever the prompt is made of. */
export const longPrompts: readonly HeavyBody[] = (
  [
    ['different words', (n: number) => `word${n} `],
    ['one word', () => 'x'],
    ['question marks', () => '?'],
    ['sentences', () => 'a? b. '],
    ['quotes', (n: number) => `"q${n}" `],
    ['dates', (n: number) => `since 19${10 + (n % 90)} `],
    ['accents', () => 'a\u0301\u0301'],
  ] as const
).map(([what, piece]) => {
  const pieces = Array.from({ length: requestLimits.prompt_characters }, (_, n) => piece(n));
  const text = JSON.stringify({ prompt: pieces.join('').slice(0, requestLimits.prompt_characters) });
  return { what: `a prompt of 40,000 characters: ${what}`, ...toSearch, text };
});
