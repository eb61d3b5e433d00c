/**
 * The server's log on standard error: JSON lines, or short readable lines at a terminal. Every field that can hold a
 * credential is removed here, wherever it came from. The readable lines are written by hand: pino-pretty brings thirteen
 * packages, and a server needs none of what they add to the two functions below.
 */
import { stripVTControlCharacters } from 'node:util';
import { type Logger, pino } from 'pino';

export type Log = Logger;

/** `auto` is `pretty` at a terminal and `json` elsewhere. */
export const logFormats = ['auto', 'pretty', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

export interface LogOptions {
  readonly format?: LogFormat;
  readonly out?: NodeJS.WriteStream;
}

const secrets = [
  '*.api_key',
  '*.ticket',
  '*.plaintext',
  '*.link',
  '*.cookie',
  '*.csrf_token',
  '*.headers["x-api-key"]',
  '*.authorization',
];

/** `level` is a pino level or `silent`. */
export function createLog(level: string, { format = 'auto', out = process.stderr }: LogOptions = {}): Log {
  const options = { level, redact: { paths: secrets, censor: '[removed]' }, base: null };
  const isPretty = format === 'pretty' || (format === 'auto' && out.isTTY);
  if (!isPretty) return pino(options, out);
  const hasColour = out.isTTY && out.hasColors();
  return pino(options, { write: (line: string) => out.write(forPeople(line, hasColour)) });
}

const colours: Readonly<Record<string, string>> = {
  fatal: '\x1b[31m',
  error: '\x1b[31m',
  warn: '\x1b[33m',
  info: '\x1b[32m',
};

function forPeople(line: string, hasColour: boolean): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const name = pino.levels.labels[Number(level)] ?? '';
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const fields = Object.entries(rest).map(([key, value]) => ` ${key}=${oneLine(value)}`);
  const fault = err === undefined ? '' : `\n${describeFault(err)}`;
  const colour = hasColour ? (colours[name] ?? '\x1b[90m') : '';
  const label = `${colour}${name.padEnd(5)}${colour === '' ? '' : '\x1b[0m'}`;
  return `${clock} ${label} ${forTerminal(`${msg}${fields.join('')}${fault}`)}\n`;
}

/** The stack of an error; anything else can be thrown too. */
function describeFault(err: unknown): string {
  const stack = typeof err === 'object' && err !== null && 'stack' in err ? err.stack : undefined;
  if (typeof stack === 'string') return stack;
  return typeof err === 'string' ? err : JSON.stringify(err);
}

function oneLine(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[\r\n]+/g, ' ') : JSON.stringify(value);
}

/** Texts of others may hold sequences that a terminal would obey. */
function forTerminal(text: string): string {
  return stripVTControlCharacters(text).replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}
