/** Changes and publishes the design of account `a` until it is killed; prints number and hash of each published version. */
import { createDesigns } from '../../../src/designs/designs.ts';
import { openStore, type StoreOptions } from '../../../src/store/store.ts';

const [where, api_id] = process.argv.slice(2) as [string, string];
const designs = createDesigns((await openStore(JSON.parse(where) as StoreOptions)).designs, console.error);
const noExamples = () => Promise.reject(new Error('the design has no examples'));

async function publishOn(lane: number): Promise<never> {
  for (let round = 0; ; round++) {
    await designs.change('a', api_id, { name: `${process.pid} ${lane} ${round}` });
    const { version, content_hash } = await designs.publish('a', api_id, noExamples);
    process.stdout.write(`${version} ${content_hash}\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

await Promise.all([1, 2].map(publishOn));
