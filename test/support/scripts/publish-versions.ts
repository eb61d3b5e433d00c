/** Publishes 25 versions of the stub `one` of account `a`; prints the number of each. */
import { openStore, type StoreOptions } from '../../../src/store/store.ts';
import { publishedVersion } from '../published-version.ts';

const { designs, close } = await openStore(JSON.parse(process.argv[2]!) as StoreOptions);
for (let round = 0; round < 25; round++) {
  const number = await designs.publish({ ...publishedVersion, content: `${process.pid} ${round}` }, async () => '[]');
  process.stdout.write(`${number}\n`);
}
await close();
