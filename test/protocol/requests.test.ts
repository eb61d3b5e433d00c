/** Requests: what is refused, at which place and with which words, and what is accepted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  ContentsRequest,
  clientFrames,
  emptyResult,
  IndexSourceRequest,
  InvitationRequest,
  issueLimits,
  issueTypes,
  type OutputFormat,
  PageQuery,
  pointerKeys,
  RestoreVersion,
  requestLimits,
  SearchListQuery,
  SearchRequest,
  SearchStartEnvelope,
  type StructuredValue,
  TavilySearchRequest,
  type TemplateNode,
  TicketRequest,
  templateLeaves,
  templateLimits,
  ValidationError,
  validationIssues,
  Webhook,
} from '../../protocol/index.ts';

type Found = [loc: string, type: string];

const asked = (fields: object) => ({ prompt: 'Who wrote it?', ...fields });
const shaped = (output_format: unknown) => asked({ output_format });

/** A template of `levels` objects, one inside the other. */
const nested = (levels: number): object => (levels === 1 ? { a: 'string' } : { a: nested(levels - 1) });
const wide = (leaves: number) => Object.fromEntries(Array.from({ length: leaves }, (_, i) => [`f${i}`, 'string']));
const deepest = (levels: number) => Array(levels).fill('a').join('.');
const listOf = (length: number) => Array(length).fill('example.org');

/** `loc` joined by dots, without its first part, which is always "body". */
const bad: [what: string, body: unknown, found: Found[]][] = [
  ['a number', 5, [['', 'dict_type']]],
  ['null', null, [['', 'dict_type']]],
  ['a string', 'prompt', [['', 'dict_type']]],
  ['a list', [{ prompt: 'a' }], [['', 'dict_type']]],
  ['true', true, [['', 'dict_type']]],
  ['an empty object', {}, [['prompt', 'missing']]],
  ['a prompt of null', { prompt: null }, [['prompt', 'string_type']]],
  ['a prompt that is a number', { prompt: 5 }, [['prompt', 'string_type']]],
  ['a prompt that is a list', { prompt: ['a'] }, [['prompt', 'string_type']]],
  ['an empty prompt', { prompt: '' }, [['prompt', 'string_too_short']]],
  ['a blank prompt', { prompt: ' \n\t ' }, [['prompt', 'string_too_short']]],
  ['a prompt too long', { prompt: 'x'.repeat(requestLimits.prompt_characters + 1) }, [['prompt', 'string_too_long']]],
  ['an unknown key', asked({ stream: true }), [['stream', 'extra_forbidden']]],
  [
    'two unknown keys',
    asked({ a: 1, b: 2 }),
    [
      ['a', 'extra_forbidden'],
      ['b', 'extra_forbidden'],
    ],
  ],
  [
    'an unknown key beside a missing one',
    { query: 'a' },
    [
      ['prompt', 'missing'],
      ['query', 'extra_forbidden'],
    ],
  ],
  ['the key __proto__', JSON.parse('{"prompt":"a","__proto__":{"effort":"deep"}}'), [['__proto__', 'extra_forbidden']]],
  ['the key constructor', asked({ constructor: 1 }), [['constructor', 'extra_forbidden']]],
  ['the key toString', asked({ toString: 1 }), [['toString', 'extra_forbidden']]],
  ['an empty key', asked({ '': 1 }), [['', 'extra_forbidden']]],
  ['a key that is almost right', asked({ outputFormat: {} }), [['outputFormat', 'extra_forbidden']]],
  ['an empty image', asked({ image: '' }), [['image', 'string_too_short']]],
  ['an image that is an object', asked({ image: {} }), [['image', 'string_type']]],
  ['an image of null', asked({ image: null }), [['image', 'string_type']]],
  ['both lists', asked({ source_whitelist: ['a.org'], source_blacklist: ['b.org'] }), [['', 'mutually_exclusive']]],
  ['a list that is a string', asked({ source_whitelist: 'a.org' }), [['source_whitelist', 'list_type']]],
  ['a list that is an object', asked({ source_blacklist: { 0: 'a.org' } }), [['source_blacklist', 'list_type']]],
  ['a list of null', asked({ source_whitelist: null }), [['source_whitelist', 'list_type']]],
  ['an empty entry', asked({ source_whitelist: ['a.org', ''] }), [['source_whitelist.1', 'string_too_short']]],
  ['a blank entry', asked({ source_blacklist: ['  '] }), [['source_blacklist.0', 'value_error']]],
  ['an entry that is a number', asked({ source_blacklist: [5] }), [['source_blacklist.0', 'string_type']]],
  ['an entry that is a list', asked({ source_blacklist: [['a.org']] }), [['source_blacklist.0', 'string_type']]],
  ['an entry with a space', asked({ source_whitelist: ['a b.org'] }), [['source_whitelist.0', 'value_error']]],
  ['an entry without a dot', asked({ source_whitelist: ['docs'] }), [['source_whitelist.0', 'value_error']]],
  [
    'an entry with a password',
    asked({ source_whitelist: ['https://u:p@a.org'] }),
    [['source_whitelist.0', 'value_error']],
  ],
  [
    'an entry too long',
    asked({ source_whitelist: [`a.org/${'x'.repeat(2048)}`] }),
    [['source_whitelist.0', 'string_too_long']],
  ],
  ['201 entries', asked({ source_whitelist: listOf(201) }), [['source_whitelist', 'too_long']]],
  ['an output_format of null', shaped(null), [['output_format', 'dict_type']]],
  ['an output_format that is a string', shaped('string'), [['output_format', 'dict_type']]],
  ['an output_format that is a list', shaped([{ a: 'string' }]), [['output_format', 'dict_type']]],
  ['an empty template', shaped({}), [['output_format', 'too_short']]],
  [
    'a JSON Schema',
    shaped({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }),
    [['output_format', 'value_error']],
  ],
  [
    'a JSON Schema that names its version',
    shaped({ $schema: 'https://json-schema.org/draft/2020-12/schema', anyOf: [] }),
    [['output_format', 'value_error']],
  ],
  [
    'the format of another API',
    shaped({ type: 'json_schema', json_schema: { name: 'city', schema: { type: 'object' } } }),
    [['output_format', 'value_error']],
  ],
  ['a misspelt leaf', shaped({ name: 'strnig' }), [['output_format.name', 'literal_error']]],
  ['a leaf in capitals', shaped({ name: 'String' }), [['output_format.name', 'literal_error']]],
  ['an unknown type', shaped({ name: 'integer' }), [['output_format.name', 'literal_error']]],
  ['an empty leaf', shaped({ name: '' }), [['output_format.name', 'literal_error']]],
  ['a leaf of null', shaped({ name: null }), [['output_format.name', 'literal_error']]],
  ['a leaf that is a number', shaped({ name: 0 }), [['output_format.name', 'literal_error']]],
  ['a leaf that is true', shaped({ name: true }), [['output_format.name', 'literal_error']]],
  ['an empty array', shaped({ items: [] }), [['output_format.items', 'list_of_one']]],
  ['an array of booleans', shaped({ items: ['boolean'] }), [['output_format.items', 'list_of_one']]],
  ['an array of two', shaped({ items: [{ a: 'string' }, { a: 'string' }] }), [['output_format.items', 'list_of_one']]],
  ['an array of an array', shaped({ items: [[{ a: 'string' }]] }), [['output_format.items', 'list_of_one']]],
  ['an array of an empty object', shaped({ items: [{}] }), [['output_format.items.0', 'too_short']]],
  ['an empty object inside', shaped({ a: { b: {} } }), [['output_format.a.b', 'too_short']]],
  [
    'a bad leaf in an array',
    shaped({ items: [{ price: 'nmber' }] }),
    [['output_format.items.0.price', 'literal_error']],
  ],
  [
    'two bad leaves',
    shaped({ a: 'x', b: { c: 'string', d: 'y' } }),
    [
      ['output_format.a', 'literal_error'],
      ['output_format.b.d', 'literal_error'],
    ],
  ],
  [
    'a template with __proto__',
    JSON.parse('{"prompt":"a","output_format":{"__proto__":"string"}}'),
    [['output_format.__proto__', 'value_error']],
  ],
  [
    'a template with __proto__ inside',
    JSON.parse('{"prompt":"a","output_format":{"a":[{"__proto__":{"b":"string"}}]}}'),
    [['output_format.a.0.__proto__', 'value_error']],
  ],
  ['nine levels', shaped(nested(9)), [[`output_format.${deepest(8)}`, 'too_deep']]],
  ['nine levels through an array', shaped({ list: [nested(8)] }), [[`output_format.list.0.${deepest(7)}`, 'too_deep']]],
  ['201 leaves', shaped(wide(201)), [['output_format', 'too_long']]],
  [
    'a name too long',
    shaped({ ['n'.repeat(templateLimits.key_length + 1)]: 'string' }),
    [[`output_format.${'n'.repeat(templateLimits.key_length)}`, 'string_too_long']],
  ],
  ['an unknown effort', asked({ effort: 'high' }), [['effort', 'enum']]],
  ['an effort that is a number', asked({ effort: 1 }), [['effort', 'enum']]],
  ['a max that is a number', asked({ max: 5 }), [['max', 'dict_type']]],
  ['an unknown key in max', asked({ max: { dollars: 1 } }), [['max.dollars', 'extra_forbidden']]],
  ['no seconds', asked({ max: { seconds: 0 } }), [['max.seconds', 'greater_than']]],
  ['negative pages', asked({ max: { pages: -1 } }), [['max.pages', 'greater_than']]],
  ['half a search', asked({ max: { searches: 0.5 } }), [['max.searches', 'int_type']]],
  ['seconds in a string', asked({ max: { seconds: '10' } }), [['max.seconds', 'float_type']]],
  ['too many seconds', asked({ max: { seconds: 1801 } }), [['max.seconds', 'less_than_equal']]],
  ['a huge number', asked({ max: { tokens: 1e300 } }), [['max.tokens', 'less_than_equal']]],
  ['an int in a string', asked({ max: { pages: '5' } }), [['max.pages', 'int_type']]],
  ['an infinite number', JSON.parse('{"prompt":"a","max":{"seconds":1e999}}'), [['max.seconds', 'finite_number']]],
  ['a from that is not a date', asked({ from: 'yesterday' }), [['from', 'date_parsing']]],
  ['a day that does not exist', asked({ from: '2026-02-30' }), [['from', 'date_parsing']]],
  ['an empty to', asked({ to: '' }), [['to', 'date_parsing']]],
  ['a to that is a number', asked({ to: 20260101 }), [['to', 'string_type']]],
  ['a from later than to', asked({ from: '2026-02-01', to: '2026-01-01' }), [['from', 'value_error']]],
  [
    'a very long fraction of a second',
    asked({ from: `2026-01-01T00:00:00.${'0'.repeat(99)}Z` }),
    [['from', 'date_parsing']],
  ],
  ['an invalid language', asked({ language: 'english!' }), [['language', 'string_pattern_mismatch']]],
  ['a language too long', asked({ language: `en${'-abcdefgh'.repeat(9)}` }), [['language', 'string_too_long']]],
  ['an empty previous_search_id', asked({ previous_search_id: '' }), [['previous_search_id', 'string_too_short']]],
  [
    'a previous_search_id too long',
    asked({ previous_search_id: 'x'.repeat(65) }),
    [['previous_search_id', 'string_too_long']],
  ],
  ['an include that is a string', asked({ include: 'evidence' }), [['include', 'list_type']]],
  ['an include of something else', asked({ include: ['sources'] }), [['include.0', 'literal_error']]],
  ['evidence twice', asked({ include: ['evidence', 'evidence'] }), [['include', 'too_long']]],
  [
    'issues in several places',
    { prompt: 5, effort: 'x', max: { pages: '1' }, source_whitelist: [''], extra: 1 },
    [
      ['prompt', 'string_type'],
      ['source_whitelist.0', 'string_too_short'],
      ['effort', 'enum'],
      ['max.pages', 'int_type'],
      ['extra', 'extra_forbidden'],
    ],
  ],
];

const issuesOf = (body: unknown): ValidationError[] => {
  const parsed = SearchRequest.safeParse(body);
  return parsed.success ? [] : validationIssues(parsed.error, 'body', body);
};

describe('a bad search request', () => {
  it.each(bad)('refuses a search request and names the exact place: %s', (_, body, found) => {
    const issues = issuesOf(body);
    expect(issues.map(({ loc, type }) => [loc.slice(1).join('.'), type])).toEqual(found);
    for (const issue of issues) {
      expect(issue.loc[0]).toBe('body');
      expect(issue.msg).toMatch(/^expected .+/);
    }
  });

  it('reports places in lists as numbers', () => {
    expect(issuesOf(shaped({ items: [{ price: 'nmber' }] }))).toEqual([
      {
        loc: ['body', 'output_format', 'items', 0, 'price'],
        msg: 'expected "string", "number" or "boolean", an object, or an array of one object, "string" or "number"; got "nmber"',
        type: 'literal_error',
      },
    ]);
  });

  it('says what was expected and what was received', () => {
    const messages = (body: unknown) => issuesOf(body).map(({ msg }) => msg);
    expect(messages({})).toEqual(['expected a string; got nothing']);
    expect(messages({ prompt: ['a', { b: null }] })).toEqual(['expected a string; got ["a",{"b":null}]']);
    expect(messages(asked({ effort: 'high' }))).toEqual(['expected "fast", "balanced" or "deep"; got "high"']);
    expect(messages(asked({ max: { pages: 0.5 } }))).toEqual(['expected a whole number; got 0.5']);
    expect(messages(asked({ extra: true }))).toEqual(['expected no field of this name; got true']);
    expect(messages(asked({ source_whitelist: listOf(201) }))).toEqual([
      'expected at most 200 entries; got a list of 201',
    ]);
    expect(messages({ prompt: 'x'.repeat(50_000) })).toEqual([
      `expected at most 40000 characters; got "${'x'.repeat(59)}…" (50000 characters)`,
    ]);
  });

  it('reports at most twenty places', () => {
    expect(issuesOf(asked(wide(50)))).toHaveLength(issueLimits.issues);
    expect(issuesOf(shaped({ a: wideOf(50, 'x') }))).toHaveLength(issueLimits.issues);
    expect(issuesOf(asked({ source_whitelist: Array(200).fill('') }))).toHaveLength(issueLimits.issues);
  });

  it('never shows more than an excerpt of what was received', () => {
    const secret = 'k'.repeat(5_000);
    const bodies = [
      { prompt: [secret] },
      { [secret]: secret },
      asked({ effort: secret, language: secret, from: secret, max: secret, include: [secret] }),
      asked({ source_whitelist: [secret, `${secret} `] }),
      shaped({ a: secret, b: [secret], [secret]: secret }),
    ];
    for (const issue of bodies.flatMap(issuesOf)) {
      expect(issue.msg.length).toBeLessThan(200);
      expect(issue.msg).not.toContain('k'.repeat(61));
      for (const key of issue.loc) expect(String(key).length).toBeLessThanOrEqual(issueLimits.key_length);
    }
  });
});

describe('a good search request', () => {
  it.each([
    ['a prompt alone', { prompt: 'a' }],
    ['empty lists', asked({ source_whitelist: [], source_blacklist: [] })],
    ['one list beside an empty one', asked({ source_whitelist: ['a.org'], source_blacklist: [] })],
    [
      'each kind of entry',
      asked({ source_whitelist: ['https://a.org/b?c', 'a.org', 'a.org/b', '127.0.0.1:8080', '[::1]'] }),
    ],
    ['200 entries', asked({ source_blacklist: listOf(200) })],
    ['eight levels', shaped(nested(8))],
    ['200 leaves', shaped(wide(200))],
    ['names that objects inherit', shaped({ constructor: 'string', toString: 'number', hasOwnProperty: 'boolean' })],
    ['a date and a time', asked({ from: '2026-01-01', to: '2026-01-01T23:59:59.5+02:00' })],
    [
      'every field',
      asked({ image: 'https://a.org/i.png', effort: 'deep', max: { seconds: 0.5 }, language: 'pt-BR', include: [] }),
    ],
    ['the longest prompt', { prompt: 'x'.repeat(requestLimits.prompt_characters) }],
  ])('accepts a search request: %s', (_, body) => {
    expect(issuesOf(body)).toEqual([]);
  });

  it('fills in the defaults of a search request', () => {
    expect(SearchRequest.parse({ prompt: 'a' })).toEqual({ prompt: 'a', effort: 'balanced' });
  });
});

describe('other bad requests', () => {
  it.each<[string, typeof ContentsRequest | typeof TicketRequest, unknown, Found[]]>([
    ['no url', ContentsRequest, {}, [['url', 'missing']]],
    ['an invalid url', ContentsRequest, { url: 'a' }, [['url', 'url_parsing']]],
    ['a url with another scheme', ContentsRequest, { url: 'file:///etc/passwd' }, [['url', 'url_parsing']]],
    ['a url that is a list', ContentsRequest, { url: ['https://a.org'] }, [['url', 'string_type']]],
    ['an empty query', ContentsRequest, { url: 'https://a.org', query: '' }, [['query', 'string_too_short']]],
    ['a ticket that lives too long', TicketRequest, { ttl_s: 301 }, [['ttl_s', 'less_than_equal']]],
    ['a ticket that does not live', TicketRequest, { ttl_s: 0 }, [['ttl_s', 'greater_than_equal']]],
    ['locked as a list', TicketRequest, { locked: [] }, [['locked', 'dict_type']]],
  ])('refuses a contents or ticket request and names the exact place: %s', (_, schema, body, found) => {
    const parsed = schema.safeParse(body);
    const issues = parsed.success ? [] : validationIssues(parsed.error, 'body', body);
    expect(issues.map(({ loc, type }) => [loc.slice(1).join('.'), type])).toEqual(found);
  });
});

describe('what is wrong with a field', () => {
  const long = `https://a.example/${'x'.repeat(9_000)}`;
  const tooLong = `got "${long.slice(0, 59)}…" (9018 characters)`;
  it.each<[z.ZodType, object, string, ValidationError['type']]>([
    [SearchRequest, asked({ max: { pages: 201 } }), 'expected at most 200; got 201', 'less_than_equal'],
    [SearchRequest, asked({ max: { tokens: 3e6 } }), 'expected at most 2000000; got 3000000', 'less_than_equal'],
    [SearchRequest, asked({ max: { pages: 1e300 } }), 'expected at most 200; got 1e+300', 'less_than_equal'],
    [SearchRequest, asked({ max: { pages: 0 } }), 'expected more than 0; got 0', 'greater_than'],
    [SearchRequest, asked({ max: { pages: -0.5 } }), 'expected a whole number; got -0.5', 'int_type'],
    [SearchRequest, asked({ max: { pages: '5' } }), 'expected a whole number; got "5"', 'int_type'],
    [TicketRequest, { ttl_s: 301 }, 'expected at most 300; got 301', 'less_than_equal'],
    [TicketRequest, { max_searches: 0 }, 'expected at least 1; got 0', 'greater_than_equal'],
    [RestoreVersion, { version: '1' }, 'expected a whole number; got "1"', 'int_type'],
    [RestoreVersion, { version: 0 }, 'expected more than 0; got 0', 'greater_than'],
    [InvitationRequest, { name: 'a', plan: 'pro', days: '7' }, 'expected a whole number; got "7"', 'int_type'],
    [TavilySearchRequest, { query: 'a', max_results: '5' }, 'expected a whole number; got "5"', 'int_type'],
    [PageQuery, { limit: 'abc' }, 'expected a whole number; got "abc"', 'int_type'],
    [PageQuery, { limit: '1.5' }, 'expected a whole number; got "1.5"', 'int_type'],
    [PageQuery, { limit: '1e400' }, 'expected a whole number; got "1e400"', 'int_type'],
    [PageQuery, { limit: '101' }, 'expected at most 100; got "101"', 'less_than_equal'],
    [ContentsRequest, { url: long }, `expected at most 8192 characters; ${tooLong}`, 'string_too_long'],
    [
      ContentsRequest,
      { url: 'ftp://a.example' },
      'expected an http or https URL; got "ftp://a.example"',
      'url_parsing',
    ],
    [ContentsRequest, { url: 5 }, 'expected an http or https URL; got 5', 'string_type'],
    [Webhook, { url: long }, `expected at most 2048 characters; ${tooLong}`, 'string_too_long'],
    [IndexSourceRequest, { url: long }, `expected at most 2048 characters; ${tooLong}`, 'string_too_long'],
    [
      SearchListQuery,
      { since: '2026-01-01' },
      'expected an ISO 8601 date-time, such as 2026-01-31T12:00:00Z; got "2026-01-01"',
      'datetime_parsing',
    ],
    [
      SearchListQuery,
      { since: '9999-12-31T23:59:59-14:00' },
      'expected a time before the year 10000 in UTC; got "9999-12-31T23:59:59-14:00"',
      'datetime_parsing',
    ],
    [
      TavilySearchRequest,
      { query: 'a', start_date: 'May' },
      'expected a date, such as 2026-01-31; got "May"',
      'date_parsing',
    ],
  ])('is said for what is wrong with it: %#', (schema, sent, msg, type) => {
    const { error } = schema.safeParse(sent);
    expect(validationIssues(error!, 'body', sent)).toMatchObject([{ msg, type }]);
  });

  it('is nothing where a list begins or ends at a time with an offset', () => {
    const query = { since: '2026-01-01T00:00:00+02:00', until: '9999-12-31T23:59:59.5Z' };
    expect(SearchListQuery.parse(query)).toMatchObject(query);
  });
});

describe('a frame whose request may be of two kinds', () => {
  it.each([
    ['a bad field of a search', { prompt: 5 }, ['body', 'request', 'prompt'], 'string_type'],
    ['nothing', {}, ['body', 'request', 'prompt'], 'missing'],
    ['a bad field of a run', { api_stub: 'A b' }, ['body', 'request', 'api_stub'], 'string_pattern_mismatch'],
    ['neither', 5, ['body', 'request'], 'dict_type'],
  ])('reports one issue for a frame whose request may be of two kinds: %s', (_, request, loc, type) => {
    const sent = { type: 'search.start', ref: '1', request };
    const { error } = clientFrames['search.start'].safeParse(sent);
    expect(validationIssues(error!, 'body', sent)).toMatchObject([{ loc, type }]);
  });
});

describe('the frame that starts a search', () => {
  const issuesOf = (fields: object) => {
    const sent = { type: 'search.start', ref: '1', ...fields };
    const { error } = SearchStartEnvelope.safeParse(sent);
    return error === undefined ? [] : validationIssues(error, 'body', sent);
  };

  it('needs a request', () => {
    const issue = { loc: ['body', 'request'], msg: 'expected an object; got nothing', type: 'missing' };
    expect(issuesOf({})).toEqual([issue]);
    for (const request of [{}, 5, null]) expect(issuesOf({ request })).toEqual([]);
  });

  it('takes idempotency keys that no header takes, too', () => {
    for (const idempotency_key of ['x', 'größe', 'a b', 'x'.repeat(255)])
      expect(issuesOf({ request: {}, idempotency_key })).toEqual([]);
    for (const idempotency_key of ['', 'x'.repeat(256)])
      expect(issuesOf({ request: {}, idempotency_key })).toHaveLength(1);
  });
});

describe('any JSON at all', () => {
  const fieldNames = fc.constantFrom(...Object.keys(SearchRequest.shape), '__proto__', 'constructor', 'x');
  const nearlyARequest = fc
    .tuple(fc.jsonValue(), fc.array(fc.tuple(fieldNames, fc.jsonValue())))
    .map(([prompt, fields]) => Object.fromEntries([['prompt', prompt], ...fields]));

  it('parses any JSON into a request or issues, and never throws', () => {
    const body = fc.oneof(fc.jsonValue({ maxDepth: 12 }), nearlyARequest);
    fc.assert(
      fc.property(body, (value) => {
        const sent: unknown = JSON.parse(JSON.stringify(value));
        const parsed = SearchRequest.safeParse(sent);
        if (parsed.success) return;
        const issues = validationIssues(parsed.error, 'body', sent);
        expect(issues.length).toBeGreaterThan(0);
        expect(issues.length).toBeLessThanOrEqual(issueLimits.issues);
        for (const issue of issues) expect(ValidationError.safeParse(issue).success).toBe(true);
        expect(new Set(issues.map(({ loc }) => JSON.stringify(loc))).size).toBe(issues.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['nested arrays', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['nested objects', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`],
    ['a wide array', `[${'"",'.repeat(300_000)}""]`],
    ['a wide object', `{${Array.from({ length: 80_000 }, (_, i) => `"${i}":"string"`).join(',')}}`],
    ['a long string', JSON.stringify('-aaaaaaaa'.repeat(110_000))],
  ])('reports issues in every field of any JSON, even of 1 MB: %s', (_, json) => {
    const value: unknown = JSON.parse(json);
    for (const field of [
      'image',
      'unknown',
      'source_whitelist',
      'output_format',
      'max',
      'from',
      'language',
      'include',
    ]) {
      if (field === 'image' && typeof value === 'string') continue;
      const issues = issuesOf(asked({ [field]: value }));
      expect(issues.length).toBeGreaterThan(0);
      expect(JSON.stringify(issues).length).toBeLessThan(10_000);
    }
    expect(issuesOf(value).length).toBeGreaterThan(0);
    expect(issuesOf(shaped({ a: [{ b: value }] })).length).toBeGreaterThan(0);
  });
});

describe('the types of issues', () => {
  /** Each code that zod has, by a schema and a value that it refuses with it. */
  const refused: Record<z.core.$ZodIssue['code'], [z.ZodType, unknown]> = {
    invalid_type: [z.map(z.string(), z.string()), 1],
    too_big: [z.set(z.string()).max(0), new Set(['a'])],
    too_small: [z.bigint().min(5n), 1n],
    invalid_format: [z.email(), 'x'],
    not_multiple_of: [z.number().multipleOf(2), 1],
    unrecognized_keys: [z.strictObject({}), { a: 1 }],
    invalid_union: [z.union([z.string(), z.date()]), 1],
    invalid_key: [z.record(z.string().max(1), z.string()), { aaa: 'a' }],
    invalid_element: [z.map(z.object({}), z.string()), new Map([[{}, 1]])],
    invalid_value: [z.enum(['a', 'b']), 'c'],
    custom: [z.custom(() => false, { params: { type: 'not_documented' } }), 1],
  };

  it.each(Object.entries(refused))('sends a documented type for an issue of code %s', (code, [schema, value]) => {
    const { error } = schema.safeParse(value);
    expect(error!.issues[0]!.code).toBe(code);
    const [issue] = validationIssues(error!, 'body', value);
    expect(issueTypes).toContain(issue!.type);
  });

  it('knows every type that a bad request is refused with', () => {
    expect(issueTypes).toEqual(expect.arrayContaining(bad.flatMap(([, , found]) => found.map(([, type]) => type))));
  });
});

describe('any template', () => {
  const leaf = fc.constantFrom<'string' | 'number' | 'boolean'>('string', 'number', 'boolean');
  const name = fc.string({ minLength: 0, maxLength: 20, unit: 'grapheme' }).filter((key) => key !== '__proto__');
  const template = (levels: number): fc.Arbitrary<OutputFormat> => {
    const node: fc.Arbitrary<TemplateNode> =
      levels === 1
        ? leaf
        : fc.oneof(
            leaf,
            template(levels - 1),
            template(levels - 1).map((each): [OutputFormat] => [each]),
          );
    return fc.dictionary(name, node, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  };

  it('accepts any template, and derives matching leaves and a matching empty result', () => {
    fc.assert(
      fc.property(template(4), (sent) => {
        expect(issuesOf(shaped(sent))).toEqual([]);
        const leaves = templateLeaves(sent);
        expect(leaves).toHaveLength(leafCount(sent));
        expect(new Set(leaves.map(({ path }) => path)).size).toBe(leaves.length);
        for (const { path, type } of leaves) expect(nodeAt(sent, pointerKeys(path))).toBe(type);
        expect(hasShape(emptyResult(sent), sent)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

function wideOf(count: number, leaf: string): object {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, leaf]));
}

function leafCount(node: TemplateNode): number {
  if (typeof node === 'string') return 1;
  const children = Array.isArray(node) ? node : Object.values(node);
  return children.reduce((sum, child) => sum + leafCount(child), 0);
}

function nodeAt(root: TemplateNode, keys: readonly string[]): TemplateNode | undefined {
  return keys.reduce<TemplateNode | undefined>((node, key) => {
    if (Array.isArray(node)) return key === '-' ? node[0] : undefined;
    return typeof node === 'object' && Object.hasOwn(node, key) ? node[key] : undefined;
  }, root);
}

/** Whether `result` is the template with `null` for each leaf and [] for each array, keys in the same order. */
function hasShape(result: StructuredValue | undefined, node: TemplateNode): boolean {
  if (typeof node === 'string') return result === null;
  if (Array.isArray(node)) return Array.isArray(result) && result.length === 0;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return false;
  const keys = Object.keys(node);
  return (
    JSON.stringify(Object.keys(result)) === JSON.stringify(keys) &&
    keys.every((key) => hasShape(result[key], node[key]!))
  );
}
