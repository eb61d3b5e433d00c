/**
 * `npm run bench -- throughput [folder] [--quick]`: searches a second, from request to cited answer, over the doors of the
 * server, by how many are made at a time and by the number of processes, with the CPU time of a search, the resident memory
 * and the delay of the event loop; extractive, and with a model on loopback that answers in no time. Peers find passages in
 * the same index and return ten of them: they answer nothing, so they show what finding and sending costs.
 *
 * The folder holds a `questions.jsonl.gz` (questions/articles.ts). Without one, pages and questions are generated.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { goodModel, startModelServer } from '../../test/support/servers/model-server.ts';
import { readArticleLines } from '../questions/articles.ts';
import { writeCorpus } from '../support/corpus-files.ts';
import { type Started, start } from '../support/processes.ts';
import { type BenchOptions, formatResult } from '../support/report.ts';
import { quantile, spread } from '../support/stats.ts';
import type { Row, Table } from '../support/table.ts';
import { measureMemory } from './memory.ts';
import type { Door, SearchClientsApi } from './search-clients.ts';
import { type StartedServer, startServer } from './started-server.ts';
import { type Peer, peerNames, startPeer, type Target, targetOf } from './targets.ts';

interface Pages {
  readonly folder: string;
  readonly questions: readonly string[];
}

/** Searches in a round; at least four for each that is made at a time. Twenty minutes in full on two idle cores. */
const perRound = { full: 300, quick: 120 };
/**
 * Searches before those that are measured, at 8 at a time: until then V8 compiles what they run. What the first ones cost is a row
 * of its own.
 */
const warmUp = { peer: 120, first: 1_500, server: 5_000 };
const generatedPassages = 10_000;
const options = { memory: { type: 'string' }, snapshots: { type: 'string' } } as const;

/** Prints a table for each kind of load. `args` may name the folder with the questions; without one, they are generated. */
export default async function throughput(args: string[], { quick, say }: BenchOptions): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [folder] = positionals;
  const work = mkdtempSync(join(tmpdir(), 'citewire-throughput-'));
  if (values.memory !== undefined) {
    try {
      const pages = folder === undefined ? generate(work) : unpack(folder, work);
      const { snapshots } = values;
      return await measureMemory(pages, { searches: Number(values.memory), snapshots }, say);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  const clients = await start<SearchClientsApi>(new URL('./search-clients.ts', import.meta.url));
  try {
    const pages = folder === undefined ? generate(work) : unpack(folder, work);
    say(`indexing ${folder === undefined ? 'generated pages' : 'the pages of articles'}`);
    const tables = await measureAll(pages, clients, { quick, say });
    process.stdout.write(`\n## throughput\n\n${formatResult({ tables, goals: [] })}\n`);
  } finally {
    await clients.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

async function measureAll(
  { folder, questions }: Pages,
  clients: Started<SearchClientsApi>,
  { quick, say }: BenchOptions,
): Promise<Table[]> {
  const rounds = quick ? 2 : 3;
  const searches = quick ? perRound.quick : perRound.full;
  const doors: readonly Door[] = quick ? ['json'] : ['json', 'sse', 'ws'];
  const loads = quick ? [1, 8, 64] : [1, 8, 64, 256];
  const ask = async (
    target: Target,
    load: { door: Door; atATime: number; count: number; asked: readonly string[] },
  ) => {
    const { door, atATime, count, asked } = load;
    const before = await target.measure();
    const { times, seconds } = await clients.run({ door, servers: target.servers, questions: asked, count, atATime });
    const after = await target.measure();
    const figures: Figures = {
      rate: count / seconds,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      cpu: (after.cpu - before.cpu) / count,
      memory: await target.memory(),
      delay: after.delay,
    };
    return figures;
  };
  /** Several targets take turns, round by round, after each has been warmed up. */
  const measure = async (
    targets: readonly Target[],
    doors: readonly Door[],
    loads: readonly number[],
    asked = questions,
  ) => {
    const found = new Map<string, Figures[]>();
    for (const target of targets) {
      const load = { door: 'json', atATime: 8, asked } as const;
      const figures = await ask(target, { ...load, count: target.own ? warmUp.first : warmUp.peer });
      if (!target.own) continue;
      if (target.fresh)
        found.set(`${target.name}, the first ${warmUp.first.toLocaleString('en')}, 8 at a time`, [figures]);
      await ask(target, { ...load, count: warmUp.server * target.servers.length - warmUp.first });
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const target of targets) {
        for (const door of target.own ? doors : (['json'] as const)) {
          for (const atATime of loads) {
            const name = `${target.name}${target.own && doors.length > 1 ? `, ${doorNames[door]}` : ''}, ${atATime} at a time`;
            const count = Math.max(searches, 4 * atATime);
            const figures = await ask(target, { door, atATime, count, asked });
            found.set(name, [...(found.get(name) ?? []), figures]);
            say(`${name}: ${figures.rate.toFixed(1)}/s, ${figures.cpu.toFixed(2)} ms CPU`);
          }
        }
      }
    }
    return [...found].map(([name, figures]) => toRow(name, figures));
  };

  const first = await startServer({ folder });
  const { index, passages } = first;
  const opened: { close(): Promise<unknown> }[] = [first];
  const model = await startModelServer(goodModel);
  try {
    // Before the peers, and not in turns with them: V8 drops what it compiled for a server that rests meanwhile.
    const doorRows = await measure([targetOf('Citewire', [first], { fresh: true })], doors, loads);
    const same = targetOf('one question again and again', [first]);
    doorRows.push(...(await measure([same], ['json'], [8], questions.slice(0, 1))));
    const peers: Target[] = [];
    for (const peer of Object.keys(peerNames) as Peer[]) peers.push(await startPeer(peer, index));
    opened.push(...peers);
    doorRows.push(...(await measure(peers, ['json'], loads)));
    for (const peer of opened.splice(1)) await peer.close();

    const settings = { MODEL: 'scripted', OPENAI_BASE_URL: model.url, MEDIAWIKI_URL: 'off', MODEL_CONCURRENCY: '1000' };
    const withModel = targetOf('with a model', [await startServer({ index }, settings)], { fresh: true });
    opened.push(withModel);
    const modelRows = await measure([withModel], doors, loads);
    await withModel.close();
    opened.pop();

    const scaled: Row[] = [];
    for (const processes of quick ? [1, 2] : [1, 2, 4]) {
      const more: StartedServer[] = [];
      while (more.length + 1 < processes) more.push(await startServer({ index }));
      const all = targetOf(`${processes} ${processes === 1 ? 'process' : 'processes'}`, [first, ...more]);
      opened.push(...more);
      scaled.push(...(await measure([all], ['json'], quick ? [8] : [8, 64])));
      for (const each of more) await each.close();
      opened.splice(1);
    }
    return [
      { title: `Searches over HTTP, SSE and WebSocket, ${passages} passages`, columns, rows: doorRows },
      { title: `The same with a model on loopback`, columns, rows: modelRows },
      { title: 'By the number of processes on this machine', columns, rows: scaled },
    ];
  } finally {
    for (const each of opened) await each.close();
    await model.close();
  }
}

const doorNames: Readonly<Record<Door, string>> = { json: 'JSON', sse: 'SSE', ws: 'WebSocket' };
const columns = ['', 'searches', 'p50', 'p99', 'CPU per search', 'resident', 'loop delay p99'];

type Figures = Record<'rate' | 'p50' | 'p99' | 'cpu' | 'memory' | 'delay', number>;

function toRow(name: string, figures: readonly Figures[]): Row {
  const cell = (of: keyof Figures, unit: string) => {
    const values = figures.map((each) => each[of]);
    return values.some(Number.isNaN) ? '' : spread(values, unit);
  };
  return {
    name,
    own: !name.startsWith('passages'),
    cells: [
      cell('rate', '/s'),
      cell('p50', 'ms'),
      cell('p99', 'ms'),
      cell('cpu', 'ms'),
      cell('memory', 'MiB'),
      cell('delay', 'ms'),
    ],
  };
}

function unpack(folder: string, work: string): Pages {
  const lines = readArticleLines(folder);
  const pages = join(work, 'pages');
  mkdirSync(pages);
  for (const { kind, id, title, text } of lines) {
    if (kind === 'page') writeFileSync(join(pages, `${id}.md`), `# ${title}\n\n${text}\n`);
  }
  const questions = lines.filter(({ kind }) => kind !== 'page').map(({ question }) => question);
  return { folder: pages, questions };
}

function generate(work: string): Pages {
  const folder = join(work, 'pages');
  return { folder, ...writeCorpus(folder, generatedPassages) };
}
