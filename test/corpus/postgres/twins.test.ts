/** The corpus in a file and in Postgres find the same passages, in the same order, for the same questions. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everySource, parseSourceRule, type SourceRule } from '../../../protocol/source-rules.ts';
import { type OpenCorpus, openCorpus } from '../../../src/corpus/corpus.ts';
import { hasPostgres, openPostgresServer, type TestPostgres } from '../../support/servers/postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const words = [
  ...['harbour', 'lighthouse', 'ferries', 'running', 'tickets', '1990s', 'mp3s', 'headersTimeout', 'café', 'naïve'],
  ...['Straße', 'größere', 'Łódź', 'Søren', 'ёлка', 'район', 'Αθήνα', 'हिन्दी', 'שלום', 'مُحَمَّد'],
  ...['年齢', '年金', '今年', '東京都', '人口', '港', '価格', 'กรุงเทพ', 'ไทย', '한국어'],
] as const;

const questions = [
  ...words,
  'API 年',
  '年',
  '東',
  '東 人',
  'Which ferries of the harbour run in the 1990s?',
  'Strasse',
  'lodz',
  'елка',
  'αθηνα',
  'большой район 年',
];

/** Numbers that look random and are the same in each run (Park and Miller 1988). */
function createNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

describe.skipIf(!hasPostgres)('the two kinds of corpus', () => {
  const folder = temporaryFolder();
  const signal = new AbortController().signal;
  let server: TestPostgres;
  let corpora: readonly OpenCorpus[];

  beforeAll(async () => {
    const next = createNumbers(7);
    for (const part of ['one', 'other']) mkdirSync(join(folder, part));
    for (let n = 0; n < 400; n += 1) {
      const text = Array.from({ length: 20 + next(60) }, () =>
        next(3) === 0 ? words[next(words.length)] : `w${next(900)}`,
      );
      const part = n % 50 === 0 ? 'one' : 'other';
      writeFileSync(join(folder, part, `${n}.md`), `# Page ${n} ${words[next(words.length)]}\n\n${text.join(' ')}.\n`);
    }
    server = await openPostgresServer();
    corpora = await Promise.all([
      openCorpus({ file: join(folder, 'index.db') }),
      openCorpus({ file: '/nowhere', databaseUrl: await server.fresh() }),
    ]);
    for (const corpus of corpora)
      for (const part of ['one', 'other']) await corpus.index({ kind: 'folder', path: join(folder, part) });
  });
  afterAll(async () => {
    await Promise.all(corpora.map((corpus) => corpus.close()));
    await server.stop();
  });

  async function findEverywhere(text: string, query: object = {}) {
    const search = { text, limit: 10, rules: everySource, ...query };
    return Promise.all(
      corpora.map(async (corpus) =>
        (await corpus.search(search, signal)).map(({ url, score }) => `${url} ${score.toFixed(3)}`),
      ),
    );
  }

  it.each(questions)('find the same for %s', async (question) => {
    const [inFile, inPostgres] = await findEverywhere(question);
    expect(inFile).toEqual(inPostgres);
    expect(inFile).not.toEqual([]);
  });

  it.each(questions)('find the same for %s in a folder', async (question) => {
    const [inFile, inPostgres] = await findEverywhere(question, { sources: [`folder:${join(folder, 'one')}`] });
    expect(inFile).toEqual(inPostgres);
  });

  it.each(questions)('find the same for %s below an address', async (question) => {
    const only = [parseSourceRule('file:///one/') as SourceRule];
    const [inFile, inPostgres] = await findEverywhere(question, { rules: { only, never: [] } });
    expect(inFile).toEqual(inPostgres);
  });
});
