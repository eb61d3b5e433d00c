/**
 * `citewire doctor`: tries everything the server needs once, with the settings of this shell, and says for each failure what to
 * do. It changes nothing and may run beside a server. Nothing that it prints holds a secret.
 */
import { timeLimit } from '../../base/abort.ts';
import type { Config } from '../../base/config.ts';
import { version } from '../../base/own-package.ts';
import { ConfigError } from '../../base/settings/config-error.ts';
import { checkCertificate } from './certificate.ts';
import { type Check, type Finding, problem, reasonOf } from './check.ts';
import { createClockCheck } from './clock.ts';
import { checkDataFolder } from './data-folder.ts';
import { checkDatabase } from './database.ts';
import { checkEmbeddings } from './embeddings.ts';
import { checkModel } from './model.ts';
import { checkOidc } from './oidc.ts';
import { checkOpenFiles } from './open-files.ts';
import { checkPort } from './port.ts';
import { checkPostgres } from './postgres.ts';
import { checkProviders } from './providers.ts';
import { checkRedis } from './redis.ts';
import { checkNode, checkSqlite, checkTransport } from './runtime.ts';
import { checkSearchIndex } from './search-index.ts';

export interface DoctorOptions {
  readonly json?: boolean;
}

type NamedFinding = Finding & { readonly check: string };

const checks: Readonly<Record<string, Check>> = {
  node: checkNode,
  transport: checkTransport,
  sqlite: checkSqlite,
  'data folder': checkDataFolder,
  database: checkDatabase,
  postgres: checkPostgres,
  index: checkSearchIndex,
  redis: checkRedis,
  model: checkModel,
  embeddings: checkEmbeddings,
  providers: checkProviders,
  certificate: checkCertificate,
  'sign-in': checkOidc,
  'open files': checkOpenFiles,
  port: checkPort,
};

/** Longest time for one check, ms; set by hand: a model that is still being loaded takes a while. */
const checkMs = 60_000;

/** Prints one line for each finding, or one JSON object. Resolves with exit code 1 if there is a problem, else 0. */
export async function doctor({ json = false }: DoctorOptions, readConfig: () => Config): Promise<number> {
  const found: NamedFinding[] = [];
  const report = (name: string, findings: readonly Finding[]) => {
    for (const finding of findings) {
      const named = { check: name, ...finding };
      found.push(named);
      if (!json) process.stdout.write(lineOf(named, process.stdout));
    }
  };
  if (!json) process.stdout.write(`Citewire ${version} on ${process.platform}-${process.arch}\n\n`);
  const config = read(readConfig);
  if ('status' in config) report('settings', [config]);
  else {
    const clock = createClockCheck();
    const running = Object.entries(checks).map(
      ([name, check]) => [name, examine(check, config, clock.reportTime)] as const,
    );
    for (const [name, findings] of running) report(name, await findings);
    report('clock', [clock.finding()]);
  }
  const isWell = !found.some(({ status }) => status === 'problem');
  if (json) process.stdout.write(`${JSON.stringify({ ok: isWell, version, checks: found }, null, 2)}\n`);
  else process.stdout.write(summaryOf(found));
  return isWell ? 0 : 1;
}

/** An invalid setting is a finding of its own, not a reason to say nothing. */
function read(readConfig: () => Config): Config | Finding {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return problem(error.message, 'Correct the setting: docs/settings.md has them all.');
  }
}

async function examine(
  check: Check,
  config: Config,
  reportTime: (from: string, ms: number) => void,
): Promise<readonly Finding[]> {
  const signal = timeLimit(checkMs);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${checkMs / 1000} s`)));
  });
  late.catch(() => {});
  try {
    const found = await Promise.race([check({ config, signal, reportTime }), late]);
    return 'status' in found ? [found] : found;
  } catch (error) {
    return [problem(`The check itself failed: ${reasonOf(error)}.`, 'Report this as a bug in Citewire.')];
  }
}

const marks = {
  ok: ['ok', '\x1b[32m'],
  warning: ['warning', '\x1b[33m'],
  problem: ['PROBLEM', '\x1b[31m'],
  skipped: ['–', '\x1b[90m'],
} as const;

/** At a terminal, in colour and in lines of its width. */
function lineOf({ check, status, message, fix }: NamedFinding, out: NodeJS.WriteStream): string {
  const [mark, colour] = marks[status];
  const shown = mark.padEnd(9);
  const wrapped = (text: string, indent: number) => (out.isTTY ? wrap(text, indent, out.columns) : text);
  const line = `${out.isTTY && out.hasColors() ? `${colour}${shown}\x1b[0m` : shown}${check.padEnd(13)}${wrapped(message, 22)}\n`;
  return fix === undefined ? line : `${line}${' '.repeat(22)}→ ${wrapped(fix, 24)}\n`;
}

/** In a narrow terminal, lines of at least this many characters are easier to read than what fits; set by hand. */
const narrowest = 30;

/** The text in lines of `columns` characters at most, of which an indent takes some; longer words are not divided. */
function wrap(text: string, indent: number, columns: number): string {
  const width = Math.max(narrowest, columns - indent);
  const lines = text.match(new RegExp(`\\S.{0,${width - 1}}(?= |$)|\\S+`, 'g')) ?? [];
  return lines.join(`\n${' '.repeat(indent)}`);
}

function summaryOf(found: readonly NamedFinding[]): string {
  const count = (status: Finding['status'], one: string) => {
    const number = found.filter((each) => each.status === status).length;
    return `${number} ${one}${number === 1 ? '' : 's'}`;
  };
  return `\n${count('problem', 'problem')}, ${count('warning', 'warning')}.\n`;
}
