/**
 * The real app, settings from the environment, over an index of the folder that it is given: `app.ts <folder> [keys]`. Prints
 * its address, that many keys of as many accounts on plan pro, and a sign-in link for the account of each.
 */
import { startApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/base/config.ts';
import { createLog } from '../../../src/base/log.ts';

const config = readConfig();
const app = await startApp(config, createLog(config.logLevel));
await app.corpus.index({ kind: 'folder', path: process.argv[2]! });
const keys: string[] = [];
const links: string[] = [];
for (let made = 0; made < Number(process.argv[3] ?? 0); made += 1) {
  const { plaintext, key } = await app.accounts.createKey({ name: `key ${made}`, plan: 'pro' });
  keys.push(plaintext);
  links.push(await app.signInLink(key.account_id));
}
process.once('SIGTERM', () => app.close());
process.stdout.write(`${JSON.stringify({ url: app.url, keys, links })}\n`);
