/**
 * Opens a store and creates keys until it or the database is killed, and prints each once it is stored. `first` prints the
 * development key of an empty store instead, and ends.
 */
import { createAccounts } from '../../../src/access/accounts.ts';
import { AppError } from '../../../src/base/errors.ts';
import { openStore, type StoreOptions } from '../../../src/store/store.ts';

const [where, mode] = process.argv.slice(2) as [string, 'first' | 'endless'];
const store = await openStore(JSON.parse(where) as StoreOptions);
const accounts = createAccounts({ records: store.access });

if (mode === 'first') {
  const made = await accounts.ensureDevelopmentKey();
  process.stdout.write(`${made?.plaintext ?? 'none'}\n`);
  await store.close();
} else {
  for (;;) {
    const made = await accounts.createKey({ name: 'endless', plan: 'starter' }).catch(unlessAway);
    if (made === undefined) break;
    process.stdout.write(`${made.plaintext}\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function unlessAway(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}
