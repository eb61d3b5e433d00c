/**
 * The server's log on standard error: JSON lines, or short readable lines at a terminal. Every field that can hold a
 * credential is removed here, wherever it came from.
 */
import { type Logger, pino } from 'pino';

export type Log = Logger;

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
export function createLog(level: string, out: NodeJS.WriteStream = process.stderr): Log {
  const options = { level, redact: { paths: secrets, censor: '[removed]' }, base: null };
  return out.isTTY ? pino(options, { write: (line: string) => out.write(forPeople(line)) }) : pino(options, out);
}

function forPeople(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown> & { err?: { stack?: string } };
  const name = pino.levels.labels[Number(level)] ?? '';
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const fields = Object.entries(rest).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const fault = err?.stack === undefined ? '' : `\n${err.stack}`;
  return `${clock} ${name.padEnd(5)} ${msg}${fields.join('')}${fault}\n`;
}
