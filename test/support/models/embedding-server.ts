/**
 * An endpoint for vectors and for reranking, over a real socket, with a small model of its own: each concept of a list of synonyms in
 * several languages has a direction, as has any other word, and a text has the sum of those of its words. So texts that say the same in
 * other words are close, and nothing else is claimed of it. It can be made to fail in the ways that endpoints do.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Words of one line are one concept. */
const concepts = [
  'car automobile voiture wagen coche',
  'doctor physician arzt médecin médico',
  'repair mend fix reparieren réparer',
  'cheap inexpensive billig günstig barato',
  'dog hound hund chien perro',
  'harbour port hafen puerto',
  'river stream fluss rivière río',
  'buy purchase kaufen acheter comprar',
  'house dwelling haus maison casa',
  'physicist physiker physicien',
].map((line) => line.split(' '));

/** As small function words say nothing of a topic. */
const stopWords = new Set(
  'the a an of in is are was who what which where when how does do can i my it to and for at on by with der die das wo wie was ein eine ist le la les un une est où el'.split(
    ' ',
  ),
);

export type EmbeddingFault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: 'html' | 'nan' | 'fewer' | 'dimensions' | 'hang' | 'zero' | 'reset' };

export interface EmbeddingServer {
  /** For EMBEDDINGS_BASE_URL and RERANK_BASE_URL. */
  readonly baseUrl: string;
  readonly calls: { readonly path: string; readonly authorization: string | undefined; readonly body: RequestBody }[];
  /** What the next calls get instead of an answer, until it is undefined. */
  fault: EmbeddingFault | undefined;
  /** What answers to questions and passages wait for. */
  ready: Promise<void> | undefined;
  /** The longest text in characters that it accepts. */
  maxText: number;
  dimensions: number;
  close(): Promise<void>;
}

interface RequestBody {
  readonly model: string;
  readonly input?: string[];
  readonly query?: string;
  readonly documents?: string[];
}

/** Starts it on a free port. */
export async function startEmbeddingServer(dimensions = 256): Promise<EmbeddingServer> {
  const calls: EmbeddingServer['calls'] = [];
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      calls.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
      await handle.ready;
      answer(handle, request.url ?? '', body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const handle: EmbeddingServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    fault: undefined,
    ready: undefined,
    maxText: Number.POSITIVE_INFINITY,
    dimensions,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return handle;
}

function answer(server: EmbeddingServer, path: string, body: RequestBody, response: ServerResponse): void {
  const send = (status: number, value: unknown, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  };
  const { fault } = server;
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') return void response.destroy();
  if (fault?.kind === 'status')
    return send(
      fault.status,
      { error: { message: `refused sk-secret` } },
      fault.retryAfter && { 'retry-after': fault.retryAfter },
    );
  if (fault?.kind === 'html') return send(200, '<html>Sign in</html>');
  if (path === '/v1/rerank') return send(200, rerank(body, server.dimensions, fault));
  if (path !== '/v1/embeddings') return send(404, { error: { message: 'not found' } });
  const input = body.input ?? [];
  if (input.some((text) => text.length > server.maxText))
    return send(400, { error: { message: 'the input exceeds the context' } });
  const length = fault?.kind === 'dimensions' ? server.dimensions + 3 : server.dimensions;
  const data = input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: [...embed(text, length)] as unknown[],
  }));
  if (fault?.kind === 'fewer') data.pop();
  if (fault?.kind === 'nan') data[0]!.embedding[1] = 'NaN';
  if (fault?.kind === 'zero') data[0]!.embedding.fill(0);
  send(200, {
    object: 'list',
    data,
    model: body.model,
    usage: { prompt_tokens: 7 * input.length, total_tokens: 7 * input.length },
  });
}

function rerank({ query = '', documents = [] }: RequestBody, dimensions: number, fault: EmbeddingFault | undefined) {
  const asked = embed(query, dimensions);
  const results = documents.map((text, index) => ({
    index,
    relevance_score: cosine(asked, embed(text, dimensions)) as unknown,
  }));
  if (fault?.kind === 'nan') results[0]!.relevance_score = 'NaN';
  if (fault?.kind === 'fewer') results[0]!.index = documents.length;
  return { results: results.sort((a, b) => Number(b.relevance_score) - Number(a.relevance_score)) };
}

async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

const directions = new Map<string, Float64Array>();

/** The vector of a text in this model. */
function embed(text: string, dimensions: number): Float64Array {
  const sum = new Float64Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (stopWords.has(word)) continue;
    const direction = directionOf(conceptOf(word), dimensions);
    for (let at = 0; at < dimensions; at += 1) sum[at]! += direction[at]!;
  }
  if (sum.every((value) => value === 0)) sum[0] = 1;
  return sum;
}

function conceptOf(word: string): string {
  const stem = word.replace(/(?:s|ed|ing)$/, '');
  return concepts.find((words) => words.includes(word) || words.includes(stem))?.[0] ?? stem;
}

/** Pseudo-random numbers around 0 from a hash of the concept. */
function directionOf(concept: string, dimensions: number): Float64Array {
  const key = `${dimensions} ${concept}`;
  const known = directions.get(key);
  if (known !== undefined) return known;
  const direction = new Float64Array(dimensions);
  for (let at = 0; at < dimensions; at += 32) {
    const bytes = createHash('sha256').update(`${concept} ${at}`).digest();
    for (let n = 0; n < 32 && at + n < dimensions; n += 1) direction[at + n] = bytes[n]! / 127.5 - 1;
  }
  directions.set(key, direction);
  return direction;
}

function cosine(a: Float64Array, b: Float64Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    dot += a[at]! * b[at]!;
    aa += a[at]! * a[at]!;
    bb += b[at]! * b[at]!;
  }
  return dot / Math.sqrt(aa * bb);
}
