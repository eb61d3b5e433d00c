/** Orama, in memory, with its defaults and a heavier title, and Fastify. */
import { create, insertMultiple, search } from '@orama/orama';
import Fastify from 'fastify';
import { type Retrieved, retrievedPassages, type StartRetrieval } from '../throughput/retrieval.ts';

const startOrama: StartRetrieval = async (_, passages) => {
  const database = create({ schema: { url: 'string', title: 'string', text: 'string' } as const });
  await insertMultiple(
    database,
    passages().map(({ url, title, text }) => ({ url, title, text })),
  );
  const server = Fastify({ forceCloseConnections: true });
  server.post<{ Body: { prompt: string } }>('/v1/search', async ({ body }): Promise<Retrieved> => {
    const { hits } = await search(database, {
      term: body.prompt,
      properties: ['title', 'text'],
      boost: { title: 2 },
      limit: retrievedPassages,
    });
    return { passages: hits.map(({ document: { url, title, text } }) => ({ url, title, text })) };
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => server.close() };
};
export default startOrama;
