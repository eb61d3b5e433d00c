/** A question that says in which document to look is answered from that one, of a folder and of uploaded files, with a model and without. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexedSourceList, TextResult } from '../../../protocol/index.ts';
import { readEvents } from '../../support/clients/sse-client.ts';
import { createDesign } from '../../support/design.ts';
import { type ResearchApp, startResearchApp } from '../../support/servers/research-app.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const docs = temporaryFolder();
mkdirSync(docs, { recursive: true });
const files = {
  'lease.md': "# Tenancy agreement\n\nEither side may end it with three months' notice, in writing.\n",
  'gym-terms.md': "# Membership of the Corsa\n\nYou may end your membership with two months' notice, in writing.\n",
  'phone.md': "# Contract for a telephone\n\nYou may end the contract with one month's notice, in writing.\n",
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(docs, name), text);

async function ask(app: TestApp, prompt: string, more: object = {}): Promise<TextResult> {
  return (await (await app.post('/v1/search', { prompt, ...more })).json()) as TextResult;
}

describe('without a model', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    await app.corpus.index({ kind: 'folder', path: docs });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it.each([
    ['According to the lease, how much notice must I give?', 'three months'],
    ['How much notice must I give, according to the gym terms?', 'two months'],
    ['How much notice must I give in the contract for a telephone?', 'one month'],
  ])('"%s" is answered with %s', async (prompt, said) => {
    const { status, answer, sources } = await ask(app, prompt);
    expect(answer).toContain(said);
    expect({ status, sources: sources.length }).toEqual({ status: 'answered', sources: 1 });
  });

  it('does not answer from another document what the named one leaves open', async () => {
    const { status, message } = await ask(app, 'According to the lease, when is the Corsa open?');
    expect(status).toBe('not_found');
    expect(message).toContain('name');
    expect(message).not.toContain('this request allows');
  });

  it('looks there for a question that goes on from it as well, and for no other', async () => {
    const { search_id } = await ask(app, 'According to the lease, how much notice must I give?');
    const next = await ask(app, 'And must the notice be in writing?', { previous_search_id: search_id });
    expect(next.sources.map(({ title }) => title)).toEqual(['Tenancy agreement']);
    const other = await ask(app, 'How do I end my membership of the Corsa?', { previous_search_id: search_id });
    expect(other.answer).toContain('two months');
  });

  it('looks everywhere where only an input of a designed API names a document', async () => {
    const inputs = { question: { type: 'string' } };
    await createDesign(app, {
      api_stub: 'asked',
      prompt: '{{question}}',
      inputs,
      output_format: undefined,
      examples: [],
    });
    const asked = { question: 'When may the membership of the Corsa end, according to the lease?' };
    const result = (await (await app.post('/v1/user-defined-service/asked', asked)).json()) as TextResult;
    expect(result.sources.map(({ title }) => title)).toContain('Membership of the Corsa');
  });

  it('looks where the request says, whatever the question says', async () => {
    const { answer } = await ask(app, 'According to the lease, how much notice must I give?', {
      source_whitelist: [`file://${docs}/phone.md`],
    });
    expect(answer).not.toContain('three months');
  });

  it('says in its plan where it looks', async () => {
    const prompt = 'According to the lease, how much notice must I give?';
    const events = await readEvents(await app.post('/v1/search', { prompt }, { accept: 'text/event-stream' }));
    expect(JSON.stringify(events)).toContain('only Tenancy agreement');
  });

  it('knows an uploaded file by its name', async () => {
    const text = '# Welcome to Lindvik\n\nProgrammes are installed only by IT. Laptops are locked away at night.\n';
    await app.post('/v1/sources/files?name=Staff%20guide.md', text);
    const state = async () => {
      const { items } = (await (await app.get('/v1/sources')).json()) as IndexedSourceList;
      return items.find(({ name }) => name === 'Staff guide.md')?.state;
    };
    await expect.poll(state).toBe('ready');
    const { answer, sources } = await ask(app, 'What does the staff guide say about laptops?');
    expect(answer).toContain('locked away at night');
    expect(sources).toHaveLength(1);
  });
});

describe('with a model', () => {
  let research: ResearchApp;
  beforeAll(async () => {
    research = await startResearchApp();
    await research.app.corpus.index({ kind: 'folder', path: docs });
  });
  afterAll(() => research[Symbol.asyncDispose]());

  it('gives the model that document alone, and does not ask the web', async () => {
    const { app, model } = research;
    const { sources, usage } = await ask(app, 'According to the lease, how much notice must I give?');
    expect(sources.map(({ title }) => title)).toEqual(['Tenancy agreement']);
    expect(usage.providers).toEqual(['corpus']);
    const written = model.calls.filter(({ kind }) => kind === 'write');
    expect(JSON.stringify(written)).toContain('three months');
    expect(JSON.stringify(written)).not.toContain('two months');
  });
});
