/** The stores over which servers are killed: what their settings are, and how what these name is stopped. */
import { hasPostgres, openPostgresServer } from './postgres.ts';
import { hasRedis, startRedis } from './redis.ts';

export interface CrashStore {
  readonly name: string;
  readonly isThere: boolean;
  /** Whether several servers can share it. */
  readonly isShared: boolean;
  open(): Promise<{ env: Record<string, string>; close(): Promise<void> }>;
}

export const crashStores: readonly CrashStore[] = [
  { name: 'SQLite', isThere: true, isShared: false, open: async () => ({ env: {}, close: async () => {} }) },
  {
    name: 'Postgres and Redis',
    isThere: hasPostgres && hasRedis,
    isShared: true,
    async open() {
      const [postgres, redis] = await Promise.all([openPostgresServer(), startRedis()]);
      return {
        env: { DATABASE_URL: await postgres.fresh(), REDIS_URL: redis.url },
        async close() {
          await redis.stop();
          await postgres.stop();
        },
      };
    },
  },
];
