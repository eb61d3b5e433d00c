/** A damaged index is kept under another name, with everything in it, and a new one is begun; other failures change nothing. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { neverAborted } from '../../src/base/abort.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import type { DamagedIndex } from '../../src/corpus/sqlite/damaged-index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Sqlite = loadSqlite();

let folder: string;
let file: string;
const everything = { text: 'walrus', limit: 3, rules: { only: [], never: [] } };

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'data', 'index.db');
  mkdirSync(join(folder, 'docs'));
  for (let n = 0; n < 40; n += 1) {
    writeFileSync(join(folder, 'docs', `${n}.md`), `# Walrus ${n}\n\n${`The walrus number ${n} swims. `.repeat(60)}`);
  }
  const corpus = await openCorpus({ file });
  await corpus.index({ kind: 'folder', path: join(folder, 'docs') });
  await corpus.close();
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Opens the index as the server does. */
async function reopen() {
  const damaged: DamagedIndex[] = [];
  const troubles: string[] = [];
  const corpus = await openCorpus({
    file,
    onDamaged: (each) => damaged.push(each),
    onTrouble: (reason) => troubles.push(reason),
  });
  return { corpus, damaged, troubles };
}

const names = () => readdirSync(join(folder, 'data'));

function overwrite(at: number, bytes: Buffer): void {
  const all = readFileSync(file);
  bytes.copy(all, at);
  writeFileSync(file, all);
}

const ways: Record<string, () => void> = {
  'is no database': () => writeFileSync(file, 'not a database at all '.repeat(500)),
  'has a few bytes': () => truncateSync(file, 10),
  'was cut in half': () => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'has a first page of zeros': () => overwrite(0, Buffer.alloc(4096)),
  'has zeros only': () => writeFileSync(file, Buffer.alloc(statSync(file).size)),
  'has a damaged schema': () => overwrite(100, Buffer.alloc(3996, 'x')),
  'is a database of another program': () => {
    rmSync(file);
    new Sqlite(file).exec('create table theirs (a)').close();
  },
  'was emptied beside its write-ahead log': () => {
    truncateSync(file, 0);
    writeFileSync(`${file}-wal`, 'the last changes');
  },
};

describe('an index that', () => {
  it.each(Object.keys(ways))('%s is kept under another name, and a new one is begun', async (way) => {
    ways[way]!();
    const before = readFileSync(file);
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false }) && readFileSync(`${file}-wal`);
    const { corpus, damaged } = await reopen();
    const [{ reason, kept_as }] = damaged as [DamagedIndex];
    expect(damaged).toHaveLength(1);
    expect(reason).toMatch(
      /^The index .*index\.db is damaged \(.+\)\.$|index\.db is not a Citewire index: it is a database of another program\.$/,
    );
    expect(kept_as).toMatch(/index\.db\.damaged-[\dTZ-]+$/);
    expect(readFileSync(kept_as!)).toEqual(before);
    if (log !== undefined) expect(readFileSync(`${kept_as}-wal`)).toEqual(log);
    expect(await corpus.stats()).toEqual({ pages: 0, passages: 0 });
    await corpus.index({ kind: 'folder', path: join(folder, 'docs') });
    expect(await corpus.search(everything, neverAborted)).toHaveLength(3);
    await corpus.close();
    const again = await reopen();
    expect(again.damaged).toEqual([]);
    expect(await again.corpus.stats()).toMatchObject({ pages: 40 });
    await again.corpus.close();
  });

  it('was emptied is begun again with a word', async () => {
    truncateSync(file, 0);
    const { corpus, damaged } = await reopen();
    expect(damaged).toEqual([{ reason: expect.stringContaining('is empty'), kept_as: undefined }]);
    await corpus.close();
  });

  it('turns out to be damaged while it is in use is checked at the next start, and kept then', async () => {
    const size = statSync(file).size;
    for (let page = 4; page < size / 4096 - 2; page += 3) overwrite(page * 4096, Buffer.alloc(4096, 'x'));
    const before = readFileSync(file);
    const first = await reopen();
    expect(first.damaged).toEqual([]);
    const source = `folder:${join(folder, 'docs')}`;
    await expect(first.corpus.forget(source)).rejects.toMatchObject({
      code: 'overloaded',
      message: 'The index of the server is damaged.',
    });
    expect(first.troubles[0]).toMatch(/^The index .*index\.db is damaged .* begin a new one\.$/);
    await first.corpus.close();
    const { corpus, damaged } = await reopen();
    expect(readFileSync(damaged[0]!.kept_as!)).toHaveLength(before.length);
    expect(await corpus.stats()).toEqual({ pages: 0, passages: 0 });
    await corpus.close();
    const last = await reopen();
    expect(last.damaged).toEqual([]);
    await last.corpus.close();
  });

  it('is damaged is left as it is by a command that only reads it', async () => {
    ways['was cut in half']!();
    const before = readFileSync(file);
    await expect(openCorpus({ file })).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringMatching(/is damaged .* rename it and begin a new one\.$/),
    });
    expect(readFileSync(file)).toEqual(before);
  });
});

describe('an index that cannot be opened for another reason', () => {
  it.each([
    ['was made by a newer version', 'newer', () => new Sqlite(file).pragma('user_version = 99')],
    [
      'is a folder',
      'unopenable',
      () => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    // Root may write everywhere.
    ...(process.getuid?.() === 0 ? [] : [['may not be written', 'unopenable', () => chmodSync(file, 0o400)] as const]),
  ] as const)('%s is not renamed', async (_, code, spoil) => {
    spoil();
    await expect(reopen()).rejects.toMatchObject({ code });
    expect(names().filter((name) => /damaged|suspect/.test(name))).toEqual([]);
  });
});
