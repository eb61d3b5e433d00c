/**
 * Research over a generated web, scored without a judge: `npm run bench -- research [--quick] [--kind=…] [--model]`. Runs the extractive
 * model, and a model on loopback that follows the prompts; with `--model`, also the one of the settings (MODEL, …); with
 * `--kind=report`, only questions of that kind.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchFrame, TextResult } from '../protocol/index.ts';
import { startModelServer } from '../test/support/servers/model-server.ts';
import { kinds, type Question } from './research/question.ts';
import { createQuestions } from './research/questions.ts';
import { createResearcher } from './research/researcher.ts';
import { type Score, score } from './research/score.ts';
import { serveWorld, type WorldServer } from './research/web.ts';
import { createWorld } from './research/world.ts';
import { type BenchOptions, type BenchResult, formatResult, writeResult } from './support/report.ts';
import { type BenchServer, startServer } from './support/start-server.ts';
import { median } from './support/stats.ts';
import { formatMs, type Row, type Table } from './support/table.ts';

/** What one question cost, and how it ended. */
interface Outcome extends Score {
  readonly question: Question;
  readonly queries: number;
  readonly pages: number;
  readonly rounds: number;
  readonly words: number;
  readonly ms: number;
}

const full = { pages: 3_000, share: 1 };
const short = { pages: 300, share: 0.2 };
/** Searches at the same time. */
const concurrency = 2;
const columns = [
  '',
  'questions',
  'right',
  'cited rightly',
  'facts',
  'refused',
  'queries',
  'pages',
  'rounds',
  'words',
  'ms',
];

/** Prints one table for each model. The full form saves them, unless it ran the model of the settings. `--worst` prints what went wrong. */
export default async function research(words: string[], { quick, say }: BenchOptions): Promise<void> {
  const { pages, share } = quick ? short : full;
  const world = createWorld(pages);
  const only = words.find((word) => word.startsWith('--kind='))?.slice('--kind='.length);
  const questions = createQuestions(world, share).filter(({ kind }) => only === undefined || kind === only);
  const web = await serveWorld(world);
  const scripted = await startModelServer(createResearcher(world, questions));
  const folder = mkdtempSync(join(tmpdir(), 'citewire-research-'));
  writeFileSync(join(folder, 'empty.md'), '# An empty index\n\nNothing here.\n');
  const models: [string, Record<string, string>][] = [
    ['extractive', {}],
    ['model on loopback', { MODEL: 'scripted', OPENAI_BASE_URL: scripted.url, OPENAI_API_KEY: 'none' }],
    ...(words.includes('--model')
      ? [['model of the settings', modelOfEnvironment()] as [string, Record<string, string>]]
      : []),
  ];
  try {
    const tables: Table[] = [];
    for (const [name, settings] of models) {
      const server = await startServer({ ...settings, ...settingsFor(web) }, folder);
      try {
        const outcomes = await askAll(server, web, questions, say, words.includes('--worst'));
        tables.push({ title: `${name}, ${pages} pages`, columns, rows: rowsOf(outcomes) });
      } finally {
        await server.close();
      }
    }
    const result: BenchResult = { tables, goals: [] };
    process.stdout.write(`\n## research\n\n${formatResult(result)}\n`);
    if (!quick && only === undefined && models.length === 2) writeResult('research', result);
  } finally {
    rmSync(folder, { recursive: true });
    await Promise.all([web.close(), scripted.close()]);
  }
}

function settingsFor({ url, allowed }: WorldServer): Record<string, string> {
  return {
    SEARXNG_URL: url,
    FETCH_ALLOW_HOSTS: allowed,
    MEDIAWIKI_URL: 'off',
    SEARCHES_PER_MINUTE: '100000',
    LOG_LEVEL: 'error',
  };
}

function modelOfEnvironment(): Record<string, string> {
  const named = Object.entries(process.env).filter(([name]) => /^(?:MODEL|OPENAI|PLANNING|FALLBACK)(?:_|$)/.test(name));
  if (!named.some(([name]) => name === 'MODEL')) throw new Error('--model: expected MODEL in the environment.');
  return Object.fromEntries(named) as Record<string, string>;
}

async function askAll(
  server: BenchServer,
  web: WorldServer,
  questions: readonly Question[],
  say: (line: string) => void,
  isVerbose: boolean,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async () => {
    while (next < questions.length) {
      const at = next;
      next += 1;
      const { outcome, answer, warnings } = await ask(server, web, questions[at]!, at);
      outcomes[at] = outcome;
      if (isVerbose && !outcome.cited) {
        say(`${JSON.stringify({ ...outcome, question: questions[at]!.text, answer, warnings })}`);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return outcomes;
}

async function ask(server: BenchServer, web: WorldServer, question: Question, turn: number) {
  const { previous, text: prompt, effort } = question;
  const before =
    previous === undefined
      ? undefined
      : (await search(server, turn, { prompt: previous.text, effort: 'balanced' })).result;
  const follows = before === undefined ? {} : { previous_search_id: before.search_id };
  const begunAt = performance.now();
  const { result, rounds, warnings } = await search(server, turn, { prompt, effort, ...follows });
  const ms = performance.now() - begunAt;
  const { answer, status, citations, usage } = result;
  const scored = score(question, { text: answer, status, citations, previous: before?.answer ?? '' }, web.urlOf);
  const words = answer.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return {
    outcome: { ...scored, question, queries: usage.searches, pages: usage.pages, rounds, words, ms },
    answer,
    warnings,
  };
}

async function search(
  { url, keys }: BenchServer,
  turn: number,
  body: object,
): Promise<{ result: TextResult; rounds: number; warnings: string[] }> {
  const headers = {
    'x-api-key': keys[turn % keys.length]!,
    'content-type': 'application/json',
    accept: 'text/event-stream',
  };
  const response = await fetch(`${url}/v1/search`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const frames = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)) as SearchFrame);
  const last = frames.at(-1)!;
  if (last.type !== 'search.completed') throw new Error(`Expected search.completed; got ${JSON.stringify(last)}`);
  const rounds = frames.filter((frame) => frame.type === 'step.started' && frame.kind === 'search').length;
  const warnings = frames.flatMap((frame) => (frame.type === 'warning' ? [frame.message] : []));
  return { result: last.result as TextResult, rounds, warnings };
}

function rowsOf(outcomes: readonly Outcome[]): Row[] {
  const names = [
    ...Object.keys(kinds).filter((kind) => outcomes.some(({ question }) => question.kind === kind)),
    'all',
  ];
  return names.map((name) => {
    const of = outcomes.filter(({ question }) => name === 'all' || question.kind === name);
    const share = (is: (one: Outcome) => boolean) => `${((100 * of.filter(is).length) / of.length).toFixed(1)} %`;
    const mean = (value: (one: Outcome) => number) => meanOf(of, value).toFixed(1);
    return {
      name,
      cells: [
        String(of.length),
        share(({ right }) => right),
        share(({ cited }) => cited),
        `${(100 * meanOf(of, ({ complete }) => complete)).toFixed(1)} %`,
        share(({ refused }) => refused),
        mean(({ queries }) => queries),
        mean(({ pages }) => pages),
        mean(({ rounds }) => rounds),
        mean(({ words }) => words),
        formatMs(median(of.map(({ ms }) => ms))),
      ],
    };
  });
}

function meanOf(outcomes: readonly Outcome[], value: (one: Outcome) => number): number {
  return outcomes.reduce((sum, one) => sum + value(one), 0) / outcomes.length;
}
