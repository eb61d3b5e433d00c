/**
 * A Postgres with pgvector, compiled to WebAssembly, behind a real socket: few systems have a package of the extension for their
 * Postgres. It has one session, which its connections share in turn, so it shows what statements do and not how they compete.
 */
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

export interface VectorPostgres {
  /** Empties the database; resolves with its URL. */
  fresh(): Promise<string>;
  stop(): Promise<void>;
}

/** More connections than a corpus opens. */
const maxConnections = 40;

/** Listens on a free port of this machine. */
export async function startVectorPostgres(): Promise<VectorPostgres> {
  const database = await PGlite.create({ extensions: { vector } });
  const server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port: 0, maxConnections });
  await server.start();
  const url = `postgres://postgres@${server.getServerConn()}/postgres?sslmode=disable`;
  return {
    async fresh() {
      await database.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      return url;
    },
    async stop() {
      await server.stop();
      await database.close();
    },
  };
}
