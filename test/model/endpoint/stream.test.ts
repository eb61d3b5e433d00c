/** The reader of a streamed completion: the same text however its bytes are cut, in larger pieces while many streams run. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { messagesWire } from '../../../src/model/anthropic/messages.ts';
import { type IncomingBytes, readStream, type StreamEnd } from '../../../src/model/endpoint/stream.ts';
import { generateContentWire } from '../../../src/model/gemini/generate-content.ts';
import { readCompletion } from '../../../src/model/openai/chat-answer.ts';
import { createCompletionParser } from '../../../src/model/openai/completion-parser.ts';
import { responsesWire } from '../../../src/model/openai/responses.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A body that the test writes. */
function createBody() {
  let onBytes: (bytes: Buffer) => void = () => {};
  let onEnd: (error?: Error) => void = () => {};
  let cancelled = false;
  const bytes: IncomingBytes = {
    read(each, end) {
      onBytes = each;
      onEnd = end;
    },
    cancel() {
      cancelled = true;
    },
  };
  return {
    bytes,
    write: (data: string | Buffer) => onBytes(Buffer.from(data)),
    end: (error?: Error) => onEnd(error),
    isCancelled: () => cancelled,
  };
}

function open(body = createBody()) {
  const ends: { end: StreamEnd; characters: number }[] = [];
  const abort = new AbortController();
  const pieces = readStream(body.bytes, createCompletionParser(), {
    signal: abort.signal,
    firstMs: 60_000,
    idleMs: 60_000,
    maxCharacters: 10_000,
    onOver: (end, characters) => ends.push({ end, characters }),
  });
  return { ...body, pieces, ends, abort };
}

const line = (content: string, more = '') =>
  `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}${more},"finish_reason":null}]}\n\n`;
const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('a streamed completion', () => {
  it('has the text of content in chunks, as Mistral sends it, and counts its thoughts', async () => {
    const { pieces, ends, write, end } = open();
    const chunk = (content: unknown) =>
      write(`data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`);
    chunk([{ type: 'thinking', thinking: [{ type: 'text', text: 'x'.repeat(400) }] }]);
    chunk([{ type: 'text', text: 'The lamp ' }]);
    chunk([
      { type: 'text', text: 'burns.' },
      { type: 'reference', reference_ids: [1] },
    ]);
    write(last);
    end();
    expect(await textOf(pieces)).toBe('The lamp burns.');
    expect(ends[0]?.end).toMatchObject({ finish: 'stop' });
    expect(ends[0]?.end.reasoning).toBeGreaterThan(0);
    const message = {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
        { type: 'text', text: 'It burns.' },
      ],
    };
    expect(readCompletion({ choices: [{ message, finish_reason: 'stop' }] })).toMatchObject({
      text: 'It burns.',
      finish: 'stop',
    });
  });

  it('returns the same text however the bytes are cut', async () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 12 });
    const written = fc.record({ word, logprobs: fc.boolean(), blank: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(written, { maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        async (all, cuts) => {
          const lines = all.map(
            (each) => line(each.word, each.logprobs ? ',"logprobs":null' : '') + (each.blank ? ': hb\n\n' : ''),
          );
          const bytes = Buffer.from(lines.join('') + last);
          const body = open();
          const text = textOf(body.pieces);
          const places = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
          for (const [at, from] of [0, ...places].entries())
            body.write(bytes.subarray(from, places[at] ?? bytes.length));
          expect(await text).toBe(all.map((each) => each.word).join(''));
          expect(body.ends).toMatchObject([{ end: { finish: 'stop', reasoning: 0 } }]);
          body.end();
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each(['null', '7', '{"choices":5}', '{"choices":[7]}'])('fails as a model does on data: %s', async (data) => {
    const body = open();
    body.write(`${line('half')}data: ${data}\n\n`);
    body.end();
    const failed = await textOf(body.pieces).catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'ModelError' });
  });

  it('goes on after an end that was said too early, as Gemini says it with every piece', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const body = createBody();
    const options = { signal: new AbortController().signal, firstMs: 60_000, idleMs: 60_000, maxCharacters: 1_000 };
    const parser = generateContentWire(undefined).createParser();
    const text = textOf(readStream(body.bytes, parser, { ...options, onOver: () => {} }));
    for (const word of ['The ', 'lamp ', 'burns.']) {
      const candidate = { content: { parts: [{ text: word }] }, finishReason: 'STOP' };
      body.write(`data: ${JSON.stringify({ candidates: [candidate] })}\n\n`);
      await vi.advanceTimersByTimeAsync(700);
    }
    body.end();
    expect(await text).toBe('The lamp burns.');
    expect(body.isCancelled()).toBe(false);
  });

  describe('an end that is said too early', () => {
    const said = (content: string, finish_reason: string | null, more = {}) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content, ...more }, finish_reason }] })}\n\n`;
    const stopped = 'it stopped in the middle of its answer.';
    const lost = 'its connection was lost in the middle of the answer.';
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    });

    it.each([
      ['"", as SGLang has sent it', ''],
      ['"stop"', 'stop'],
    ])('is none beside text: %s', async (_, reason) => {
      const body = open();
      const text = textOf(body.pieces);
      for (const word of ['The ', 'lamp ', 'burns.']) {
        body.write(said(word, reason));
        await vi.advanceTimersByTimeAsync(1_200);
      }
      body.write(last);
      expect(await text).toBe('The lamp burns.');
    });

    it('is none beside thoughts', async () => {
      const body = open();
      const text = textOf(body.pieces);
      for (let at = 0; at < 3; at += 1) {
        body.write(said('', 'stop', { reasoning_content: 'hm ' }));
        await vi.advanceTimersByTimeAsync(1_200);
      }
      body.write(said('It burns.', 'stop'));
      body.end();
      expect(await text).toBe('It burns.');
    });

    it('is none before more text, even if that has none of its own', async () => {
      const body = open();
      const text = textOf(body.pieces);
      body.write(said('', 'stop') + line('The lamp '));
      await vi.advanceTimersByTimeAsync(1_200);
      body.write(line('burns.'));
      await vi.advanceTimersByTimeAsync(1_200);
      body.end();
      expect(await text).toBe('The lamp burns.');
    });

    it.each([['stop'], ['']])('makes no complete answer of half of one: %j', async (reason) => {
      const reset = open();
      reset.write(said('half ', reason) + said('an ', reason));
      reset.end(new Error('ECONNRESET'));
      await expect(textOf(reset.pieces)).rejects.toThrow(lost);

      const silent = open();
      const failed = expect(textOf(silent.pieces)).rejects.toThrow(stopped);
      silent.write(said('half ', reason) + said('an ', reason));
      await vi.advanceTimersByTimeAsync(60_000);
      await failed;
    });

    describe('is the end where words before it came without one', () => {
      const usage = 'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2}}\n\n';
      it.each([
        ['words', said('The lamp ', null)],
        ['words in the usual form', line('The lamp ')],
        ['thoughts', said('', null, { reasoning_content: 'hm ' })],
      ])('after %s', async (_, first) => {
        const kept = open();
        const text = textOf(kept.pieces);
        kept.write(first + said('burns.', 'stop'));
        await vi.advanceTimersByTimeAsync(1_200);
        expect(await text).toMatch(/burns\.$/);

        const reset = open();
        reset.write(first + said('burns.', 'stop'));
        reset.end(new Error('ECONNRESET'));
        expect(await textOf(reset.pieces)).toMatch(/burns\.$/);

        const counted = open();
        counted.write(first + said('burns.', 'stop') + usage);
        counted.end(new Error('ECONNRESET'));
        expect(await textOf(counted.pieces)).toMatch(/burns\.$/);
        expect(counted.ends).toMatchObject([{ end: { finish: 'stop', usage: { in: 9, out: 2 } } }]);
      });

      it('but not if more of them follow', async () => {
        const body = open();
        const text = textOf(body.pieces);
        body.write(line('The ') + said('lamp ', 'stop') + said('burns ', 'stop'));
        await vi.advanceTimersByTimeAsync(1_200);
        body.write(said('at night.', 'stop'));
        body.end();
        expect(await text).toBe('The lamp burns at night.');

        const reset = open();
        reset.write(line('The ') + said('lamp ', 'stop') + said('burns ', 'stop'));
        reset.end(new Error('ECONNRESET'));
        await expect(textOf(reset.pieces)).rejects.toThrow(lost);
      });

      it('of Gemini', async () => {
        const reset = createBody();
        const options = { signal: new AbortController().signal, firstMs: 60_000, idleMs: 60_000, maxCharacters: 1_000 };
        const parser = generateContentWire(undefined).createParser();
        const text = textOf(readStream(reset.bytes, parser, { ...options, onOver: () => {} }));
        const piece = (words: string, more = {}) =>
          `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: words }] }, ...more }] })}\n\n`;
        reset.write(piece('The lamp ') + piece('burns.', { finishReason: 'STOP' }));
        reset.end(new Error('ECONNRESET'));
        expect(await text).toBe('The lamp burns.');
      });
    });

    it('makes no complete answer of half of one: "" to the end of the body', async () => {
      const body = open();
      body.write(said('half ', ''));
      body.end();
      await expect(textOf(body.pieces)).rejects.toThrow(lost);
    });
  });

  const message = (content: string) =>
    `event: content_block_delta\ndata: ${JSON.stringify({
      type: 'content_block_delta',
      delta: { type: 'text_delta', text: content },
    })}\n\n`;
  const output = (delta: string) => `data: ${JSON.stringify({ type: 'response.output_text.delta', delta })}\n\n`;
  const candidate = (text: string) =>
    `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] })}\n\n`;
  it.each([
    ['Anthropic', messagesWire, message, 'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n'],
    ['the Responses API', responsesWire, output, 'data: {"type":"response.completed","response":{}}\n\n'],
    ['Gemini', generateContentWire, candidate, 'data: {"candidates":[{"finishReason":"STOP"}]}\n\n'],
  ])('may end with [DONE] in the protocol of %s, as proxies send it', async (_, wire, piece, end) => {
    for (const ends of ['', end]) {
      const body = createBody();
      const options = { signal: new AbortController().signal, firstMs: 60_000, idleMs: 60_000, maxCharacters: 1_000 };
      const pieces = readStream(body.bytes, wire(undefined).createParser(), { ...options, onOver: () => {} });
      body.write(`${piece('It ')}${piece('burns.')}${ends}data: [DONE]\n\n`);
      expect(await textOf(pieces)).toBe('It burns.');
      body.end();
    }
  });

  const tooLong = {
    code: 400,
    message: 'the request exceeds the available context size',
    type: 'invalid_request_error',
  };
  it.each([
    ['a field of its own, of llama.cpp', `error: ${JSON.stringify(tooLong)}\n\n`, 400],
    ['a field of its own with an object', `error: {"error":${JSON.stringify(tooLong)}}\n\n`, 400],
    ['an event of its own', `event: error\ndata: ${JSON.stringify(tooLong)}\n\n`, 400],
    ['an event of its own without a code', 'event: error\ndata: {"message":"CUDA out of memory"}\n\n', undefined],
    ['data with the fields of an error', `data: ${JSON.stringify(tooLong)}\n\n`, 400],
    ['data that is called an error, of vLLM', 'data: {"object":"error","message":"out of memory","code":500}\n\n', 500],
  ])('fails with an error in %s', async (_, data, status) => {
    for (const before of ['', line('half')]) {
      const body = open();
      body.write(`${before}${data}`);
      const failed = await textOf(body.pieces).catch((error: unknown) => error);
      expect(failed).toMatchObject({ message: 'it reported an error in the middle of its answer.', status });
    }
  });

  it.each([
    'data: {"code":0,"message":"Success","sid":"x"}\n\n',
    'data: {"code":200,"message":"ok"}\n\n',
    'data: {"code":"0","message":"Success"}\n\n',
    'data: {"message":"queued"}\n\n',
    'error: null\n',
    'error:\n',
  ])('reads no error in what says that all is well: %s', async (data) => {
    for (const before of ['', line('half ')]) {
      const body = open();
      body.write(`${before}${data}${line('whole')}${last}`);
      expect(await textOf(body.pieces)).toBe(before === '' ? 'whole' : 'half whole');
    }
  });

  it('reads a whole answer with the code of a success', () => {
    const choices = [{ message: { content: 'It burns.' }, finish_reason: 'stop' }];
    expect(readCompletion({ code: 200, message: 'ok', choices })).toMatchObject({ text: 'It burns.' });
    expect(readCompletion({ code: 0, message: 'Success' })).toMatchObject({ text: '' });
    expect(() => readCompletion({ code: 429, message: 'busy' })).toThrow('it reported an error');
    expect(() => readCompletion({ object: 'error', message: 'busy' })).toThrow('it reported an error');
  });

  it('reads the data of other events, and no error in words of the answer', async () => {
    const body = open();
    body.write(`event: message\n${line('error: ')}event: ping\n\n${line('{"code":500,"message":"x"}')}${last}`);
    expect(await textOf(body.pieces)).toBe('error: {"code":500,"message":"x"}');
  });

  it('delivers each token as it comes while few streams run', async () => {
    const body = open();
    body.write(line('a'));
    expect(await body.pieces.next()).toEqual({ value: 'a', done: false });
    const next = body.pieces.next();
    body.write(line('b'));
    expect(await next).toEqual({ value: 'b', done: false });
    await body.pieces.return?.();
    expect(body.isCancelled()).toBe(true);
  });

  it('delivers tokens in batches while many streams run, loses none, and does not delay the last', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const bodies = Array.from({ length: 9 }, () => open());
    const heard = bodies.map(async ({ pieces }) => {
      const all: string[] = [];
      for await (const piece of pieces) all.push(piece);
      return all;
    });
    for (const token of ['a', 'b', 'c']) for (const body of bodies) body.write(line(token));
    await vi.advanceTimersByTimeAsync(40);
    for (const token of ['d', 'e']) for (const body of bodies) body.write(line(token));
    for (const body of bodies) {
      body.write(last);
      body.end();
    }
    for (const all of await Promise.all(heard)) expect(all).toEqual(['abc', 'de']);
  });

  it('cancels the body when the signal fires, and reports what was received', async () => {
    const body = open();
    body.write(line('half'));
    await body.pieces.next();
    const next = body.pieces.next();
    body.abort.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    expect(body.isCancelled()).toBe(true);
    expect(body.ends).toMatchObject([{ end: { finish: undefined, usage: undefined, reasoning: 0 }, characters: 4 }]);
  });

  it('fails permanently if nothing is received at all', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const body = open();
    const next = body.pieces.next();
    const failed = expect(next).rejects.toMatchObject({ message: 'it did not answer in time.', permanent: true });
    await vi.advanceTimersByTimeAsync(60_000);
    await failed;
    expect(body.isCancelled()).toBe(true);
  });

  it('fails permanently if nothing but comments that keep the connection open is received, however they are cut', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const body = open();
    const next = body.pieces.next();
    const failed = expect(next).rejects.toMatchObject({ message: 'it did not answer in time.', permanent: true });
    for (const part of [': still load', 'ing: data\n', '\n: OPENROUTER PROCESSING\r\n\r\n', ':\n\n']) {
      await vi.advanceTimersByTimeAsync(14_000);
      body.write(part);
    }
    await vi.advanceTimersByTimeAsync(4_000);
    await failed;
  });

  it('waits for the first words of a model that thinks', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const body = open();
    const next = body.pieces.next();
    for (const thought of ['First', 'then', 'so']) {
      await vi.advanceTimersByTimeAsync(50_000);
      body.write(`data: {"choices":[{"index":0,"delta":{"reasoning":"${thought}"}}]}\n\n`);
    }
    await vi.advanceTimersByTimeAsync(50_000);
    body.write(line('a'));
    expect(await next).toEqual({ value: 'a', done: false });
    await body.pieces.return?.();
  });

  it('fails after one long silence, but not after several shorter ones', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const body = open();
    for (const token of ['a', 'b', 'c']) {
      await vi.advanceTimersByTimeAsync(50_000);
      body.write(line(token));
      expect(await body.pieces.next()).toEqual({ value: token, done: false });
    }
    const failed = expect(body.pieces.next()).rejects.toThrow('it stopped in the middle of its answer.');
    await vi.advanceTimersByTimeAsync(60_000);
    await failed;
  });

  it('ends with its last line, also if no line feed follows it', async () => {
    const body = open();
    body.write(`${line('whole')}${last.trimEnd()}`);
    body.end();
    expect(await textOf(body.pieces)).toBe('whole');
    expect(body.ends).toMatchObject([{ end: { finish: 'stop' } }]);

    const failed = open();
    failed.write(`${line('half')}data: {"error":{"message":"overloaded"}}`);
    failed.end();
    await expect(textOf(failed.pieces)).rejects.toThrow('it reported an error in the middle of its answer.');

    const cut = open();
    cut.write(`${line('half')}data: {"choices":[{"ind`);
    cut.end();
    await expect(textOf(cut.pieces)).rejects.toThrow('its connection was lost in the middle of the answer.');
  });

  it('ends soon after its end was said, although the connection stays open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const body = open();
    body.write(`${line('whole')}${last.split('\n\n', 1)[0]}\n\n`);
    const text = textOf(body.pieces);
    await vi.advanceTimersByTimeAsync(500);
    // What was used may come after it.
    body.write('data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}\n\n');
    await vi.advanceTimersByTimeAsync(500);
    expect(await text).toBe('whole');
    expect(body.ends).toMatchObject([{ end: { finish: 'stop', usage: { in: 7, out: 2 } } }]);
    expect(body.isCancelled()).toBe(true);
  });

  it.each([
    ['model_length', 'length'],
    ['max_tokens', 'length'],
    ['length', 'length'],
    ['tool_calls', 'stop'],
  ])('reads the reason %s as %s', (reason, finish) => {
    const answer = { choices: [{ message: { content: 'half an ans' }, finish_reason: reason }] };
    expect(readCompletion(answer).finish).toBe(finish);
  });

  it.each(['error', 'insufficient_system_resource', 'aborted'])(
    'fails where the endpoint broke it off: %s',
    async (reason) => {
      const answer = { choices: [{ message: { content: 'half an ans' }, finish_reason: reason }] };
      expect(() => readCompletion(answer)).toThrow(`it broke its answer off (${reason}).`);
      const body = open();
      body.write(`${line('half an ans')}${last.replace('"stop"', JSON.stringify(reason))}`);
      await expect(textOf(body.pieces)).rejects.toThrow(`it broke its answer off (${reason}).`);
    },
  );

  it('fails with a message that is safe to show if the connection is lost', async () => {
    const body = open();
    body.write(line('half'));
    body.end(new Error('secret detail of a socket'));
    expect(await body.pieces.next()).toEqual({ value: 'half', done: false });
    await expect(body.pieces.next()).rejects.toMatchObject({
      name: 'ModelError',
      message: 'its connection was lost in the middle of the answer.',
    });
  });
});
