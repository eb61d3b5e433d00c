/**
 * `fetch` for the endpoints that the operator configured: models and search providers. Separate from the guarded fetcher,
 * for these may be private addresses; a page can never bring it to open anything. Redirects are not followed, so a key
 * never travels on. An event stream is handed over as the bytes come, without the layers of a web stream.
 */
import type { Readable } from 'node:stream';
import { Agent } from 'undici';

export interface TrustedFetch {
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

/** A response whose body is read from `stream` by whoever knows it is there. */
export interface StreamedResponse extends Response {
  readonly stream: Readable;
}

const mostBytes = 8 * 1024 * 1024;

/** Bodies come whole, up to 8 MB, but for `text/event-stream`. */
export function createTrustedFetch(): TrustedFetch {
  // Whoever calls sets the time; these only end what has been forgotten.
  const agent = new Agent({ connect: { timeout: 5_000 }, headersTimeout: 300_000, bodyTimeout: 300_000 });

  const trusted = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: (init.method ?? 'GET') as 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: (init.body ?? null) as string | null,
      signal: init.signal ?? null,
    });
    // A body that is given up on fails once more, with nobody left to hear it.
    answer.body.on('error', () => {});
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
    const status = answer.statusCode;
    if (status === 200 && headers.get('content-type')?.startsWith('text/event-stream')) {
      return Object.assign(new Response(null, { status, headers }), { stream: answer.body as Readable });
    }
    const text = await readText(answer.body);
    return new Response([101, 204, 205, 304].includes(status) ? null : text, { status, headers });
  };
  return { fetch: trusted as typeof fetch, close: () => agent.destroy() };
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) {
      body.destroy();
      throw new Error('The answer is larger than 8 MB.');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
