/** `citewire login`: works directly on the store; every server that uses the same store accepts the link. */
import { signInUrl } from '../../access/browser/sessions.ts';
import { runningServer } from '../../app/running-server.ts';
import { type Config, schemeOf } from '../../base/config.ts';
import { chooseAccount } from './choose-account.ts';
import { withAccess } from './with-access.ts';

export interface LoginOptions {
  readonly account?: string;
  /** Base URL of the server; by default PUBLIC_URL, else that of the running server, else from HOST and PORT. */
  readonly server?: string;
}

/**
 * Prints only a one-time sign-in link and resolves with the exit code. Rejects when the account or the URL of the server is
 * not clear from options and settings.
 */
export function login({ account, server }: LoginOptions, config: Config): Promise<number> {
  return withAccess(config, async ({ accounts, sessions }) => {
    const { id } = chooseAccount(await accounts.listAccounts(), account);
    const url = server ?? (await serverUrl(config));
    const { link, expires_at } = await sessions.issueLink(id);
    process.stdout.write(`${signInUrl(url, link)}\n`);
    process.stderr.write(`Signs one browser in to account ${id}, once. Expires at ${expires_at}.\n`);
  });
}

/** The base URL of the server that these settings belong to. Rejects when only a running one could know it. */
export async function serverUrl(config: Config): Promise<string> {
  return config.publicUrl ?? (await runningServer(config.dataDir)) ?? addressOf(config);
}

/** Where the server will listen. */
function addressOf(config: Config): string {
  const { host, port } = config;
  if (port === 0) {
    throw new Error('Expected --server <url>: with PORT=0 only a running server knows its port, and none runs here.');
  }
  return `${schemeOf(config)}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
