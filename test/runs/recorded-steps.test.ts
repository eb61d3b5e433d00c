/** The events of a search whose log is gone: what its record leads to, with the steps at their times. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noUsage, type SearchFrame, type SearchRecord, type TerminalEvent } from '../../protocol/index.ts';
import { type App, startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import { replay, stepsOf } from '../../src/runs/replay.ts';
import { runRecord } from '../contracts/run-records.ts';
import { expectDense, expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { testPages } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';
const stepsIn = (frames: readonly SearchFrame[]) =>
  frames.flatMap(({ seq: _, ...frame }) =>
    frame.type.startsWith('step.') && frame.type !== 'step.progress' ? [frame] : [],
  );

describe('the events of an ended search after a restart', () => {
  const folder = temporaryFolder();
  let app: App;
  let key: string;
  const start = async () =>
    startApp(readConfig({ PORT: '0', DATA_DIR: folder, MEDIAWIKI_URL: 'off' }), createLog('silent'));
  const get = (path: string) => fetch(app.url + path, { headers: { 'x-api-key': key } });
  let search_id: string;
  let before: SearchFrame[];

  beforeAll(async () => {
    app = await start();
    key = app.developmentKey!.plaintext;
    await app.corpus.index({ kind: 'folder', path: testPages });
    const response = await fetch(`${app.url}/v1/search`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ prompt }),
    });
    before = (await readEvents(response)) as SearchFrame[];
    search_id = before[0]!.search_id;
    await app.close();
    app = await start();
  });
  afterAll(() => app.close());

  it('have the same steps at the same times, follow the same laws and lead to the same state', async () => {
    const response = await get(`/v1/search/${search_id}/events`);
    expect(response.status).toBe(200);
    const after = (await readEvents(response)) as SearchFrame[];
    expect(stepsIn(before).length).toBeGreaterThan(4);
    expect(stepsIn(after)).toEqual(stepsIn(before));
    expectDense(after, 0);
    expectLawful(after);
    const { terminal } = stateAfter(after);
    expect(terminal).toEqual({ ...stateAfter(before).terminal, seq: expect.any(Number), at: expect.any(String) });
  });

  it('are not read after a seq of the log that is gone', async () => {
    expect((await get(`/v1/search/${search_id}/events?after=5`)).status).toBe(410);
  });

  it('do not make the search look as if its log was kept', async () => {
    const record = (await (await get(`/v1/search/${search_id}`)).json()) as SearchRecord;
    expect(record).not.toHaveProperty('head_seq');
    expect(record).not.toHaveProperty('steps');
  });
});

describe('a replayed log', () => {
  it('has the fields of an answer whose template asks for an "output" and "evidence"', () => {
    const result = { output: 'red', evidence: 'a label' };
    const terminal: TerminalEvent = {
      type: 'search.completed',
      status: 'answered',
      result,
      sources: [],
      citations: [],
      evidence: [],
      usage: noUsage,
      timings: { total_ms: 1, stages: {} },
    };
    const log = replay(runRecord('s1', 'a', { state: 'completed', mode: 'structured', terminal }));
    expect(log.entry(2)?.event).toEqual({
      type: 'result.patch',
      ops: [
        { op: 'set', path: '/output', value: 'red' },
        { op: 'set', path: '/evidence', value: 'a label' },
      ],
    });
  });
});

describe('recorded steps', () => {
  it('are left out where there are more than a record keeps', () => {
    const started = { type: 'step.started', kind: 'search', title: 'x'.repeat(10_000) } as const;
    const many = Array.from({ length: 20 }, (_, n) => {
      return { at: new Date(n).toISOString(), event: { ...started, step_id: String(n) } };
    });
    const kept = stepsOf(replay(runRecord('s1', 'a', { steps: many })));
    expect(kept.length).toBeGreaterThan(3);
    expect(kept).toEqual(many.slice(0, kept.length));
    expect(JSON.stringify(kept).length).toBeLessThan(70_000);
  });
});
