/** MiniSearch, in memory, with its defaults and a heavier title, and Fastify. */
import Fastify from 'fastify';
import MiniSearch from 'minisearch';
import {
  type IndexedPassage,
  type Retrieved,
  retrievedPassages,
  type StartRetrieval,
} from '../throughput/retrieval.ts';

const startMiniSearch: StartRetrieval = async (_, passages) => {
  const search = new MiniSearch<IndexedPassage>({ fields: ['title', 'text'], storeFields: ['url', 'title', 'text'] });
  search.addAll(passages());
  const server = Fastify({ forceCloseConnections: true });
  server.post<{ Body: { prompt: string } }>('/v1/search', ({ body }): Retrieved => {
    const found = search.search(body.prompt, { boost: { title: 2 } }).slice(0, retrievedPassages);
    return { passages: found.map(({ url, title, text }) => ({ url, title, text })) };
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => server.close() };
};
export default startMiniSearch;
