/** Questions for a reader who does not know what to ask, and what a new server says while it fills its index. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchEventOf, Suggestions, TextResult } from '../../../protocol/index.ts';
import { installedPackages } from '../../../src/app/installed-packages.ts';
import { readEvents } from '../../support/clients/sse-client.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ MEDIAWIKI_URL: 'off' });
});
afterAll(() => app[Symbol.asyncDispose]());

const suggestions = async () => (await (await app.get('/v1/suggestions')).json()) as Suggestions;
const ask = async (prompt: string) => (await (await app.post('/v1/search', { prompt })).json()) as TextResult;

async function forgetAll(): Promise<void> {
  for (const { source } of await app.corpus.sources()) await app.corpus.forget(source);
}

describe('suggested questions', () => {
  it('are made from the documents in the index, and each is answered', async () => {
    await expect.poll(async () => (await suggestions()).questions.length).toBeGreaterThan(0);
    const { questions, indexing } = await suggestions();
    expect(indexing).toBeUndefined();
    expect(questions.length).toBeLessThanOrEqual(3);
    for (const question of questions) {
      const { status, citations } = await ask(question);
      expect(status, question).toBe('answered');
      expect(citations.length).toBeGreaterThan(0);
    }
  });

  it('cost nothing', async () => {
    const { headers } = await app.get('/v1/suggestions');
    expect(headers.get('ratelimit')).toBeNull();
  });

  it('are made again after a change of the index', async () => {
    const more = join(folder, 'more');
    mkdirSync(more);
    writeFileSync(
      join(more, 'desk.md'),
      '# The help desk\n\n## How do I reach the help desk?\n\nCall 4417 at any time.\n',
    );
    const before = await suggestions();
    expect(before.questions).not.toContain('How do I reach the help desk?');
    await app.corpus.index({ kind: 'folder', path: more });
    await expect.poll(async () => (await suggestions()).questions).toContain('How do I reach the help desk?');
  });

  it('are about Citewire on a new server, which says how far its index is and waits for it before it searches', async () => {
    await forgetAll();
    const begun = app.corpus.index({ kind: 'packages', path: installedPackages()! }, { fills: true });
    const { indexing, questions } = await suggestions();
    expect(questions).toEqual([]);
    expect(indexing).toEqual({ done: expect.any(Number), total: expect.any(Number) });
    const response = await app.post('/v1/search', { prompt: 'What is Citewire?' }, { accept: 'text/event-stream' });
    const events = await readEvents(response);
    const waited = events.find((event) => event.type === 'step.started');
    expect(waited).toMatchObject({ kind: 'search', title: 'Waiting for the index' });
    expect(events.some((event) => event.type === 'step.progress')).toBe(true);
    await begun;
    const { result } = events.at(-1) as SearchEventOf<'search.completed'>;
    // On a busy machine it may take longer to fill than a search waits.
    const answer = (result as TextResult).answer || (await ask('What is Citewire?')).answer;
    expect(answer).toMatch(/^Citewire is a self-hosted, real-time server/);
    await expect.poll(async () => (await suggestions()).questions).toContain('What is Citewire?');
    for (const question of (await suggestions()).questions) expect((await ask(question)).status).toBe('answered');
  });

  it('are made from the documents of an account that has some, which hide those of Citewire', async () => {
    const text = '# The boat house\n\n## Who looks after the boats?\n\nMaren Lind looks after the boats.\n';
    const call = (path: string, method: string, body: string | null = null) =>
      fetch(app.url + path, { method, body, headers: { 'x-api-key': app.key } });
    const uploaded = await call('/v1/sources/files?name=boats.md', 'POST', text);
    const { source_id } = (await uploaded.json()) as { source_id: string };
    await expect.poll(async () => (await suggestions()).questions).toEqual(['Who looks after the boats?']);
    expect((await ask('Who looks after the boats?')).status).toBe('answered');
    await call(`/v1/sources/${source_id}`, 'DELETE');
    await expect.poll(async () => (await suggestions()).questions).toContain('What is Citewire?');
  });

  it('are none for an empty index', async () => {
    await forgetAll();
    await expect.poll(suggestions).toEqual({ questions: [], has_model: false });
  });
});
