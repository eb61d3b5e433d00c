/**
 * Settings: environment → Config. The only reader of the environment; a value that does not fit stops the start with one
 * sentence that names the setting, what was expected and what came. Every name here has a row in the README.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';

const list = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

const isOrigin = (text: string) => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;
const isHost = (text: string) => /^[^\s/@:]+(:\d{1,5})?$/.test(text) || /^\[[0-9a-f:.]+\](:\d{1,5})?$/i.test(text);

const settings = {
  HOST: z.string().default('127.0.0.1').describe('the address to listen on'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8080).describe('a port from 0 to 65535; 0 takes a free one'),
  DATA_DIR: z.string().default('data').describe('a folder for the database and the index'),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe('a URL such as redis://127.0.0.1:6379'),
  FETCH_ALLOW_HOSTS: z
    .string()
    .default('')
    .transform(list)
    .refine((hosts) => hosts.every(isHost))
    .describe('hosts, or host:port, with commas between'),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform(list)
    .refine((origins) => origins.every(isOrigin))
    .describe('origins such as https://example.org, with commas between'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
};

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly redisUrl: string | undefined;
  readonly fetchAllowHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly logLevel: string;
}

/** A setting that does not fit. `message` is the sentence for whoever started the process. */
export class ConfigError extends Error {}

/** Throws ConfigError for the first value that does not fit. An empty value equals one that is not set. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const value = <Name extends keyof typeof settings>(name: Name): z.infer<(typeof settings)[Name]> => {
    const given = env[name]?.trim() || undefined;
    const parsed = settings[name].safeParse(given);
    if (parsed.success) return parsed.data as z.infer<(typeof settings)[Name]>;
    throw new ConfigError(`${name}: expected ${settings[name].description}; got ${JSON.stringify(given)}.`);
  };
  const host = value('HOST');
  if (host !== 'localhost' && isIP(host) === 0) {
    throw new ConfigError(`HOST: expected an IP address or localhost; got ${JSON.stringify(host)}.`);
  }
  return {
    host,
    port: value('PORT'),
    dataDir: resolve(value('DATA_DIR')),
    redisUrl: value('REDIS_URL'),
    fetchAllowHosts: value('FETCH_ALLOW_HOSTS'),
    allowedOrigins: value('ALLOWED_ORIGINS'),
    logLevel: value('LOG_LEVEL'),
  };
}

/** Every setting's name, for the test that holds them against the README. */
export const settingNames = Object.keys(settings);

/** Read by the native server when it is loaded: its own limit of 4 KiB for all headers is less than browsers send. */
export function allowLargeHeaders(): void {
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '16384';
}
