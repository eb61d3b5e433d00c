/** Settings of the server itself: where it listens, where it keeps its data, and which proxies it trusts. */
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { logFormats } from '../log.ts';
import { parsePostgresUrl } from '../postgres/hosts.ts';
import { parseRedisUrl } from '../redis/redis-url.ts';
import { commaSeparated, httpUrl } from './setting-values.ts';

const isOrigin = (text: string) => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;
const isHost = (text: string) => {
  const [, port = '0'] = /^(?:[^\s/@:*]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [text, '65536'];
  return +port <= 65_535;
};

const isNetwork = (text: string) => {
  const [address = '', bits, ...more] = text.split('/');
  const maxBits = { 4: 32, 6: 128 }[isIP(address)];
  if (maxBits === undefined || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= maxBits);
};

export const serverSettings = {
  HOST: z
    .string()
    .default('127.0.0.1')
    .refine((host) => host === 'localhost' || isIP(host) !== 0)
    .describe('an IP address or localhost'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8080).describe('a port from 0 to 65535; 0 picks a free one'),
  TLS_CERT: z.string().optional().describe('a file with a certificate'),
  TLS_KEY: z.string().optional().describe('a file with the key of TLS_CERT'),
  PUBLIC_URL: httpUrl
    .refine((url) => new URL(url).pathname === '/')
    .transform((url) => new URL(url).origin)
    .optional()
    .describe('a URL without a path, such as https://search.example.org'),
  DATA_DIR: z.string().default('data').describe('a folder for the database and the index'),
  KEEP_SEARCHES_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(90)
    .describe('a number of days; 0 keeps them forever'),
  DATABASE_URL: z
    .string()
    .refine((url) => parsePostgresUrl(url) !== undefined)
    .optional()
    .describe(
      'a URL such as postgres://citewire:password@127.0.0.1:5432/citewire, of one host or of several of which one accepts writes',
    ),
  CORPUS: z.enum(['sqlite', 'postgres']).optional().describe('sqlite or postgres'),
  REDIS_URL: z
    .string()
    .refine((url) => parseRedisUrl(url) !== undefined)
    .optional()
    .describe(
      'a URL such as redis://127.0.0.1:6379, redis+sentinel://10.0.0.1:26379,10.0.0.2:26379/name or redis+cluster://10.0.0.1:6379,10.0.0.2:6379',
    ),
  FETCH_ALLOW_HOSTS: commaSeparated
    .refine((hosts) => hosts.every(isHost))
    .describe('a comma-separated list of hosts or host:port, without wildcards'),
  SOURCE_ROOTS: commaSeparated
    .refine((folders) => folders.every((folder) => isAbsolute(folder)))
    .describe('a comma-separated list of absolute paths of folders'),
  ADMIN_ACCOUNTS: commaSeparated.default(['acc_development']).describe('a comma-separated list of account ids'),
  SECRETS_KEY: z.string().min(16).optional().describe('at least 16 characters that nobody can guess'),
  ALLOWED_ORIGINS: commaSeparated
    .refine((origins) => origins.every(isOrigin))
    .describe('a comma-separated list of origins such as https://example.org'),
  TRUSTED_PROXIES: commaSeparated
    .refine((proxies) => proxies.every(isNetwork))
    .describe('a comma-separated list of IP addresses or networks such as 10.0.0.0/8'),
  TRANSPORT: z.enum(['auto', 'uws', 'node']).default('auto').describe('auto, uws or node'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
  LOG_FORMAT: z.enum(logFormats).default('auto').describe('auto, pretty or json'),
};
