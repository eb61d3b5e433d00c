/** What the database itself refuses to do to a published version, in its own words, and what two processes get of it. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createDesigns } from '../../src/designs/designs.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts';
import { linesOf, startOnStore } from '../support/processes/store-process.ts';
import { publishedVersion } from '../support/published-version.ts';
import { rethrow } from '../support/requests.ts';
import type { StoreKind } from './store.ts';

const columns = 'api_stub, version, api_id, account_id, content, content_hash, words, published_at';
const row = (stub: string, version: number) =>
  `api_versions (${columns}) values ('${stub}', ${version}, 'd', 'a', 'x', 'h', '', '')`;

/** `TEST_LONG=1` kills 300 times. */
const kills = process.env.TEST_LONG === '1' ? 300 : 4;
/** Processes that publish side by side. */
const atOnce = 4;

export function describePublishedVersions(kind: StoreKind): void {
  describe(`a published version in the database itself, ${kind.name}`, () => {
    it.each([
      ['update', "update api_versions set content = 'x' where version = 1", /never changes/],
      ['update of everything', 'update api_versions set version = version + 1', /never changes/],
      ['delete', 'delete from api_versions where version = 1', /never deleted/],
      ['delete of everything', 'delete from api_versions', /never deleted/],
      ['gap', `insert into ${row('one', 4)}`, /behind the newest/],
      ['stub that begins at 2', `insert into ${row('two', 2)}`, /behind the newest/],
      ['version 0', `insert into ${row('two', 0)}`, /check/i],
    ])('refuses any %s', async (_, statement, message) => {
      const where = await published(kind);
      await expect(kind.query(where, statement)).rejects.toThrow(message);
      expect(await contents(where)).toEqual(['{"n": 1}', '{"n": 2}']);
    });

    it.each([...kind.replacing])('keeps a published version unchanged by "%s"', async (statement) => {
      const where = await published(kind);
      await kind.query(where, statement.replace('…', row('one', 1))).catch(() => {});
      expect(await contents(where)).toEqual(['{"n": 1}', '{"n": 2}']);
    });

    it('assigns consecutive numbers, none twice, when two processes publish simultaneously', async () => {
      const where = await published(kind);
      const printed = await Promise.all([1, 2].map(() => linesOf(startOnStore('publish-versions', where))));
      const numbers = printed
        .flat()
        .map(Number)
        .sort((a, b) => a - b);
      expect(printed.map((lines) => lines.length)).toEqual([25, 25]);
      expect(numbers).toEqual(Array.from({ length: 50 }, (_, i) => i + 3));
      expect(await contents(where)).toHaveLength(52);
    });

    it(`keeps every acknowledged version, without gaps, when its publishers are killed ${kills} times`, async () => {
      const where = await published(kind);
      const store = await openStore(where);
      const designs = createDesigns(store.designs, rethrow);
      const { api_id } = await designs.create('a', { name: 'n', api_stub: 'three', prompt: 'What is there?' });
      const said: string[] = [];
      for (let killed = 0; killed < kills; killed += atOnce) {
        const publishers = Array.from({ length: atOnce }, () => startOnStore('publish-until-killed', where, api_id));
        const lines = publishers.map(linesOf);
        await Promise.all(publishers.map(({ stdout }) => once(stdout!, 'readable')));
        for (const publisher of publishers) {
          await sleep(Math.random() * 40);
          publisher.kill('SIGKILL');
        }
        said.push(...(await Promise.all(lines)).flat());
      }
      expect(said.length).toBeGreaterThanOrEqual(kills);
      const kept = new Map<string, string>();
      let cursor: string | undefined;
      do {
        // Each is held against its hash as it is read.
        const page = await designs.versionsOf('a', api_id, { cursor, limit: 100 });
        for (const { version, content_hash } of page.items) kept.set(String(version), content_hash);
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(said.filter((line) => line !== `${line.split(' ')[0]} ${kept.get(line.split(' ')[0]!)}`)).toEqual([]);
      const numbers = [...kept.keys()].map(Number).sort((a, b) => a - b);
      expect(numbers).toEqual(numbers.map((_, at) => at + 1));
      await store.close();
    }, 3_600_000);

    it('fills the columns of lists for what was stored before there were any, and freezes them', async () => {
      const where = await kind.fresh();
      const account = { name: 'a', plan: 'pro', status: 'active', status_reason: null, created_at: '2026' } as const;
      const first = await openStore(where);
      await first.access.addAccount({ id: 'a', ...account });
      const designs = createDesigns(first.designs, rethrow);
      const noExamples = () => Promise.reject(new Error('the design has no examples'));
      const page = { cursor: undefined, limit: 10 };
      const written = (name: string, more: object) => ({ name, prompt: 'Who designed the {{a}}?', ...more });
      const inputs = { a: { type: 'string', description: 'größer \0 😀' } };
      for (const api_stub of ['one', 'two']) {
        const { api_id } = await designs.create('a', { api_stub, ...written('first', { inputs }) });
        await designs.publish('a', api_id, noExamples);
        await designs.change('a', api_id, { name: 'second\ud800', output_format: { b: 'string' } });
        await designs.publish('a', api_id, noExamples);
      }
      const all = async ({ designs: records }: Store) => [
        (await records.list('a', page)).items,
        (await records.browse([], page)).items,
        (await records.versions('one', page)).items,
        (await records.versions('two', page)).items,
      ];
      const before = await all(first);
      expect(before.map((items) => items.length)).toEqual([2, 2, 2, 2]);
      await first.close();

      for (const column of ['summary', 'interface', 'example', 'changes']) {
        await kind.query(where, `alter table api_versions drop column ${column}`);
      }
      await kind.query(where, 'alter table designs drop column summary');
      await kind.query(where, "delete from migrations where name = '007-shown'");
      const second = await openStore(where);
      expect(await all(second)).toEqual(before);
      await second.close();
      const change = "update api_versions set summary = '{}' where version = 1";
      await expect(kind.query(where, change)).rejects.toThrow(/never changes/);
    });

    async function contents(where: StoreOptions): Promise<unknown[]> {
      const rows = await kind.query(where, "select content from api_versions where api_stub = 'one' order by version");
      return rows.map(({ content }) => content);
    }
  });
}

async function published({ fresh }: StoreKind): Promise<StoreOptions> {
  const where = await fresh();
  const { access, designs, close } = await openStore(where);
  const account = { name: 'a', plan: 'pro', status: 'active', status_reason: null, created_at: '2026' } as const;
  await access.addAccount({ id: 'a', ...account });
  for (const content of ['{"n": 1}', '{"n": 2}']) {
    const content_hash = createHash('sha256').update(content).digest('hex');
    await designs.publish({ ...publishedVersion, content, content_hash }, async () => '[]');
  }
  await close();
  return where;
}
