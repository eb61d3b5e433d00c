/** One relay of bench/peers in a separate process: `relay-process.ts <name> <upstream> <streams>`. */
import { serve } from './processes.ts';
import type { Relay, StartRelay } from './relay.ts';

export type RelayApi = { address(): Omit<Relay, 'close'> };

const [name, upstream = '', streams = '1'] = process.argv.slice(2);
const { default: startRelay } = (await import(`../peers/${name}.ts`)) as { default: StartRelay };
const { close, ...address } = await startRelay(upstream, Number(streams));
serve<RelayApi>({ address: () => address }, close);
