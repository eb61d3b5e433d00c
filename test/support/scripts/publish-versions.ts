/** Publishes 25 versions of the stub `one` of account `a`; prints the number of each. */
import { openStore, type StoreOptions } from '../../../src/store/store.ts';

const { designs, close } = await openStore(JSON.parse(process.argv[2]!) as StoreOptions);
const version = { api_stub: 'one', api_id: 'd', account_id: 'a', content_hash: 'h', words: '', published_at: '' };
for (let round = 0; round < 25; round++) {
  const number = await designs.publish({ ...version, content: `${process.pid} ${round}` });
  process.stdout.write(`${number}\n`);
}
await close();
