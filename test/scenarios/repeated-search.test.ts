/** The same question again: what the index found is remembered, and everything else is every caller's own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TextResult } from '../../protocol/index.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const osprey = temporaryFolder();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function ask(prompt: string, headers: Record<string, string> = {}) {
  const response = await app.post('/v1/search', { prompt }, headers);
  expect(response.status).toBe(200);
  const remaining = Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
  return { remaining, ...((await response.json()) as TextResult) };
}

/** Dates the pages without the index knowing: only a new search of the index can show it. */
function date(published_at: string): void {
  const database = new (loadSqlite())(join(app.dataDir, 'index.db'));
  database.transaction(() => {
    const changes = database.prepare('SELECT n FROM changes').pluck().get();
    database.prepare('UPDATE pages SET published_at = ?').run(published_at);
    database.prepare('UPDATE changes SET n = ?').run(changes);
  })();
  database.close();
}

const datesOf = ({ sources }: TextResult) => new Set(sources.map((source) => source.published_at));

describe('a question that is asked again', () => {
  const question = 'How high is the tower of the Heron Point Lighthouse?';

  it('is answered from what was found before, under an id and a charge of its own, unless the caller wants no cache', async () => {
    const first = await ask(question);
    expect(first.answer).toContain('46 metres');
    date('2020-02-02');
    const again = await ask(question);
    expect(datesOf(again)).toEqual(new Set([undefined]));
    expect(again.answer).toBe(first.answer);
    expect(again.search_id).not.toBe(first.search_id);
    expect(again.remaining).toBe(first.remaining - 1);
    const record = await app.get(`/v1/search/${again.search_id}`);
    expect(await record.json()).toMatchObject({ search_id: again.search_id, state: 'completed' });
    expect(datesOf(await ask(question, { 'cache-control': 'max-age=0, no-cache' }))).toEqual(new Set(['2020-02-02']));
    expect(datesOf(await ask(question))).toEqual(new Set(['2020-02-02']));
  });

  it('gives every one of several that arrive together a search of its own with the same answer', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask('Who designed the Heron Point Lighthouse?')));
    expect(new Set(answers.map(({ search_id }) => search_id)).size).toBe(6);
    expect(new Set(answers.map(({ answer }) => answer)).size).toBe(1);
    expect(new Set(answers.map(({ remaining }) => remaining)).size).toBe(6);
  });

  it('finds a page that was indexed since', async () => {
    const asked = 'How many keepers does the Osprey Lighthouse have?';
    const before = await ask(asked);
    expect(before.answer).not.toContain('seventeen');
    writeFileSync(join(osprey, 'osprey.md'), '# Osprey Lighthouse\n\nThe Osprey Lighthouse has seventeen keepers.\n');
    await app.corpus.index({ kind: 'folder', path: osprey });
    expect((await ask(asked)).answer).toContain('seventeen');
  });
});
