/** An answer of the extractive model never depends on how many threads it has, nor on what they have read before. */
import { describe, expect, it } from 'vitest';
import type { Brief } from '../../src/engine/ports/model.ts';
import type { Evidence } from '../../src/engine/ports/snapshot.ts';
import { createExtractiveModel } from '../../src/model/extractive/extractive.ts';

const lighthouses = ['Heron Point', 'Gull Rock', 'Long Skerry', 'Black Ness', 'Cape Amber', 'Saint Olave'];
const evidence: Evidence[] = lighthouses.map((name, i) => {
  const text = `${name} Lighthouse was built in ${1800 + 7 * i} by the harbour board. Its keeper was paid ${20 + i} pounds a year.`;
  return {
    n: i + 1,
    snapshot: `snapshot-of-${name}`,
    url: `https://example.org/${i}`,
    title: `${name} Lighthouse`,
    headings: '',
    text,
    start: 0,
    end: text.length,
    score: 10 - i,
  };
});
const context = { signal: new AbortController().signal, meter: { admit() {}, left: () => 0, record() {} } };

async function write(model: ReturnType<typeof createExtractiveModel>, question: string): Promise<string> {
  const brief: Brief = { prompt: question, question, previous: [], today: '2026-11-22' };
  let text = '';
  for await (const piece of model.write(brief, evidence, context)) text += piece;
  return text;
}

describe('the threads of the extractive model', () => {
  it('answer in the same words whether there is one or several that each saw a part of the questions', async () => {
    const questions = lighthouses.flatMap((name) => [
      `When was ${name} Lighthouse built?`,
      `What was the keeper of ${name} paid?`,
    ]);
    const [one, several] = [createExtractiveModel({ threads: 1 }), createExtractiveModel({ threads: 3 })];
    try {
      const expected: string[] = [];
      for (const question of questions) expected.push(await write(one, question));
      expect(expected.filter((text) => text !== '').length).toBeGreaterThan(6);
      expect(await Promise.all(questions.map((question) => write(several, question)))).toEqual(expected);
    } finally {
      await Promise.all([one.close(), several.close()]);
    }
  });

  it('reads a question once for what a search does with it, however many others wait', async () => {
    const model = createExtractiveModel();
    const questions = Array.from({ length: 100 }, (_, year) => `Was a lighthouse built in ${1800 + year}?`);
    const excerptsOf = (question: string) =>
      model.excerpts!({ prompt: question, question, previous: [], today: '2026-11-22' }, evidence, context);
    try {
      const twice = await Promise.all(
        questions.map(async (question) => [await excerptsOf(question), await excerptsOf(question)] as const),
      );
      expect(twice.filter(([first, again]) => first !== again)).toEqual([]);
    } finally {
      await model.close();
    }
  });
});
