/**
 * Starts the process and stops it cleanly. The first start makes a key and shows it, once; the documentation that came
 * with the installed packages is indexed in the background, so that there is something to ask at once.
 */
import { developmentAccount, type NewKey } from '../access/accounts.ts';
import type { Config } from '../base/config.ts';
import { createLog, type Log } from '../base/log.ts';
import type { OpenCorpus } from '../corpus/corpus.ts';
import { startApp } from './app.ts';
import { installedPackages } from './installed-packages.ts';

/** Asked where nothing else was said: it needs no key. Searches of a server without a network never wait for it. */
const wikipedia = { url: 'https://en.wikipedia.org', optional: true } as const;

/** Runs until a signal ends it; resolves with the exit code. */
export async function serve(config: Config): Promise<number> {
  const log = createLog(config.logLevel);
  // One search's fault is no reason to end all the others.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection that nobody waited for'));
  const stopping = nextSignal();
  const app = await startApp({ ...config, mediawiki: config.mediawiki ?? wikipedia }, log);
  // Whoever has only accounts of their own asks for a link to one of them.
  const link = await app.signInLink(developmentAccount).catch(() => undefined);
  process.stdout.write(welcome(app.url, app.developmentKey, link));
  const indexing = new AbortController();
  const indexed = indexPackages(app.corpus, log, indexing.signal);

  const signal = await stopping;
  log.info({ signal }, 'stopping: running searches have 30 s to end; another signal ends them now');
  indexing.abort();
  nextSignal().then(() => app.close(0));
  await Promise.all([app.close(), indexed]);
  return 0;
}

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const heard = (signal: NodeJS.Signals) => {
      process.off('SIGTERM', heard);
      process.off('SIGINT', heard);
      resolve(signal);
    };
    process.on('SIGTERM', heard);
    process.on('SIGINT', heard);
  });
}

/**
 * Brings the documentation of the installed packages into an index that is empty, or up to date in one that has it: who
 * filled the index with something else, or took it out, is asked about that alone. Never rejects: without this
 * documentation the server works all the same.
 */
async function indexPackages(corpus: OpenCorpus, log: Log, signal: AbortSignal): Promise<void> {
  const path = installedPackages();
  if (path === undefined) return;
  let told = Date.now();
  try {
    const sources = await corpus.sources();
    if (sources.length > 0 && !sources.some(({ source }) => source.startsWith('packages:'))) {
      log.debug('the index was filled with something else: the documentation of the installed packages stays out');
      return;
    }
    const progress = await corpus.index(
      { kind: 'packages', path },
      {
        signal,
        onProgress({ done, total }) {
          if (Date.now() - told < 1_000) return;
          told = Date.now();
          log.info({ done, total }, 'indexing the documentation of the installed packages');
        },
      },
    );
    const { added, updated, removed } = progress;
    if (added + updated + removed > 0) {
      log.info({ ...(await corpus.stats()) }, 'the documentation of the installed packages is indexed');
    }
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the documentation of the installed packages could not be indexed');
  }
}

function welcome(url: string, key: NewKey | undefined, link: string | undefined): string {
  const shown = key?.plaintext ?? '<API_KEY>';
  const about =
    key === undefined
      ? 'Keys are shown once, when they are made; for another: npm run citewire -- keys create --plan pro'
      : `Your development key, shown this once: ${key.plaintext}`;
  const dashboard =
    link === undefined
      ? 'A link into the dashboard: npm run -s citewire -- login --account <id>'
      : `Dashboard, for one sign-in within 10 minutes (another: npm run -s citewire -- login):\n  ${link}`;
  return `Citewire listens on ${url}
${about}
${dashboard}

Try it:
  curl -s ${url}/v1/search -H 'X-API-Key: ${shown}' -H 'Content-Type: application/json' \\
    -d '{"prompt": "How do I set a request timeout in undici?"}'

`;
}
