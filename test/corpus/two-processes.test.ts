import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { everySource } from '../../protocol/source-rules.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { outputOf, spawnScript } from '../support/processes/run-script.ts';

const Sqlite = loadSqlite();

const folder = mkdtempSync(join(tmpdir(), 'citewire-processes-'));
const file = join(folder, 'index.db');

function makeDocs(name: string, count: number): string {
  const path = join(folder, name);
  mkdirSync(path);
  const text = (n: number) =>
    `# ${name} ${n}\n\n${`The ${name} number ${n} is told of here at some length. `.repeat(30)}\n`;
  for (let n = 0; n < count; n++) writeFileSync(join(path, `${n}.md`), text(n));
  return path;
}

afterAll(() => rmSync(folder, { recursive: true }));

describe('two processes', () => {
  it('lets two processes create and fill one index simultaneously while a third searches it', async () => {
    const left = makeDocs('ibis', 300);
    const right = makeDocs('heron', 300);
    const corpus = await openCorpus({ file });
    const start = (path: string) => outputOf(spawnScript('index-folder', [file, path]));
    let running = true;
    const both = Promise.all([start(left), start(right)]).finally(() => {
      running = false;
    });
    const signal = new AbortController().signal;
    while (running) {
      for (const passage of await corpus.search({ text: 'ibis heron', limit: 5, rules: everySource }, signal)) {
        const snapshot = await corpus.snapshot(passage.snapshot, signal);
        expect(snapshot?.text.slice(passage.start, passage.end)).toBe(passage.text);
      }
    }
    for (const output of await both) expect(JSON.parse(output)).toEqual({ added: 300, failed: [] });
    expect(await corpus.stats()).toMatchObject({ pages: 600 });
    await corpus.close();
    const database = new Sqlite(file);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.exec("INSERT INTO passage_words (passage_words) VALUES ('integrity-check')");
    database.close();
  });
});
