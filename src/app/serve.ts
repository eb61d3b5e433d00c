/**
 * Starts the server process and stops it cleanly. The first start creates a key and prints it once. The documentation of the
 * installed packages is indexed in the background, so that a new server can answer questions right away.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { shellQuoted } from '../../protocol/sample-code.ts';
import { developmentAccount } from '../access/accounts.ts';
import { reachableUrl } from '../base/addresses.ts';
import type { Config } from '../base/config.ts';
import { createLog } from '../base/log.ts';
import { commandName } from '../base/own-package.ts';
import { type App, startApp } from './app.ts';
import { endProcessAfter, endProcessBy } from './end-process.ts';
import { firstScreen } from './first-screen.ts';
import { indexPackages } from './installed-packages.ts';
import { warnOfLeftBehind, warnOfUnusedKeys } from './left-behind.ts';
import { openBrowser } from './open-browser.ts';
import { defaultWiki } from './parts/open-providers.ts';

export interface ServeOptions {
  /** Whether to open a browser that is signed in. */
  readonly open?: boolean;
}

/**
 * By how much each thread's heap grows before it is collected, percent of what is in use. Where there is much memory, V8 lets it
 * grow to four times that: after 1,500 searches, 460 MiB were resident instead of 362 (`npm run bench -- throughput --memory`).
 */
const heapGrowingPercent = 30;

/**
 * How much bytecode a function runs, three times over, before V8 optimises it, in bytes; three times V8's default. Most
 * functions of a search run only a few times in it. Closures are created for each search, and every collection drops the
 * optimised code of those that are gone, so that it is compiled again and again: with this budget, two runs of a few
 * thousand searches took 11 and 12 % less CPU, and no more from the start on.
 */
const interruptBudget = 200_000;
/** Newer versions of V8 have a compiler in between, with other budgets. */
const measuredWithV8 = /^11\./;

/**
 * Max. time from the first signal until the process is ended, with the grace time and closing, and from the second. Below
 * the 45 s of ops/; set by hand.
 */
const maxStopMs = 40_000;
const maxCloseMs = 5_000;

/**
 * Runs until SIGTERM or SIGINT and resolves with the exit code; during the start they end the process. Rejects when the server
 * cannot start.
 */
export async function serve(config: Config, { open = false }: ServeOptions = {}): Promise<number> {
  // Before the threads start.
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  // The flag that Node was started with is for the main thread: it would override the limits of the threads.
  setFlagsFromString('--max-semi-space-size=0');
  if (measuredWithV8.test(process.versions.v8)) setFlagsFromString(`--interrupt-budget=${interruptBudget}`);
  const log = createLog(config.logLevel, { format: config.logFormat });
  // An error in one search must not end all the others.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  const signals = receiveSignals();
  let isStarting = true;
  signals.first.then((signal) => {
    if (!isStarting) return;
    // A migration, here or on another server, may take long. Whatever it leaves, the next start takes as after a crash.
    log.info({ signal }, 'stopped before the start was complete');
    endProcessBy(signal);
  });
  const providers = { ...config.providers, mediawiki: config.providers.mediawiki ?? defaultWiki };
  const app = await startApp({ ...config, providers }, log);
  isStarting = false;
  warnOfUnusedKeys(config, log);
  const out = process.stdout;
  const key = app.developmentKey?.plaintext;
  const account = (await hasDevelopmentAccount(app)) ? developmentAccount : '<id>';
  // Output that is not a terminal may be a log that others read: it gets a link with the key, at the first start, and no other.
  const isShown = account === developmentAccount && (out.isTTY || key !== undefined);
  // The account may be suspended; `login` prints links for other accounts.
  const link = isShown ? await app.signInLink(developmentAccount).catch(() => undefined) : undefined;
  const indexing = new AbortController();
  const indexed = Promise.all([
    indexPackages(app.corpus, log, indexing.signal),
    warnOfLeftBehind(config, app.corpus, log, indexing.signal),
  ]);
  // Not awaited: a signal must not wait for it.
  if (out.isTTY) {
    const about = { url: app.url, key, account, link, config: { ...config, providers }, hasColour: out.hasColors() };
    void exampleInTime(exampleFor(app)).then((example) => out.write(firstScreen({ ...about, example })));
  } else {
    out.write(welcome(app.url, key, account, link));
    void exampleFor(app).then((example) => out.write(tryIt(reachableUrl(app.url), key, example)));
  }

  if (open) {
    // A link of its own: each signs in one browser, and the one that is shown should still do so.
    const own = await app.signInLink(developmentAccount).catch(() => app.url);
    openBrowser(own, () => process.stderr.write('citewire: no browser could be opened here; open the link instead.\n'));
  }
  const signal = await signals.first;
  log.info({ signal }, 'stopping: running searches have 30 s to finish; send another signal to stop immediately');
  indexing.abort();
  endProcessAfter(maxStopMs, log);
  signals.second.then(() => {
    endProcessAfter(maxCloseMs, log);
    return app.close(0);
  });
  await Promise.all([app.close(), indexed]);
  return 0;
}

/** The first two signals to stop. They are received until the process has ended: one in between must not end it by default. */
function receiveSignals(): { readonly first: Promise<NodeJS.Signals>; readonly second: Promise<NodeJS.Signals> } {
  const waiting: ((signal: NodeJS.Signals) => void)[] = [];
  const first = new Promise<NodeJS.Signals>((resolve) => waiting.push(resolve));
  const second = new Promise<NodeJS.Signals>((resolve) => waiting.push(resolve));
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, (signal) => waiting.shift()?.(signal));
  return { first, second };
}

/** It does not exist where the first account was made by a command. */
async function hasDevelopmentAccount({ accounts, developmentKey }: App): Promise<boolean> {
  return developmentKey !== undefined || (await accounts.listKeys(developmentAccount).catch(() => [])).length > 0;
}

/** Stands for an example where there is none, or none in time. */
const anyQuestion = '<your question>';

/** How often the suggestions are waited for, two seconds each; set by hand. */
const maxAttempts = 2;

/** A question that the index answers, never rejecting; on a new server, one that it answers as soon as it is filled. */
async function exampleFor({ corpus, suggestions }: App): Promise<string> {
  const sources = await corpus.sources().catch(() => []);
  if (sources.length === 0) return 'What is Citewire?';
  // A cold start takes longer than callers of a running server should wait.
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { questions } = await suggestions().catch(() => ({ questions: [] }));
    if (questions[0] !== undefined) return questions[0];
  }
  return anyQuestion;
}

/** How long a terminal waits for the example, ms; set by hand: longer looks as if nothing happened. */
const exampleMs = 1_500;

/** The example, or after a while a substitute for it. */
function exampleInTime(example: Promise<string>): Promise<string> {
  return Promise.race([example, sleep(exampleMs, anyQuestion, { ref: false })]);
}

function welcome(url: string, key: string | undefined, account: string, link: string | undefined): string {
  const about =
    key === undefined
      ? `Keys are shown only when they are created. For another: ${commandName} keys create --account ${account}`
      : `Your development key, shown only once: ${key}`;
  const dashboard =
    link === undefined
      ? `For a sign-in link to the dashboard: ${commandName} login --account ${account}`
      : `Sign in with a browser, once, within 10 minutes (for a new link: ${commandName} login):\n  ${link}`;
  return `Citewire is listening on ${url}
${about}
${dashboard}
`;
}

function tryIt(url: string, key: string | undefined, example: string): string {
  const shown = key ?? '<API_KEY>';
  return `
Try it:
  curl -s ${url}/v1/search -H 'X-API-Key: ${shown}' -H 'Content-Type: application/json' \\
    -d ${shellQuoted(JSON.stringify({ prompt: example }))}

`;
}
