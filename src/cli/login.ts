/** `citewire login`: a link that signs a browser in, alone on standard output. Works on the store itself; any server on it honours the link. */

import type { Account } from '../access/access-records.ts';
import { developmentAccount } from '../access/accounts.ts';
import { signInUrl } from '../access/browser/sessions.ts';
import type { Config } from '../base/config.ts';
import { withAccounts } from './accounts.ts';

export interface LoginOptions {
  readonly account?: string;
  /** Where the server is, where PUBLIC_URL, HOST and PORT do not say so. */
  readonly server?: string;
}

export function login({ account, server }: LoginOptions, config: Config): Promise<number> {
  return withAccounts(config, async (accounts, sessions) => {
    const id = account ?? theAccount(await accounts.listAccounts());
    const { link, expires_at } = await sessions.issueLink(id);
    process.stdout.write(`${signInUrl(server ?? addressOf(config), link)}\n`);
    process.stderr.write(`Signs one browser in to account ${id}, once, until ${expires_at}.\n`);
  });
}

/** The only one there is, or the one that the first start made. */
function theAccount(all: readonly Account[]): string {
  const found = all.length === 1 ? all[0] : all.find(({ id }) => id === developmentAccount);
  if (found !== undefined) return found.id;
  throw new Error('Expected --account <id>; `citewire accounts list` shows those there are.');
}

function addressOf({ publicUrl, host, port }: Config): string {
  if (publicUrl !== undefined) return publicUrl;
  if (port === 0) throw new Error('Expected --server <url>: with PORT=0 only the server knows its port.');
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
