/**
 * Settings: environment → Config. This is the only file that reads the environment. An invalid value prevents the start
 * with one sentence: the setting, what was expected and what it was. Every setting has a row in docs/settings.md.
 */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import type { LogFormat } from './log.ts';
import { packageFolder } from './own-package.ts';
import { ConfigError } from './settings/config-error.ts';
import {
  type EmbeddingsConfig,
  embeddingSettings,
  type RerankConfig,
  readEmbeddingsConfig,
  readRerankConfig,
} from './settings/embedding-settings.ts';
import { type ModelConfig, modelSettings, readModelConfig } from './settings/model-settings.ts';
import { type ProviderConfig, providerSettings, readProviderConfig } from './settings/provider-settings.ts';
import { type ModelPrices, type PlanQuotas, quotaSettings } from './settings/quota-settings.ts';
import { serverSettings } from './settings/server-settings.ts';
import { type OidcConfig, readOidcConfig, signInSettings } from './settings/sign-in-settings.ts';
import {
  readTelemetryConfig,
  type TelemetryConfig,
  telemetrySettings,
  traceTargetSettings,
} from './settings/telemetry-settings.ts';

const settings = {
  ...serverSettings,
  ...modelSettings,
  ...embeddingSettings,
  ...providerSettings,
  ...quotaSettings,
  ...signInSettings,
  ...traceTargetSettings,
  ...telemetrySettings,
};

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Paths of PEM files, if the server itself speaks TLS. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** The origin at which browsers reach the server, if it is not its own address. */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  /** How long ended searches are kept; 0 for forever. */
  readonly keepSearchesDays: number;
  readonly databaseUrl: string | undefined;
  /** Where the index and the page cache are: in DATA_DIR, or in the Postgres of `databaseUrl`, which is then set. */
  readonly corpus: 'sqlite' | 'postgres';
  readonly redisUrl: string | undefined;
  readonly fetchAllowHosts: readonly string[];
  /** Folders that calls of administrators may index, with what is below them. */
  readonly sourceRoots: readonly string[];
  /** Ids of the accounts that may change what everybody's searches find. */
  readonly adminAccounts: readonly string[];
  /** Encrypts the signing secrets of webhooks. */
  readonly secretsKey: string | undefined;
  readonly allowedOrigins: readonly string[];
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly transport: 'auto' | 'uws' | 'node';
  readonly logLevel: string;
  readonly logFormat: LogFormat;
  readonly model: ModelConfig | undefined;
  /** For vectors of the corpus. */
  readonly embeddings: EmbeddingsConfig | undefined;
  readonly rerank: RerankConfig | undefined;
  readonly providers: ProviderConfig;
  /** By plan. */
  readonly quotas: { readonly [Plan in 'starter' | 'pro']?: PlanQuotas | undefined };
  readonly modelPrices: ModelPrices | undefined;
  /** The provider that people sign in with, beside links. */
  readonly oidc: OidcConfig | undefined;
  /** Where traces are exported. */
  readonly telemetry: TelemetryConfig | undefined;
}

/** Throws ConfigError for the first invalid value. An empty value counts as not set. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const value = <Name extends Setting>(name: Name): z.infer<(typeof settings)[Name]> => {
    const given = env[name]?.trim() || undefined;
    const parsed = settings[name].safeParse(given);
    if (parsed.success) return parsed.data as z.infer<(typeof settings)[Name]>;
    const shown = mayHoldSecret(name, given) ? 'another value, not shown here' : JSON.stringify(given);
    throw new ConfigError(`${name}: expected ${settings[name].description}; got ${shown}.`);
  };
  return {
    host: value('HOST'),
    port: value('PORT'),
    tls: readTls(value('TLS_CERT'), value('TLS_KEY')),
    publicUrl: value('PUBLIC_URL'),
    dataDir: resolve(value('DATA_DIR')),
    keepSearchesDays: value('KEEP_SEARCHES_DAYS'),
    databaseUrl: value('DATABASE_URL'),
    corpus: readCorpus(value('CORPUS'), value('DATABASE_URL')),
    redisUrl: value('REDIS_URL'),
    fetchAllowHosts: value('FETCH_ALLOW_HOSTS'),
    sourceRoots: value('SOURCE_ROOTS'),
    adminAccounts: value('ADMIN_ACCOUNTS'),
    secretsKey: value('SECRETS_KEY'),
    allowedOrigins: value('ALLOWED_ORIGINS'),
    trustedProxies: value('TRUSTED_PROXIES'),
    transport: value('TRANSPORT'),
    logLevel: value('LOG_LEVEL'),
    logFormat: value('LOG_FORMAT'),
    model: complete(readModelConfig(valuesOf(modelSettings, value))),
    embeddings: complete(readEmbeddingsConfig(valuesOf(embeddingSettings, value))),
    rerank: complete(readRerankConfig(valuesOf(embeddingSettings, value))),
    providers: readProviderConfig(valuesOf(providerSettings, value)),
    quotas: value('QUOTAS') ?? {},
    modelPrices: value('MODEL_PRICES'),
    oidc: complete(readOidcConfig(valuesOf(signInSettings, value))),
    telemetry: readTelemetryConfig(valuesOf(traceTargetSettings, value), () => valuesOf(telemetrySettings, value)),
  };
}

/** Throws ConfigError when only one of the two is set. */
function readTls(cert: string | undefined, key: string | undefined): Config['tls'] {
  if (cert !== undefined && key !== undefined) return { certFile: resolve(cert), keyFile: resolve(key) };
  if (cert === key) return undefined;
  const [missing, given] = cert === undefined ? ['TLS_CERT', 'TLS_KEY'] : ['TLS_KEY', 'TLS_CERT'];
  throw new ConfigError(`${missing}: expected a file, because ${given} is set; got nothing.`);
}

/** In Postgres if there is one. Throws ConfigError when the corpus should be there and there is none. */
function readCorpus(corpus: Config['corpus'] | undefined, databaseUrl: string | undefined): Config['corpus'] {
  if (databaseUrl !== undefined) return corpus ?? 'postgres';
  if (corpus !== 'postgres') return 'sqlite';
  throw new ConfigError('DATABASE_URL: expected a URL, because CORPUS is postgres; got nothing.');
}

/** The scheme at which the server itself is reached. */
export function schemeOf({ tls }: Pick<Config, 'tls'>): 'http' | 'https' {
  return tls === undefined ? 'http' : 'https';
}

/** URLs can contain passwords, and the headers of a search API its key. */
function mayHoldSecret(name: string, given = ''): boolean {
  return (
    /_(?:KEY|TOKEN|SECRET|OTLP_HEADERS)$|^(?:DATABASE_URL|REDIS_URL|SEARCH_HTTP|MODEL_HEADERS|MODEL_BODY)$/.test(
      name,
    ) || given.includes('@')
  );
}

/** The part itself. Throws ConfigError if reading it returned a sentence about what is missing. */
function complete<Part>(read: Part | string): Part {
  if (typeof read === 'string') throw new ConfigError(read);
  return read;
}

type Setting = keyof typeof settings;
type ReadSetting = <Name extends Setting>(name: Name) => z.infer<(typeof settings)[Name]>;

/** The values of a part of the settings. */
function valuesOf<Part extends Partial<typeof settings>>(part: Part, value: ReadSetting) {
  const values = Object.keys(part).map((name) => [name, value(name as Setting)]);
  return Object.fromEntries(values) as { [Name in keyof Part & Setting]: z.infer<(typeof settings)[Name]> };
}

/**
 * The folder where the command was given. npm runs the scripts of a clone in its folder, wherever it was called
 * (`npm run --prefix`), and says where that was; what other scripts start has a folder of its own.
 */
export function callersFolder(): string {
  const { INIT_CWD, npm_lifecycle_event: script } = process.env;
  const here = process.cwd();
  if (INIT_CWD === undefined || (script !== 'citewire' && script !== 'start')) return here;
  return packageFolder !== undefined && realpathSync(packageFolder) === realpathSync(here) ? INIT_CWD : here;
}

/** The names of all settings, for the test that compares them with docs/settings.md. */
export const settingNames = Object.keys(settings);

/** Must be called before the native server is loaded: its default limit of 4 KiB for all headers is too low for browsers. */
export function allowLargeHeaders(): void {
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= '16384';
}

/** Has SQLite keep its temporary files in this folder: that of the system may be small, and in memory. */
export function keepSqliteFilesIn(folder: string): void {
  process.env.SQLITE_TMPDIR = folder;
}
