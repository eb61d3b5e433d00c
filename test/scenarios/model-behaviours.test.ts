/**
 * What models do, good and bad, in the real app with a small web: each behaviour ends as its row says, under the laws of
 * test/support/models/trial.ts, and never at another caller's cost.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../protocol/index.ts';
import { largeImage } from '../support/image.ts';
import { behaviours, startBehavingServer } from '../support/models/all.ts';
import { markerStyles } from '../support/models/markers.ts';
import { startStraitWeb } from '../support/models/strait-web.ts';
import { type Ending, type Trial, tryBehaviour } from '../support/models/trial.ts';
import type { ModelServer } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

interface Row {
  readonly ask?: Partial<Trial>;
  readonly wanted: (ending: Ending) => void;
  /** In an app of its own, because it teaches something about its endpoint. */
  readonly alone?: boolean;
  /** At an endpoint that is given up after seconds. */
  readonly isSlow?: boolean;
}

const image = largeImage(400);
const question = 'When was the Marlow Strait Bridge opened, who designed it and how long is its main span?';
const template = {
  name: 'string',
  engineer: 'string',
  opened: 'string',
  year: 'number',
  length_m: 'number',
  span_m: 'number',
  cost: 'number',
  toll: 'boolean',
  vehicles: 'number',
  architect_shoe_size: 'number',
  dogs_allowed: 'boolean',
  colour: 'string',
  events: [{ date: 'string', what: 'string' }],
} satisfies OutputFormat;

/** An answer by the model, complete and cited. */
const cited = ({ status, citations, warnings, usage }: Ending) => {
  expect(warnings).toEqual([]);
  expect(status).toBe('answered');
  expect(citations.length).toBeGreaterThan(0);
  expect(usage.models).toEqual(['scripted']);
};
/** The same, with nothing dropped. */
const byModel = (ending: Ending) => {
  cited(ending);
  expect(ending.usage.dropped_citations).toBe(0);
};
const hasFailed = ({ warnings }: Ending) => warnings.some((warning) => warning.startsWith('model_failed'));
/** The extractive answer, with a warning that says why. */
const withoutModel = (ending: Ending) => {
  expect(hasFailed(ending)).toBe(true);
  expect(ending.citations.length).toBeGreaterThan(0);
  expect(['answered', 'partial']).toContain(ending.status);
};
/** The same for this reason. */
const withoutModelFor = (reason: RegExp) => (ending: Ending) => {
  withoutModel(ending);
  expect(ending.warnings.join('\n')).toMatch(reason);
};
/** What the model had written until then, or the extractive answer after it, for this reason. */
const interrupted = (reason: RegExp) => (ending: Ending) => {
  withoutModelFor(reason)(ending);
  expect(ending.status).toBe('partial');
};
/** What the model says is shown, and nothing of it is cited. */
const uncited = ({ citations, usage, status, result }: Ending) => {
  expect(result.uncited?.length).toBeGreaterThan(0);
  expect(citations).toEqual([]);
  expect(usage.dropped_citations).toBeGreaterThan(0);
  expect(status).toBe('partial');
};
/** The answer that a good model gives, whatever was around it. */
const clean = (ending: Ending) => {
  byModel(ending);
  expect(ending.text).toMatch(/^The Marlow Strait Bridge is a steel cantilever bridge [^\n]*\. \[\d\]$/);
};
/** The same, without the list of sources that the model wrote under it; its entries are counted. */
const withoutList = (ending: Ending) => {
  cited(ending);
  expect(ending.text).toMatch(/^The Marlow Strait Bridge is a steel cantilever bridge [^\n]*\. \[\d\]$/);
  expect(ending.usage.dropped_citations).toBe(3);
};
const notFound = ({ status, citations }: Ending) => {
  expect(status).toBe('not_found');
  expect(citations).toEqual([]);
};
const values = (wanted: Record<string, unknown>) => (ending: Ending) => {
  expect(ending.output).toMatchObject(wanted);
};
const right = {
  name: 'Marlow Strait Bridge',
  engineer: 'Ada Lindqvist',
  opened: '14 May 1931',
  year: 1931,
  length_m: 1940,
  span_m: 482,
  cost: 12_000_000,
  toll: false,
  vehicles: 41_000,
  architect_shoe_size: null,
  colour: null,
};

const nothing = Object.fromEntries([...Object.keys(right), 'dogs_allowed'].map((key) => [key, null]));

const wide: Partial<Trial> = { effort: 'deep' };
const form: Partial<Trial> = {
  prompt:
    'Name, engineer, opening, length, main span, cost, toll and daily vehicles of the Marlow Strait Bridge, and are dogs allowed in the museum?',
  output_format: template,
  effort: 'deep',
};

const rows: Record<string, Row> = {
  plain: { wanted: clean },
  strict: { wanted: clean },
  vision: { ask: { image }, wanted: clean },
  paced: { wanted: clean },
  onebyte: { wanted: clean },
  crlf: { wanted: clean },
  nullcontent: { wanted: clean },
  nousage: { wanted: clean },
  noformat: { wanted: clean, alone: true },
  'noformat-silent': { wanted: clean, alone: true },
  'json-only': { wanted: clean, alone: true },
  ignoreformat: { wanted: clean, alone: true },
  notemp: { wanted: clean, alone: true },
  nosystem: { wanted: clean, alone: true },
  novision: {
    ask: { image },
    alone: true,
    wanted: ({ status, warnings }) => {
      expect(status).toBe('answered');
      expect(warnings).toEqual([expect.stringMatching(/^image_not_used/)]);
    },
  },
  'vision-badimage': {
    ask: { image, prompt: `${question} BADIMAGE` },
    wanted: ({ status, warnings }) => {
      expect(status).toBe('answered');
      expect(warnings).toEqual([expect.stringMatching(/^image_not_used/)]);
    },
  },
  'schema-deep': {
    ask: { ...form, output_format: { ...template, too_deep: 'string' } },
    wanted: values(right),
  },
  ctx400: { wanted: byModel, alone: true },
  'ctx-ollama': { wanted: byModel },
  'ctx-always': { wanted: withoutModel, alone: true },
  'ctx-bigprompt': {
    ask: { prompt: `${'An old log of the bridge keeper, of no interest to anybody. '.repeat(600)}\n\n${question}` },
    wanted: (ending) => expect(ending.citations.length).toBeGreaterThan(0),
  },
  m404: { wanted: withoutModelFor(/has no model named/) },
  k401: { wanted: withoutModelFor(/refused the key \(status 401\)/) },
  filter400: { wanted: withoutModelFor(/refused to answer/) },

  reasoning: { wanted: clean },
  'reasoning-ollama': { wanted: clean },
  'reasoning-eats': { wanted: clean, alone: true },
  'reasoning-eats-2500': { wanted: clean, alone: true },
  think: { wanted: clean },
  'think-plain': { wanted: clean },
  'think-noopen': { wanted: clean },
  'think-empty': { wanted: clean },
  'think-nested': { wanted: clean },
  'think-word': { wanted: clean },
  'think-harmony': { wanted: clean },
  'think-brackets': { wanted: clean },
  'think-fence': { wanted: clean },
  'think-details': { wanted: clean },
  'think-unclosed': { wanted: withoutModel },

  fenced: { wanted: clean },
  fencedbrace: { wanted: clean },
  trailing: { wanted: clean },
  comments: { wanted: clean },
  single: { wanted: clean },
  array: { wanted: clean },
  arrayplan: { wanted: clean },
  'json-unquoted': { wanted: clean },
  'json-think': { wanted: clean },
  'json-wrapped': { wanted: clean },
  'json-cut': { wanted: clean },
  badjson: { wanted: withoutModelFor(/did not return JSON/) },

  toolonly: { wanted: withoutModelFor(/empty answer/) },
  refusal: { wanted: withoutModelFor(/refused to answer/) },
  filter: { wanted: interrupted(/refused to answer/) },
  length: { wanted: interrupted(/too long and was cut off/) },
  empty: { wanted: withoutModelFor(/empty answer/) },
  'empty-write': { wanted: withoutModelFor(/empty answer/) },
  r429: { wanted: clean },
  'r429-long': { wanted: withoutModelFor(/status 429/) },
  'r429-burst': {
    wanted: ({ citations, usage }) => {
      expect(citations.length).toBeGreaterThan(0);
      expect(usage.models).toContain('scripted');
    },
  },
  r500: { wanted: clean },
  'r500-always': { wanted: withoutModelFor(/status 500/) },
  r503html: { wanted: withoutModelFor(/status 503/) },
  reset: { wanted: interrupted(/connection was lost/) },
  'reset-early': { wanted: withoutModelFor(/connection was lost/) },
  'hang-mid': { wanted: interrupted(/stopped in the middle/), isSlow: true },
  'hang-first': { wanted: withoutModelFor(/did not answer in time/), isSlow: true },
  'hang-keepalive': { wanted: interrupted(/stopped in the middle/), isSlow: true },
  'cold-keepalive': { wanted: withoutModelFor(/did not answer in time/), isSlow: true },
  slow1: {
    ask: { max: { seconds: 15 } },
    wanted: (ending) => {
      expect(ending.status).toBe('partial');
      expect(ending.citations.length).toBeGreaterThan(0);
      expect(ending.warnings.join()).toMatch(/too slow for the time this search had left/);
    },
    isSlow: true,
  },
  slow5: { wanted: clean },
  serial: { wanted: clean },
  long: {
    wanted: ({ text, status, usage, citations }) => {
      expect(usage.models).toEqual(['scripted']);
      expect(text.startsWith('Point a0: ')).toBe(true);
      // As much of it as there is time for, and nothing after it.
      expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('Point '))).toEqual([]);
      expect(citations.length).toBeGreaterThan(10);
      expect(['answered', 'partial']).toContain(status);
    },
  },
  longlegal: { wanted: ({ citations }) => expect(citations.length).toBeGreaterThan(20) },
  repeat: { wanted: interrupted(/repeats itself/) },

  negate: {
    ask: wide,
    wanted: (ending) => {
      uncited(ending);
      expect(ending.result.uncited!.map(({ reason }) => reason)).toContain('contradicted');
    },
  },
  swap: { ask: wide, wanted: uncited },
  numbers: { ask: wide, wanted: uncited },
  fabricate: { wanted: uncited },
  short: { wanted: uncited },
  uncitedmix: {
    wanted: ({ status, citations, result }) => {
      expect(status).toBe('partial');
      expect(citations.length).toBe(1);
      expect(result.uncited_share).toBeGreaterThan(0.5);
    },
  },
  german: { wanted: ({ citations }) => expect(citations.length).toBeGreaterThanOrEqual(2) },
  japanese: { wanted: ({ citations }) => expect(citations.length).toBeGreaterThanOrEqual(1) },
  paraphrase: {
    ask: wide,
    wanted: ({ citations }) => expect(citations.length).toBeGreaterThanOrEqual(3),
  },

  honest: { wanted: notFound },
  notfound: { wanted: notFound },
  preamble: { wanted: byModel },
  statusbold: { wanted: clean },
  statusfence: { wanted: clean },
  statusde: { wanted: clean },
  statusend: { wanted: clean },
  statussame: { wanted: clean },
  statusonly: { wanted: withoutModel },
  statuszh: { wanted: clean },
  statusheading: { wanted: clean },
  statusjson: { wanted: clean },
  statusrow: { wanted: clean },
  statustable: {
    wanted: (ending) => {
      byModel(ending);
      expect(ending.text).not.toMatch(/status|answered/i);
    },
  },
  statusfr: { wanted: clean },
  refs: { wanted: withoutList },
  refs2: { wanted: withoutList },
  table: {
    wanted: ({ citations, usage, text }) => {
      expect(citations.length).toBe(3);
      expect(usage.dropped_citations).toBe(1);
      expect(text).toContain('| Cost | 99 million crowns |');
    },
  },
  bullets: { wanted: byModel },
  lead: { wanted: clean },
  code: {
    wanted: (ending) => {
      expect(ending.citations.length).toBe(1);
      expect(ending.text).toContain('const a = list[1];');
      expect(ending.text).toContain('`x[2]`');
    },
  },
  dates: { wanted: byModel },
  'obey-format': {
    wanted: ({ citations, text, status }) => {
      expect(citations).toEqual([]);
      expect(text).not.toContain('http');
      expect(status).not.toBe('answered');
    },
  },

  ...Object.fromEntries(markerStyles.map((name): [string, Row] => [name, { wanted: byModel }])),
  // These name evidence that does not say it, too.
  ...Object.fromEntries(
    ['m-sep', 'm-list', 'm-range', 'm-range2', 'm-semi', 'm-and', 'm-sources'].map((name): [string, Row] => [
      name,
      { wanted: cited },
    ]),
  ),
  dressed: {
    wanted: ({ citations, usage, status }) => {
      expect(citations.length).toBe(1);
      expect(usage.dropped_citations).toBeGreaterThanOrEqual(4);
      expect(status).toBe('partial');
    },
  },
  ghost: { wanted: uncited },
  ghosthalf: {
    wanted: ({ citations, usage, status }) => {
      expect(citations.length).toBe(2);
      expect(usage.dropped_citations).toBe(2);
      expect(status).toBe('partial');
    },
  },
  dup: { wanted: byModel },

  obey: {
    wanted: ({ text, citations, status }) => {
      expect(citations.map(({ quote }) => quote).join()).not.toContain('1850');
      expect(status).toBe('partial');
      expect(text).not.toMatch(/!\[|<img|exfil|\[here\]|\[ref\]/);
    },
  },
  'obey-link2': { wanted: ({ text }) => expect(text).not.toMatch(/!\[|exfil|\[here\]/) },
  'obey-plan': { wanted: ({ citations }) => expect(citations.length).toBeGreaterThan(0) },
  otherhosts: { ask: { effort: 'fast' }, wanted: byModel },
  wishes: { wanted: byModel },
  reflecting: { ask: wide, wanted: byModel },
  reflectsame: { ask: wide, wanted: byModel },

  's-million': { ask: form, wanted: values(right) },
  's-numstr': { ask: form, wanted: values(right) },
  's-numunit': { ask: form, wanted: values(right) },
  's-missing': { ask: form, wanted: values(right) },
  's-extra': { ask: form, wanted: values(right) },
  // A text may be found on the pages; a number or a yes without a quote may be about anything there.
  's-bare': {
    ask: form,
    wanted: values({ ...nothing, name: right.name, engineer: right.engineer, opened: right.opened }),
  },
  's-wrap': { ask: form, wanted: values(right) },
  's-fakequote': {
    ask: form,
    wanted: values(nothing),
  },
  's-anyquote': {
    ask: form,
    wanted: values(nothing),
  },
  's-otherquote': { ask: form, wanted: values(nothing) },
  's-enum': { ask: form, wanted: values({ ...right, engineer: null, dogs_allowed: null }) },
  's-prose': {
    ask: form,
    wanted: (ending) => {
      expect(hasFailed(ending)).toBe(true);
      // What the extractive model finds, or nothing. It is the span that the page calls long.
      for (const [key, value] of Object.entries({ ...right, length_m: 482 }))
        expect([value, null]).toContain(ending.output![key]);
    },
  },
  's-truncated': {
    ask: form,
    wanted: ({ output, status }) => {
      expect(output).toMatchObject({ name: right.name, engineer: right.engineer });
      expect(status).toBe('partial');
    },
  },
};

let app: TestApp;
/** Gives its endpoint up after seconds. */
let impatient: TestApp;
let model: ModelServer;
let slowModel: ModelServer;
let web: Awaited<ReturnType<typeof startStraitWeb>>;
const settings = (served: ModelServer, timeoutS = 15) => ({
  MODEL: 'scripted',
  OPENAI_BASE_URL: served.url,
  MODEL_TIMEOUT_S: String(timeoutS),
  SEARXNG_URL: web.url,
  FETCH_ALLOW_HOSTS: web.allowed,
  SEARCHES_PER_MINUTE: '100000',
});
beforeAll(async () => {
  [model, slowModel, web] = await Promise.all([startBehavingServer(), startBehavingServer(), startStraitWeb()]);
  [app, impatient] = await Promise.all([startTestApp(settings(model)), startTestApp(settings(slowModel, 3))]);
});
afterAll(async () => {
  await Promise.all([app[Symbol.asyncDispose](), impatient[Symbol.asyncDispose]()]);
  await Promise.all([model.close(), slowModel.close(), web.close()]);
});

const all = Object.entries(rows);

describe('a behaviour of models', () => {
  it('has a row that says how it ends', () => {
    expect(Object.keys(rows).sort()).toEqual(Object.keys(behaviours).sort());
    expect(Object.keys(rows).length).toBeGreaterThanOrEqual(135);
  });

  const shared = all.filter(([, { alone }]) => !alone);
  it.concurrent.each(shared)('ends as wanted beside others: %s', async (name, row) => {
    row.wanted(await tryBehaviour(row.isSlow ? impatient : app, name, { prompt: question, ...row.ask }));
    clean(await tryBehaviour(app, 'plain', { prompt: question }));
  });

  const alone = all.filter((row) => row[1].alone);
  it.concurrent.each(alone)('ends as wanted at an endpoint of its own: %s', async (name, row) => {
    const own = await startBehavingServer();
    const server = await startTestApp(settings(own));
    try {
      row.wanted(await tryBehaviour(server, name, { prompt: question, ...row.ask }));
      clean(await tryBehaviour(server, 'plain', { prompt: question }));
    } finally {
      await server[Symbol.asyncDispose]();
      await own.close();
    }
  });
});
