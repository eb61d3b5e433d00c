/** The parts of a UI message stream, checked with the AI SDK's own schema and read by its own client. */
import { readUIMessageStream, type UIMessage, type UIMessageChunk, uiMessageChunkSchema } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noUsage, type SearchEvent, type Source, type TextResult } from '../../../protocol/index.ts';
import { createMessageParts, type MessagePart } from '../../../src/compat/ai-sdk/message-parts.ts';
import { refusalText } from '../../../src/compat/refusal-text.ts';
import { createRunLog, type RunLog } from '../../../src/runs/log.ts';
import { nextEntry } from '../../../src/runs/next-entry.ts';
import { writtenEvents } from '../../support/written-log.ts';
import { formatLog, recordedNames, recordedRun } from '../recorded-log.ts';

const at = new Date(0).toISOString();
const accepted = { type: 'search.accepted', created_at: at, deadline_at: at, mode: 'text', engine: 'test' } as const;
const source: Source = { id: 'src_1', n: 1, url: 'https://a.org/', title: 'A', domain: 'a.org', snapshot: 'abc' };
const rest = { sources: [source], citations: [], usage: noUsage, timings: { total_ms: 1, stages: {} } };
const step: SearchEvent[] = [
  { type: 'step.started', step_id: 't1', kind: 'read', title: 'Reading' },
  { type: 'step.progress', step_id: 't1', done: 1, total: 2 },
  { type: 'step.finished', step_id: 't1', status: 'ok', duration_ms: 3, summary: '2 pages' },
];

function completed(answer: string, change: object = {}): SearchEvent {
  const status = answer === '' ? 'not_found' : 'answered';
  return {
    type: 'search.completed',
    status,
    result: { search_id: 's_1', status, answer, ...rest, ...change },
    ...rest,
  };
}

/** What people read: the answer, or why there is none. */
function answerText(result: TextResult): string {
  return result.answer === '' ? refusalText(result) : result.answer;
}

function partsOf(events: readonly SearchEvent[]): MessagePart[] {
  const parts = createMessageParts('s_1');
  return events.flatMap(parts);
}

/** As a reader of the log gets it that comes when `count` entries are there, and then reads on to the end. */
function partsFromLog(events: readonly SearchEvent[], count: number): MessagePart[] {
  const log: RunLog = createRunLog('s_1');
  const parts = createMessageParts('s_1');
  const read: MessagePart[] = [];
  let cursor = 0;
  const catchUp = () => {
    for (let entry = nextEntry(log, cursor); entry !== undefined; entry = nextEntry(log, cursor)) {
      read.push(...parts(entry.event));
      cursor = entry.seq;
    }
  };
  for (const [at, event] of events.entries()) {
    log.append(event);
    if (at >= count) catchUp();
  }
  catchUp();
  return read;
}

async function messageOf(parts: readonly MessagePart[], begun?: UIMessage): Promise<UIMessage | undefined> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  let message: UIMessage | undefined;
  const onError = (error: unknown) => {
    throw error;
  };
  const given = begun === undefined ? {} : { message: begun };
  for await (const state of readUIMessageStream({ stream, onError, terminateOnError: true, ...given })) message = state;
  return message;
}

describe('the parts of a message', () => {
  it('come in the order that the client demands, with sources before the text and one part for each step', () => {
    const parts = partsOf([
      accepted,
      ...step,
      { type: 'source.added', source },
      { type: 'source.added', source },
      { type: 'answer.delta', block: 'b1', from: 0, text: 'Yes ' },
      { type: 'answer.delta', block: 'b1', from: 4, text: '[1]' },
      { type: 'answer.block.done', block: 'b1', kind: 'markdown', text: 'Yes [1]', citations: [] },
      completed('Yes [1]', { uncited_share: 0.5 }),
    ]);
    expect(parts.map(({ type }) => type)).toEqual([
      ...['start', 'start-step', 'data-step', 'data-step', 'data-step', 'source-url'],
      ...['text-start', 'text-delta', 'text-delta', 'text-end', 'finish-step', 'finish'],
    ]);
    expect(parts[0]).toMatchObject({ messageId: 's_1', messageMetadata: { search_id: 's_1' } });
    expect(parts[4]).toEqual({
      type: 'data-step',
      id: 't1',
      data: {
        ...{ step_id: 't1', kind: 'read', title: 'Reading', status: 'ok', done: 1, total: 2 },
        ...{ duration_ms: 3, summary: '2 pages' },
      },
    });
    expect(parts[5]).toMatchObject({ sourceId: 'src_1', providerMetadata: { citewire: { n: 1, snapshot: 'abc' } } });
    expect(parts.at(-1)).toMatchObject({ messageMetadata: { status: 'answered', uncited_share: 0.5 } });
  });

  it('say why there is no answer, and quote what comes nearest', async () => {
    const nearest = [
      {
        source_id: 'src_1',
        n: 1,
        url: 'https://a.org/',
        title: 'A [b]',
        quote: 'One.\nTwo.',
        source_start: 0,
        source_end: 9,
        snapshot: 'abc',
      },
    ];
    const message = await messageOf(partsOf([accepted, completed('', { message: 'Not answered.', nearest })]));
    expect(message?.parts).toContainEqual(
      expect.objectContaining({
        type: 'text',
        text: 'Not answered.\n\n> One. Two.\n> — A [b]',
        state: 'done',
      }),
    );
  });

  it('hold a structured answer as data, with and without its evidence', () => {
    const evidence = { ...rest, evidence: [] };
    const plain: SearchEvent = { type: 'search.completed', status: 'answered', result: { year: 1912 }, ...evidence };
    const wrapped = {
      ...plain,
      result: { search_id: 's_1', status: 'answered' as const, output: { year: 1912 }, ...evidence },
    };
    for (const event of [plain, wrapped]) {
      expect(partsOf([accepted, event])).toContainEqual({ type: 'data-output', id: 'output', data: { year: 1912 } });
    }
  });

  it('end the text of a search that fails, and then name the error', () => {
    const error = {
      code: 'upstream_error',
      message: 'No provider answered.',
      retryable: true,
      request_id: 'r',
    } as const;
    const parts = partsOf([
      accepted,
      { type: 'answer.delta', block: 'b1', from: 0, text: 'Half' },
      { type: 'search.failed', error, usage: noUsage },
    ]);
    expect(parts.slice(-4)).toEqual([
      { type: 'text-end', id: 'b1' },
      { type: 'error', errorText: 'No provider answered.' },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'error', messageMetadata: { usage: noUsage, error } },
    ]);
  });

  it.each(['admin', 'deadline', 'disconnect'] as const)('name the error of a search that was cancelled by %s', (by) => {
    const parts = partsOf([accepted, { type: 'search.cancelled', by, usage: noUsage }]);
    const why = by === 'admin' ? 'The server shut down' : `(by ${by})`;
    expect(parts.slice(-3)).toEqual([
      { type: 'error', errorText: expect.stringContaining(why) },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'error', messageMetadata: { usage: noUsage } },
    ]);
  });

  it('end the text of a search that its client cancels, and say so', () => {
    const parts = partsOf([
      accepted,
      { type: 'answer.delta', block: 'b1', from: 0, text: 'Half' },
      { type: 'search.cancelled', by: 'client', usage: noUsage },
    ]);
    expect(parts.slice(-3)).toEqual([
      { type: 'text-end', id: 'b1' },
      { type: 'abort', reason: 'client' },
      { type: 'finish-step' },
    ]);
  });

  it.each(recordedNames)('make one valid message of a recorded search, however late it is read: %s', async (name) => {
    const { search_id, log, ended } = recordedRun(name);
    const { validate } = uiMessageChunkSchema();
    const read = (lags: boolean) => {
      const parts = createMessageParts(search_id);
      const text = formatLog(
        log,
        ({ event }) =>
          parts(event)
            .map((part) => `${JSON.stringify(part)}\n`)
            .join(''),
        lags,
      );
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as MessagePart);
    };
    for (const part of read(false)) expect(await validate?.(part)).toMatchObject({ success: true });
    const withoutErrors = (parts: MessagePart[]) => parts.filter(({ type }) => type !== 'error');
    const message = await messageOf(withoutErrors(read(false)));
    expect(await messageOf(withoutErrors(read(true)))).toEqual(message);
    expect(message?.id).toBe(search_id);
    const citations = 'citations' in ended ? ended.citations : (ended.partial?.citations ?? []);
    const shown = message?.parts.flatMap((part) => (part.type === 'data-citation' ? [part.data] : []));
    expect(shown).toEqual(citations);
    const sources = 'sources' in ended ? ended.sources.map(({ id }) => id) : undefined;
    const announced = message?.parts.flatMap((part) => (part.type === 'source-url' ? [part.sourceId] : []));
    if (sources !== undefined) expect(announced).toEqual(sources);
    const text = message?.parts.find((part) => part.type === 'text')?.text ?? '';
    if (ended.type === 'search.completed' && ended.evidence === undefined)
      expect(text).toBe(answerText(ended.result as TextResult));
  });

  it('fit the schema of the client, whatever the search', async () => {
    const { validate } = uiMessageChunkSchema();
    await fc.assert(
      fc.asyncProperty(writtenEvents, async (events) => {
        for (const part of partsOf(events)) expect(await validate?.(part)).toMatchObject({ success: true });
      }),
      { numRuns: 50 },
    );
  });

  it('make the same message however the deltas were merged', async () => {
    await fc.assert(
      fc.asyncProperty(writtenEvents, fc.nat(60), async (events, count) => {
        const whole = await messageOf(partsOf(events));
        expect(whole).toBeDefined();
        expect(await messageOf(partsFromLog(events, count))).toEqual(whole);
      }),
      { numRuns: 100 },
    );
  });

  it('make the same message when the stream is cut at any part and read again from its start', async () => {
    await fc.assert(
      fc.asyncProperty(writtenEvents, fc.nat(200), fc.nat(60), async (events, cut, count) => {
        const parts = partsOf(events);
        // What was begun is replaced: the client resets its message at `start`.
        const begun = await messageOf(parts.slice(0, cut % (parts.length + 1)));
        const again = await messageOf(partsFromLog(events, count));
        expect(again).toEqual(await messageOf(parts));
        if (begun !== undefined) expect(again?.id).toBe(begun.id);
      }),
      { numRuns: 100 },
    );
  });
});
