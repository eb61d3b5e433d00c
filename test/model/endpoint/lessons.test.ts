/** What one search teaches about an endpoint: the next one profits from what is certain, and never suffers from what was sent. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OutputFormat } from '../../../protocol/index.ts';
import type { Brief, StageContext } from '../../../src/engine/ports/model.ts';
import type { Evidence } from '../../../src/engine/ports/snapshot.ts';
import { createLessons } from '../../../src/model/endpoint/lessons.ts';
import { type OpenModel, openModel } from '../../../src/model/open-model.ts';
import { createTrustedFetch, type TrustedFetch } from '../../../src/web/fetch/trusted-fetch.ts';
import { chat } from '../../support/dialects/chat.ts';
import { research, stageOf } from '../../support/dialects/researcher.ts';
import {
  type ProtocolScript,
  type ProtocolServer,
  startProtocolServer,
} from '../../support/servers/protocol-server.ts';

const evidence: Evidence[] = Array.from({ length: 16 }, (_, at) => ({
  n: at + 1,
  snapshot: `s${at}`,
  url: `https://example.org/${at}`,
  title: 'Lighthouse',
  headings: '',
  text: `Fact ${at}: the lighthouse was built by Ingrid Solvay. ${'It stands on a rock. '.repeat(60)}`,
  start: 0,
  end: 10,
  score: 1,
}));
const briefFor = (question: string): Brief => ({ prompt: question, question, previous: [], today: '2026-11-22' });
const usual = briefFor('Who built the lighthouse?');
/** The context of a search of its own. */
const search = (): StageContext => ({
  signal: new AbortController().signal,
  meter: { admit: () => {}, left: () => 200_000, record: () => {} },
});
const png = { type: 'image/png', bytes: new Uint8Array([1]) } as const;
const tooLong = { status: 400, message: "This model's maximum context length is 8192 tokens." };

let server: ProtocolServer;
let trusted: TrustedFetch;
let model: OpenModel;
let learned: string[];
beforeAll(async () => {
  server = await startProtocolServer(chat);
  trusted = createTrustedFetch();
});
afterAll(async () => {
  await trusted.close();
  await server.close();
});
afterEach(() => {
  vi.useRealTimers();
});
beforeEach(() => {
  server.calls.length = 0;
  server.script = (call) => research(call);
  learned = [];
  model = openModel({
    models: { writer: 'scripted' },
    provider: 'openai',
    baseUrl: chat.baseUrl(server.origin),
    fetchFor: () => trusted.fetch,
    retryMs: 1,
    watch: { learned: (lesson) => learned.push(lesson) },
  });
});

async function write(brief = usual, context = search(), shown = evidence): Promise<string> {
  let text = '';
  for await (const piece of model.writer.write(brief, shown, context)) if (typeof piece === 'string') text += piece;
  return text;
}
const piecesIn = ({ user }: { user: string }) => user.match(/evidence \[\d+\]/g)?.length ?? 0;
const last = () => server.calls.at(-1)!;

describe('what one user sends', () => {
  it('leaves all evidence to others after a prompt of 25,000 characters that does not fit', async () => {
    server.script = (call) => (call.user.length > 45_000 ? tooLong : research(call));
    const huge = briefFor(`${'An old log. '.repeat(2_100)} Who built the lighthouse?`);
    for (let i = 0; i < 3; i += 1) await write(huge);
    expect(piecesIn(last())).toBeLessThan(evidence.length);
    await write();
    expect(piecesIn(last())).toBe(evidence.length);
  });

  it('leaves all evidence to others after a prompt that fits with no evidence at all', async () => {
    server.script = (call) => (call.user.includes('An old log.') ? tooLong : research(call));
    const huge = briefFor(`${'An old log. '.repeat(2_100)} Who built the lighthouse?`);
    for (let i = 0; i < 3; i += 1) await expect(write(huge)).rejects.toMatchObject({ status: 400 });
    await write();
    expect(piecesIn(last())).toBe(evidence.length);
    expect(learned).toEqual([]);
  });

  it('leaves their answers to others after a prompt that leaves no room for one, as TGI says it', async () => {
    const limit = 12_000;
    server.script = (call) => {
      const input = Math.ceil((call.system.length + call.user.length) / 4);
      if (input + call.maxTokens <= limit) return research(call);
      const message = `Input validation error: \`inputs\` tokens + \`max_new_tokens\` must be <= ${limit}. Given: ${input} \`inputs\` tokens and ${call.maxTokens} \`max_new_tokens\``;
      return { status: 422, message };
    };
    await model.writer.plan(usual, search());
    const { maxTokens } = last();
    await model.writer.plan(briefFor(`${'An old log. '.repeat(3_750)} Who built the lighthouse?`), search());
    expect(last().maxTokens).toBeLessThan(maxTokens);
    expect(last().maxTokens).toBeGreaterThan(0);
    await model.writer.plan(usual, search());
    expect(last().maxTokens).toBe(maxTokens);
    expect(learned).not.toContain('output_limit');
  });

  it('leaves their answers to others after one that was shortened on a guess', async () => {
    server.script = (call) =>
      call.maxTokens > 1_000 ? { status: 400, message: 'max_tokens is too large.' } : research(call);
    await write();
    await write();
    expect(server.calls.map(({ maxTokens }) => maxTokens)).toEqual([1_800, 900, 1_800, 900]);
    expect(learned).toEqual([]);
  });

  it('teaches no length of a context that it wrote itself, where the endpoint repeats the request', async () => {
    const detail = [{ type: 'extra_forbidden', loc: ['body'], msg: 'Invalid request.', input: 'context length 1000' }];
    server.script = (call) =>
      call.format === 'strict' ? { status: 422, message: 'Invalid request.', body: { detail } } : research(call);
    await model.writer.plan(usual, search());
    expect(learned).toEqual([]);
    expect(server.calls.map(({ format }) => format)).toEqual(['strict', 'json']);
  });

  it('leaves vision to others after an image that was rejected, whatever the reason', async () => {
    const bad = briefFor('What is this, BADIMAGE?');
    server.script = (call) =>
      call.user.includes('BADIMAGE')
        ? { status: 400, message: 'Could not process image: too many pixels.' }
        : research(call);
    for (let i = 0; i < 3; i += 1) {
      await expect(model.writer.describeImage!(png, bad, search())).rejects.toMatchObject({ status: 400 });
    }
    expect(server.calls.length).toBe(3);
    expect(await model.writer.describeImage!(png, usual, search())).toBe('A lighthouse on a rock.');
    expect(learned).toEqual([]);
  });

  it.each([
    'You uploaded an unsupported image. Please make sure your image is valid.',
    'Unsupported MIME type: image/gif',
    'Unsupported image format.',
    'Images are not supported in this request: image 1 is not an image.',
  ])('leaves vision to others after an image that was rejected with "%s"', async (message) => {
    const bad = briefFor('What is this, BADIMAGE?');
    server.script = (call) => (call.user.includes('BADIMAGE') ? { status: 400, message } : research(call));
    await expect(model.writer.describeImage!(png, bad, search())).rejects.toMatchObject({ name: 'ModelError' });
    expect(await model.writer.hasVision!()).toBe(true);
    expect(await model.writer.describeImage!(png, usual, search())).toBe('A lighthouse on a rock.');
  });

  it('leaves strict schemas to others after a template that is too deep', async () => {
    const deep: OutputFormat = { too_deep: { a: { b: { c: 'string' } } } };
    server.script = (call) =>
      call.format === 'strict' && call.user.length > 0 && JSON.stringify(call.body.response_format).includes('too_deep')
        ? { status: 400, message: 'Invalid schema for response_format: 7 levels of nesting exceeds limit of 5.' }
        : stageOf(call) === 'other'
          ? { text: '{"too_deep":{"a":{"b":{"c":{"value":"Solvay","evidence":1,"quote":"Ingrid Solvay"}}}}}' }
          : research(call);
    const leaves = [{ path: '/too_deep/a/b/c', type: 'string' as const }];
    for (let i = 0; i < 3; i += 1) {
      const filled = [];
      const brief = { ...usual, template: deep };
      for await (const leaf of model.writer.fill(brief, leaves, evidence, search())) filled.push(leaf.value);
      expect(filled).toEqual(['Solvay']);
      expect(last().format).toBe('json');
    }
    await model.writer.plan(usual, search());
    expect(last().format).toBe('strict');
    expect(learned).toEqual([]);
  });

  it('is refused for itself alone when a filter objects to it', async () => {
    server.script = (call) =>
      call.user.includes('bombs')
        ? { status: 400, message: 'The response was filtered due to the prompt triggering the content policy.' }
        : research(call);
    await expect(model.writer.plan(briefFor('Who made bombs?'), search())).rejects.toMatchObject({
      message: 'it refused to answer.',
    });
    expect(server.calls.length).toBe(1);
    await model.writer.plan(usual, search());
    expect(server.calls.length).toBe(2);
  });
});

describe('what an endpoint does not support', () => {
  it('is left out by every search once the endpoint has named it', async () => {
    server.script = (call) =>
      'temperature' in call.body
        ? { status: 400, message: "Unsupported value: 'temperature' does not support 0.2 with this model." }
        : research(call);
    await write();
    await write();
    expect(server.calls.map(({ body }) => 'temperature' in body)).toEqual([true, false, false]);
    expect(learned).toEqual(['temperature']);
  });

  it('is found by leaving out one thing at a time, and believed when a second search finds the same', async () => {
    server.script = (call) => (call.system !== '' ? { status: 400, message: 'Invalid request.' } : research(call));
    expect(await write()).toContain('Ingrid Solvay');
    const first = server.calls.length;
    expect(learned).toEqual([]);
    expect(await write()).toContain('Ingrid Solvay');
    expect(learned).toEqual(['system']);
    await write();
    expect(server.calls.length).toBe(2 * first + 1);
    expect(last().user).toContain('You answer a question');
  });

  it('is not guessed at again in a search where guessing did not help', async () => {
    server.script = () => ({ status: 400, message: 'Invalid request.' });
    const context = search();
    await expect(write(usual, context)).rejects.toMatchObject({ status: 400 });
    const guesses = server.calls.length;
    expect(guesses).toBeGreaterThan(3);
    expect(guesses).toBeLessThan(10);
    await expect(write(usual, context)).rejects.toMatchObject({ status: 400 });
    expect(server.calls.length).toBe(guesses + 1);
    server.script = (call) => research(call);
    await model.writer.plan(usual, search());
    expect(last().format).toBe('strict');
    expect(learned).toEqual([]);
  });

  it('includes JSON that it ignores: the shape is asked for in words alone', async () => {
    server.script = (call) =>
      call.format === 'text' || stageOf(call) === 'write' ? research(call) : { text: 'I would search for it.' };
    for (let i = 0; i < 3; i += 1) await model.writer.plan(usual, search());
    expect(server.calls.map(({ format }) => format)).toEqual(['strict', 'text', 'strict', 'text', 'text']);
    expect(learned).toEqual(['format']);
  });

  it('includes the length of its context, once two searches have met it', async () => {
    server.script = (call) =>
      call.user.length > 12_000 ? { status: 400, message: 'prompt is too long' } : research(call);
    await write();
    await write();
    expect(learned).toEqual(['context']);
    const before = server.calls.length;
    expect(await write()).toContain('Ingrid Solvay');
    expect(server.calls.length).toBe(before + 1);
    expect(piecesIn(last())).toBeGreaterThan(2);
  });

  it.each([
    'Invalid content type. image_url is only supported by certain models.',
    'scripted is not a multimodal model',
    'This model does not support image input.',
  ])('includes images, as soon as it says of its model: "%s"', async (message) => {
    server.script = () => ({ status: 400, message });
    await expect(model.writer.describeImage!(png, usual, search())).rejects.toThrow('it does not accept images.');
    expect(await model.writer.hasVision!()).toBe(false);
    expect(learned).toEqual(['vision']);
  });

  it('includes images that it refused to two searches without a word of its model', async () => {
    server.script = () => ({ status: 400, message: 'image input is not supported: no support for image_url' });
    for (const isLeft of [true, false]) {
      await expect(model.writer.describeImage!(png, usual, search())).rejects.toThrow('it does not accept images.');
      expect(await model.writer.hasVision!()).toBe(isLeft);
    }
  });

  it('includes the longest answer that it gives', async () => {
    server.script = (call) =>
      call.maxTokens > 1_000
        ? { status: 400, message: 'max_tokens is too large: 1800. This model supports at most 1000 completion tokens.' }
        : research(call);
    await write();
    await write();
    expect(server.calls.map(({ maxTokens }) => maxTokens)).toEqual([1_800, 1_000, 1_000]);
  });

  it.each([
    [
      413,
      'Request too large for model `scripted` on tokens per minute (TPM): Limit 6000, Requested 7241, please reduce your message size and try again.',
    ],
    [429, 'Request too large for scripted on tokens per min (TPM): Limit 6000, Requested 7241.'],
    [413, 'Request body too large for scripted model. Max size: 6000 tokens.'],
    [413, ''],
    [422, 'Input validation error: `inputs` must have less than 5000 tokens. Given: 7241'],
  ])('includes a prompt that is too large: it has less evidence then (%i "%s")', async (status, message) => {
    server.script = (call) => (call.user.length > 12_000 ? { status, message } : research(call));
    expect(await write()).toContain('Ingrid Solvay');
    expect(piecesIn(last())).toBeGreaterThan(2);
    expect(last().maxTokens).toBe(1_800);
  });

  it.each([
    ['Range of max_tokens should be [1, 1000]', 1_000],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 1000]', 1_000],
  ])('includes the range of the lengths of answers: "%s"', async (message, limit) => {
    server.script = (call) => (call.maxTokens > limit ? { status: 400, message } : research(call));
    await write();
    await write();
    expect(server.calls.map(({ maxTokens }) => maxTokens)).toEqual([1_800, limit, limit]);
    expect(learned).toEqual(['output_limit']);
  });

  it('includes no limit that helped no call', async () => {
    server.script = () => ({ status: 400, message: 'max_tokens must be between 1 and 1000' });
    await expect(write()).rejects.toMatchObject({ status: 400 });
    expect(learned).toEqual([]);
  });

  it('includes the longest answer that it gives, also where it mentions the context beside it', async () => {
    const message =
      '`max_tokens` must be less than or equal to `1000`, the maximum value for `max_tokens` is less than the `context_window` for this model';
    server.script = (call) => (call.maxTokens > 1_000 ? { status: 400, message } : research(call));
    await write();
    expect(server.calls.map(({ maxTokens }) => maxTokens)).toEqual([1_800, 1_000]);
    expect(piecesIn(last())).toBe(evidence.length);
    expect(learned).toEqual(['output_limit']);
  });

  it('does not include an answer that is only too long for the prompt beside it', async () => {
    const message =
      'This model has a maximum context length of 8192 tokens and your prompt has 7700: max_tokens must be at most 492.';
    server.script = (call) => (call.user.length > 12_000 ? { status: 400, message } : research(call));
    await write();
    expect(new Set(server.calls.map(({ maxTokens }) => maxTokens))).toEqual(new Set([1_800]));
    expect(piecesIn(last())).toBeLessThan(evidence.length);
  });
});

describe('an endpoint that is busy, or is to be paid', () => {
  it.each([429, 408, 409])(
    'gets the same call again after %i, although it wrote of too many tokens',
    async (status) => {
      const message = 'Too many tokens, please wait before trying again.';
      server.script = (call, count) =>
        count % 2 === 1 ? { status, message, headers: { 'retry-after': '0' } } : research(call);
      for (let i = 0; i < 2; i += 1) expect(await write()).toContain('Ingrid Solvay');
      expect(server.calls.map(piecesIn)).toEqual(Array(4).fill(evidence.length));
      expect(learned).toEqual([]);
    },
  );

  it('is given up after as many retries as any other', async () => {
    server.script = () => ({ status: 429, message: 'Too many tokens per day.', headers: { 'retry-after': '0' } });
    await expect(write()).rejects.toMatchObject({ status: 429, retryAfterMs: 0 });
    expect(server.calls.length).toBe(3);
  });

  it.each([
    [
      400,
      'Your credit balance is too low to access the Anthropic API.',
      'its account has too little credit left (status 400).',
    ],
    [
      429,
      'You exceeded your current quota: insufficient_quota',
      'its account has too little credit left (status 429).',
    ],
    [400, 'API key not valid. Please pass a valid API key.', 'its endpoint refused the key (status 400).'],
  ])('is not called again after %i "%s"', async (status, message, shown) => {
    server.script = () => ({ status, message });
    await expect(write()).rejects.toMatchObject({ message: shown, permanent: true, status });
    expect(server.calls.length).toBe(1);
    expect(learned).toEqual([]);
  });

  it('is called again after a limit of a minute, although Google names the plan', async () => {
    const message = 'You exceeded your current quota, please check your plan and billing details. RESOURCE_EXHAUSTED';
    server.script = (call, count) => (count === 1 ? { status: 429, message } : research(call));
    expect(await write()).toContain('Ingrid Solvay');
  });

  it('is not called again when it wants to be paid', async () => {
    server.script = () => ({
      status: 402,
      message: 'Prompt tokens limit exceeded: the maximum context is 900 tokens.',
    });
    await expect(write()).rejects.toMatchObject({ status: 402 });
    expect(server.calls.length).toBe(1);
  });
});

describe('a long thought', () => {
  /** As vLLM answers: with 200 tokens of thoughts, or as many as the question says. */
  const withContext =
    (length: number): ProtocolScript =>
    (call) => {
      const input = Math.ceil((call.system.length + call.user.length) / 4);
      if (input + call.maxTokens > length) {
        const message = `'max_tokens' or 'max_completion_tokens' is too large: ${call.maxTokens}. This model's maximum context length is ${length} tokens and your request has ${input} input tokens (${call.maxTokens} > ${length} - ${input}).`;
        return { status: 400, message };
      }
      const wanted = stageOf(call) === 'write' ? Number(/THINK (\d+)/.exec(call.user)?.[1] ?? 200) : 200;
      const thought = 'hmm '.repeat(Math.min(wanted, call.maxTokens));
      if (wanted >= call.maxTokens) return { text: '', reasoning: thought, finish: 'length' };
      return { ...research(call), reasoning: thought };
    };
  const thinker = briefFor('Who built the lighthouse? THINK 9000');
  const rejected = () =>
    server.calls.filter(({ maxTokens, ...call }) => 'status' in withContext(16_384)({ maxTokens, ...call }, 1));

  it('neither disables the model for other searches, nor has their calls rejected', async () => {
    server.script = withContext(16_384);
    const few = evidence.slice(0, 4);
    expect(await write(thinker, search(), few)).toContain('Ingrid Solvay');
    await model.writer.plan(usual, search());
    server.calls.length = 0;
    await model.writer.plan(usual, search());
    await model.writer.reflect(usual, evidence, search());
    expect(await write()).toContain('Ingrid Solvay');
    expect(rejected()).toEqual([]);
    expect(server.calls).toHaveLength(3);
    expect(piecesIn(last())).toBe(evidence.length);
    expect(last().maxTokens).toBeGreaterThan(8_000);
  });

  it('gets all the room that the context has beside the prompt', async () => {
    server.script = withContext(8_192);
    const few = evidence.slice(0, 2);
    expect(await write(briefFor('Who built the lighthouse? THINK 4500'), search(), few)).toContain('Ingrid Solvay');
    expect(server.calls.map(piecesIn)).toEqual([2, 2, 2]);
    expect(server.calls[0]!.maxTokens).toBe(1_800);
    expect(last().maxTokens).toBeGreaterThan(4_600);
  });

  it('takes no evidence from the next searches where the length of the context is known', async () => {
    model = openModel({
      models: { writer: 'scripted' },
      provider: 'openai',
      baseUrl: chat.baseUrl(server.origin),
      fetchFor: () => trusted.fetch,
      retryMs: 1,
      context: 16_384,
    });
    server.script = withContext(16_384);
    await write(thinker, search(), evidence.slice(0, 4));
    server.calls.length = 0;
    expect(await write()).toContain('Ingrid Solvay');
    expect(server.calls.map(piecesIn)).toEqual([evidence.length]);
  });

  it('is cut short before the evidence is, and the evidence before the answer', async () => {
    const length = 8_192;
    server.script = withContext(length);
    await write(briefFor('Who built the lighthouse? THINK 4500'), search(), evidence.slice(0, 2));
    server.calls.length = 0;
    await write();
    expect(piecesIn(last())).toBeGreaterThan(6);
    expect(last().maxTokens).toBe(length / 2);
    expect(server.calls).toHaveLength(1);
  });
});

describe('a lesson', () => {
  it('is forgotten after ten minutes', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const lessons = createLessons();
    lessons.confirm([{ feature: 'temperature', value: false, isNamed: true }], {});
    lessons.confirmNoVision(true, {});
    lessons.confirmOutputLimit(500);
    lessons.confirmWindow(20_000);
    lessons.reasoned(1_000);
    for (const one of [{}, {}]) lessons.confirmContext(9_000, 4_000, one);
    expect(lessons.features().temperature).toBe(false);
    expect(lessons.limitFor(9_500)).toBe(4_000);
    expect(lessons.limitFor(8_000)).toBeUndefined();
    vi.advanceTimersByTime(600_000);
    expect(lessons.features().temperature).toBe(true);
    expect(lessons.hasVision()).toBe(true);
    expect(lessons.outputLimit()).toBe(Number.POSITIVE_INFINITY);
    expect(lessons.window()).toBe(Number.POSITIVE_INFINITY);
    expect(lessons.reasoningTokens()).toBe(0);
    expect(lessons.limitFor(9_500)).toBeUndefined();
  });

  it('about the context is dropped when a prompt of that length succeeds', () => {
    const lessons = createLessons();
    for (const one of [{}, {}]) lessons.confirmContext(9_000, 4_000, one);
    lessons.fits(9_200);
    expect(lessons.limitFor(9_500)).toBeUndefined();
  });
});
