/**
 * Tries Citewire on each Node that it supports:
 * `node --import tsx tools/matrix.ts [--smoke | --newest-clients] [20|22|24|26 …] [-- vitest's arguments]`.
 * With `--smoke` the packed package is installed in an empty folder, serves a search and answers in the terminal; without it, the
 * tests run in a copy of the checkout with packages of its own. With `--newest-clients`, these include the newest release of each
 * client of other services: their majors no longer support every Node that Citewire does, so package.json pins those that do.
 * Node comes from the registry, which has its binaries as packages.
 * Everything is kept in .matrix for the next run. Ends with exit code 1 when one Node fails.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from './package/checkout-manifest.ts';
import { nodeCache as cache, nodeOf } from './package/node-binary.ts';
import { pack } from './package/pack.ts';
import { askInTerminal, install, searchOnServer } from './package/try-install.ts';

const supported = ['20', '22', '24', '26'];
const newestClients = [
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@ai-sdk/perplexity',
  '@ai-sdk/react',
  '@langchain/core',
  '@langchain/openai',
  '@modelcontextprotocol/client',
  '@perplexity-ai/perplexity_ai',
  '@tavily/core',
  'ai',
  'exa-js',
  'openai',
  'parallel-web',
];
const testsOfClients = ['test/compat', 'test/agents', 'test/webhooks/deliveries.test.ts'];

const [own = [], forVitest = []] = splitAt(process.argv.slice(2), '--');
const versions = own.filter((word) => !['--smoke', '--newest-clients'].includes(word));
const unknown = versions.filter((version) => !supported.includes(version));
if (unknown.length > 0)
  throw new Error(`expected versions of Node out of ${supported.join(', ')}; got ${unknown.join(', ')}`);
const hasNewestClients = own.includes('--newest-clients');
const chosen = versions.length === 0 ? supported : versions;
const failed = own.includes('--smoke') ? await smoke() : chosen.filter((version) => !runTests(version));
if (failed.length > 0) {
  process.stdout.write(`failed on Node ${failed.join(', ')}\n`);
  process.exitCode = 1;
}

async function smoke(): Promise<string[]> {
  const { tarball, remove } = await pack();
  const failures: string[] = [];
  for (const version of chosen) {
    try {
      process.stdout.write(`Node ${version}: ${await tryPackage(tarball, nodeOf(version))}\n`);
    } catch (error) {
      failures.push(version);
      process.stdout.write(`Node ${version}: ${(error as Error).message}\n`);
    }
  }
  remove();
  return failures;
}

async function tryPackage(tarball: string, node: string): Promise<string> {
  const started = performance.now();
  const installed = await install(tarball, node, { scripts: majorOf(node) < 22 });
  try {
    const ready = performance.now();
    await searchOnServer(installed);
    const searched = performance.now();
    if (!/\[\d+\]/.test(await askInTerminal(installed)))
      throw new Error('expected an answer with markers in the terminal');
    const seconds = (from: number, to = performance.now()) => `${((to - from) / 1_000).toFixed(1)} s`;
    return (
      `${(installed.bytes / 2 ** 20).toFixed(0)} MB installed in ${seconds(started, ready)}, ` +
      `served a search in ${seconds(ready, searched)}, answered in the terminal in ${seconds(searched)}`
    );
  } finally {
    installed.remove();
  }
}

/** The tests in a copy of the checkout as it is now, over the packages that npm installs for this Node. */
function runTests(version: string): boolean {
  const node = nodeOf(version);
  const copy = join(cache, version, 'checkout');
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
    .toString()
    .split('\0');
  rmSync(copy, { recursive: true, force: true });
  for (const file of files.filter((each) => each !== '' && existsSync(join(root, each)))) {
    cpSync(join(root, file), join(copy, file), { recursive: true });
  }
  // An install script of a dependency is needed only where no binary comes with SQLite.
  const options = ['--prefer-offline', '--no-audit', '--no-fund', ...(majorOf(node) < 22 ? [] : ['--ignore-scripts'])];
  const newest = newestClients.map((name) => `${name}@latest`);
  const chosenTests = hasNewestClients && forVitest.length === 0 ? testsOfClients : forVitest;
  const steps = [
    ['npm', 'ci', ...options],
    ...(hasNewestClients
      ? [['npm', 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...newest]]
      : []),
    ['npx', 'vitest', 'run', ...chosenTests],
  ];
  return steps.every(
    ([command = '', ...words]) => spawnSync(command, words, { cwd: copy, env, stdio: 'inherit' }).status === 0,
  );
}

function majorOf(node: string): number {
  return Number(execFileSync(node, ['-p', 'process.versions.node']).toString().split('.')[0]);
}

function splitAt(words: readonly string[], separator: string): string[][] {
  const at = words.indexOf(separator);
  return at === -1 ? [[...words], []] : [words.slice(0, at), words.slice(at + 1)];
}
