/** A real Redis Cluster of three servers on loopback, each with a third of the keys and no replica. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../servers/free-port.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface TestCluster {
  /** `redis+cluster://` with one of the nodes. */
  readonly url: string;
  readonly nodes: readonly TestRedis[];
  /** The node that has the key. */
  nodeOf(key: string): Promise<TestRedis>;
  stop(): Promise<void>;
}

const slots = 16_384;

/** Resolves when each node knows all slots. */
export async function startRedisCluster(): Promise<TestCluster> {
  const nodes: TestRedis[] = [];
  const busPorts: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const bus = await freePort();
    const own = ['--cluster-enabled', 'yes', '--cluster-port', String(bus), '--dir', temporaryFolder()];
    nodes.push(await startRedis([...own, '--cluster-node-timeout', '2000', '--bind', '127.0.0.1']));
    busPorts.push(bus);
  }
  const admins = nodes.map(({ port }) => new Redis(port, '127.0.0.1'));
  try {
    for (const [n, admin] of admins.entries()) {
      const [first, last] = [Math.ceil((n * slots) / 3), Math.ceil(((n + 1) * slots) / 3) - 1];
      await admin.call('CLUSTER', 'ADDSLOTSRANGE', first, last);
      if (n > 0) await admin.call('CLUSTER', 'MEET', '127.0.0.1', nodes[0]!.port, busPorts[0]!);
    }
    const states = () => Promise.all(admins.map(async (admin) => String(await admin.call('CLUSTER', 'INFO'))));
    const isWhole = (info: string) => info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3');
    while (!(await states()).every(isWhole)) await sleep(20);
  } finally {
    for (const admin of admins) admin.disconnect();
  }
  return {
    url: `redis+cluster://127.0.0.1:${nodes[1]!.port}`,
    nodes,
    async nodeOf(key) {
      const admin = new Redis(nodes[0]!.port, '127.0.0.1');
      const slot = Number(await admin.cluster('KEYSLOT', key));
      admin.disconnect();
      return nodes[Math.floor((slot * 3) / slots)]!;
    },
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
}
