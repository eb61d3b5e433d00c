/** The laws of a model over any protocol: what a stage gets does not depend on the words in which it was said. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Brief, StageContext } from '../../src/engine/ports/model.ts';
import type { Evidence } from '../../src/engine/ports/snapshot.ts';
import { type ModelOptions, type OpenModel, openModel } from '../../src/model/open-model.ts';
import { createTrustedFetch, type TrustedFetch } from '../../src/web/fetch/trusted-fetch.ts';
import type { Dialect } from '../support/dialects/dialect.ts';
import { type ProtocolServer, startProtocolServer } from '../support/servers/protocol-server.ts';

const brief: Brief = { prompt: 'Who?', question: 'Who built the lighthouse?', previous: [], today: '2026-11-22' };
const evidence: Evidence[] = Array.from({ length: 12 }, (_, at) => ({
  n: at + 1,
  snapshot: `s${at}`,
  url: `https://example.org/${at}`,
  title: 'Lighthouse',
  headings: '',
  text: `Fact ${at}: the lighthouse was built by Ingrid Solvay. ${'It stands on a rock. '.repeat(40)}`,
  start: 0,
  end: 10,
  score: 1,
}));
const plan = JSON.stringify({
  queries: ['lighthouse builder'],
  from: null,
  to: null,
  language: null,
  only: [],
  never: [],
});
const key = 'secret-key';
const usage = { in: 321, out: 45 };
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);

function newContext(signal = new AbortController().signal) {
  const spent = { in: 0, out: 0, calls: 0 };
  const meter = {
    admit: () => void (spent.calls += 1),
    left: () => 100_000,
    record: (tokens: { in: number; out: number }) => {
      spent.in += tokens.in;
      spent.out += tokens.out;
    },
  };
  return { context: { signal, meter } satisfies StageContext, spent };
}

/** `canRefuse` tells whether the protocol has a refusal of its own. */
export function obeysModelProtocol(dialect: Dialect, { canRefuse = true } = {}): void {
  describe(`the protocol of ${dialect.provider}`, () => {
    let server: ProtocolServer;
    let trusted: TrustedFetch;
    beforeAll(async () => {
      server = await startProtocolServer(dialect);
      trusted = createTrustedFetch();
    });
    afterAll(async () => {
      await trusted.close();
      await server.close();
    });
    beforeEach(() => {
      server.script = () => ({ text: plan, usage });
      server.models = ['scripted'];
      server.calls.length = 0;
    });

    const open = (more: Partial<ModelOptions> = {}): OpenModel =>
      openModel({
        models: { writer: 'scripted' },
        provider: dialect.provider,
        baseUrl: dialect.baseUrl(server.origin),
        apiKey: key,
        fetchFor: () => trusted.fetch,
        retryMs: 1,
        timeoutMs: 5_000,
        ...more,
      });
    const write = async (model = open(), { context, spent } = newContext()) => {
      let text = '';
      for await (const piece of model.writer.write(brief, evidence, context))
        if (typeof piece === 'string') text += piece;
      return { text, spent };
    };

    it('returns the text of a stream whose bytes are cut anywhere, and counts its tokens', async () => {
      const said = 'Ingrid Solvay built it: "größer" als 10\u00a0m – 灯台 🗼\n\n- a list\\with {"json"} [1]';
      server.script = () => ({ text: said, usage });
      const { text, spent } = await write();
      expect(text).toBe(said);
      expect(spent).toEqual({ ...usage, calls: 1 });
      expect(server.calls[0]!.stream).toBe(true);
    });

    it('requests JSON by its schema and in words, and reads a whole answer', async () => {
      const { context, spent } = newContext();
      const { queries } = await open().writer.plan(brief, context);
      expect(queries).toEqual(['lighthouse builder', brief.question]);
      expect(spent).toEqual({ ...usage, calls: 1 });
      const [call] = server.calls;
      expect(call).toMatchObject({ model: 'scripted', format: 'strict', stream: false, image: undefined });
      expect(`${call!.system}${call!.user}`).toContain('"queries":{"type":"array"');
      expect(call!.user).toContain('Question:\nWho built the lighthouse?');
    });

    it('begins two calls over the same evidence with all that they have in common', async () => {
      const { context } = newContext();
      server.script = () => ({ text: '{"enough":true,"queries":[]}', usage });
      const { writer } = open();
      await writer.reflect({ ...brief, tried: { queries: ['lighthouse'], failedPages: [] } }, evidence, context);
      server.script = () => ({ text: 'Solvay.', usage });
      for await (const _ of writer.write(brief, evidence, context));
      const [reflect, written] = server.calls as [ProtocolServer['calls'][number], ProtocolServer['calls'][number]];
      expect(written.system).toBe(reflect.system);
      const common = reflect.user.slice(0, reflect.user.indexOf('\n\nSearched for already'));
      expect(common).toContain(`evidence [${evidence.length}]`);
      expect(common.endsWith(`Question:\n${brief.question}`)).toBe(true);
      expect(written.user.startsWith(common)).toBe(true);
    });

    it('sends the key in its header, and nowhere else', async () => {
      await open().writer.plan(brief, newContext().context);
      const [{ headers, body }] = server.calls as [ProtocolServer['calls'][number]];
      const [name, value] = dialect.keyHeader(key);
      expect(headers[name]).toBe(value);
      expect(JSON.stringify({ ...headers, [name]: '' })).not.toContain(key);
      expect(JSON.stringify(body)).not.toContain(key);
      expect(server.paths.join()).not.toContain(key);
    });

    it('sends an image to a model with vision', async () => {
      server.shown = { model_info: {}, capabilities: ['completion', 'vision'] };
      server.script = () => ({ text: 'A lighthouse.', usage });
      const image = { type: 'image/png', bytes: png } as const;
      expect(await open().writer.describeImage!(image, brief, newContext().context)).toBe('A lighthouse.');
      expect(server.calls[0]!.image).toBe(Buffer.from(png).toString('base64'));
    });

    it('never shows what the model thinks', async () => {
      server.script = ({ stream }) => ({ text: stream ? 'Solvay.' : plan, reasoning: 'Hmm, let me see.', usage });
      expect((await write()).text).toBe('Solvay.');
      expect((await open().writer.plan(brief, newContext().context)).queries).toContain('lighthouse builder');
    });

    it('asks again with more room if reasoning has left none for the answer, and remembers how much', async () => {
      server.script = ({ maxTokens, stream }) =>
        maxTokens < 5_000
          ? { text: '', reasoning: 'so '.repeat(100), finish: 'length', usage: { in: 1, out: maxTokens } }
          : { text: stream ? 'Solvay.' : plan, reasoning: 'thinking '.repeat(2_000), usage };
      const model = open();
      expect((await write(model)).text).toBe('Solvay.');
      expect((await model.writer.plan(brief, newContext().context)).queries).toContain('lighthouse builder');
      const asked = server.calls.length;
      await model.writer.plan(brief, newContext().context);
      expect(server.calls.length).toBe(asked + 1);
    });

    it('fails with what was written if an answer is cut off', async () => {
      server.script = () => ({ text: 'Ingrid Solvay built', finish: 'length', usage });
      await expect(write()).rejects.toMatchObject({ message: 'its answer was too long and was cut off.' });
    });

    it.runIf(canRefuse)('fails if the model refuses', async () => {
      server.script = () => ({ text: 'I', finish: 'refused', usage });
      await expect(write()).rejects.toMatchObject({ message: 'it refused to answer.' });
      await expect(open().writer.plan(brief, newContext().context)).rejects.toMatchObject({
        message: 'it refused to answer.',
      });
    });

    it('fails without a word of the endpoint when it reports an error in the middle', async () => {
      server.script = () => ({ text: 'Ingrid', fault: true });
      await expect(write()).rejects.toMatchObject({
        name: 'ModelError',
        message: 'it reported an error in the middle of its answer.',
      });
    });

    // Ollama's errors have no status.
    it.skipIf(dialect.provider === 'ollama')(
      'is asked again if it reports an error before its first word',
      async () => {
        server.script = (_, count) => ({ text: count < 3 ? '' : 'Solvay.', fault: count < 3, usage });
        const { text, spent } = await write();
        expect(text).toBe('Solvay.');
        expect(spent).toEqual({ ...usage, calls: 3 });
      },
    );

    it('fails where a whole answer is an error, whatever its status', async () => {
      server.script = () => ({ status: 200, message: 'secret of the server' });
      const failed = await open()
        .writer.plan(brief, newContext().context)
        .catch((error: unknown) => error);
      expect(failed).toMatchObject({
        name: 'ModelError',
        message: expect.stringMatching(/^its endpoint returned status 400\.$|^it reported an error\.$/),
      });
    });

    it('waits as long as a busy endpoint asks, and gives up if that is too long', async () => {
      server.script = (_, count) =>
        count === 1
          ? { status: 429, message: 'slow down', headers: { 'retry-after': '0' } }
          : { text: 'Solvay.', usage };
      expect((await write()).text).toBe('Solvay.');
      server.script = () => ({ status: 429, message: 'slow down', headers: { 'retry-after': '60' } });
      await expect(write()).rejects.toMatchObject({ status: 429, retryAfterMs: 60_000 });
    });

    it('asks for JSON in another way when its schema is rejected', async () => {
      server.script = ({ format }) =>
        format === 'strict' ? { status: 400, message: 'json_schema is not supported' } : { text: plan, usage };
      const model = open();
      await model.writer.plan(brief, newContext().context);
      expect(server.calls.map(({ format }) => format)).toEqual(['strict', 'json']);
      await model.writer.plan(brief, newContext().context);
      expect(server.calls.at(-1)!.format).toBe('json');
      expect(server.calls.length).toBe(3);
    });

    it('leaves out evidence that does not fit the context, the best goes first', async () => {
      server.script = () => ({ text: 'Solvay.', usage });
      await write(open({ context: 4_096 }));
      const shown = [...server.calls[0]!.user.matchAll(/evidence \[(\d+)\]/g)].map(([, n]) => Number(n));
      expect(shown.length).toBeGreaterThan(2);
      expect(shown.length).toBeLessThan(evidence.length);
      expect(shown).toEqual(shown.map((_, at) => at + 1));
    });

    it('refuses permanently with the name of what is missing: the key, or the model', async () => {
      server.script = () => ({ status: 401, message: `bad key ${key}` });
      const refused = await write().catch((error: unknown) => error);
      expect(refused).toMatchObject({ message: 'its endpoint refused the key (status 401).', permanent: true });
      server.script = () => ({ status: 404, message: 'model "scripted" not found' });
      await expect(write()).rejects.toMatchObject({ message: expect.stringContaining('scripted'), permanent: true });
    });

    it('ends the call when its search is ended', async () => {
      const abort = new AbortController();
      server.script = () => {
        abort.abort(new Error('cancelled'));
        return new Promise(() => {});
      };
      await expect(write(open(), newContext(abort.signal))).rejects.toThrow('cancelled');
    });

    it('says at startup whether the endpoint has the model', async () => {
      server.shown = undefined;
      expect(await open().check()).toEqual([]);
      server.models = ['other'];
      expect(await open().check()).toEqual([{ model: 'scripted', trouble: expect.stringContaining('scripted') }]);
      expect(server.calls).toEqual([]);
    });
  });
}
