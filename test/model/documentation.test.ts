import { afterAll, describe, expect, it } from 'vitest';
import type { Evidence, StageContext } from '../../src/engine/ports.ts';
import { createExtractiveModel } from '../../src/model/extractive/extractive.ts';

const model = createExtractiveModel();
afterAll(() => model.close());

const context: StageContext = {
  signal: new AbortController().signal,
  meter: { admit: () => {}, left: () => Number.POSITIVE_INFINITY, spent: () => {} },
};

function page(n: number, title: string, text: string): Evidence {
  const url = `https://docs.example/${n}`;
  return { n, snapshot: url, url, title, headings: title, text, start: 0, end: text.length, score: 30 - n };
}

async function ask(question: string, pages: readonly Evidence[]): Promise<string> {
  let text = '';
  const brief = { prompt: question, question, previous: [], today: '2026-01-01' };
  for await (const part of model.write(brief, pages, context)) text += part;
  return text;
}

const pages = [
  page(
    1,
    'parcelq',
    '`parcelq` is used by thousands of developers every day. `npm install parcelq` installs it. Call `queue.pause()` to pause the queue without losing its jobs. A paused queue takes jobs and starts none.',
  ),
  page(
    2,
    'parcelq › Upgrading',
    'Upgrading `parcelq` can break an application. Please report a bug of `parcelq` on its tracker.',
  ),
  page(3, 'streamkit', 'Use `stream.pause()` to pause a queue of chunks. `streamkit` is a library of streams.'),
];

describe('an answer from documentation', () => {
  it('keeps to the point', async () => {
    const text = await ask('How do I pause a queue in parcelq?', pages);
    expect(text).toContain('Call `queue.pause()` to pause the queue');
    expect(text).toContain('A paused queue takes jobs');
    expect(text).not.toMatch(/thousands|npm install|Upgrading|report a bug/);
  });

  it('takes nothing from another package than the one that is named', async () => {
    expect(await ask('How do I pause a queue in parcelq?', pages)).not.toContain('stream.pause()');
    expect(await ask('How do I pause a queue of chunks?', pages)).toContain('stream.pause()');
  });

  it('is none where all that is known is the package', async () => {
    expect(await ask('Which licence does parcelq have?', pages)).toBe('');
  });

  it('says what a package is', async () => {
    expect(await ask('What is streamkit?', pages)).toContain('`streamkit` is a library of streams');
  });
});
