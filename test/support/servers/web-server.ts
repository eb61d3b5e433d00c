/**
 * A small web on loopback: pages, and search engines that find them, each with the API of a real one. Tests set which engine
 * fails and how; every request is recorded.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Engine, searchEngines, type WebHit } from './search-engines.ts';

export interface WebPage {
  readonly body: string | Buffer;
  readonly type?: string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Never answers. */
  readonly stall?: boolean;
  /** Answers after this time. */
  readonly ms?: number;
}

export type Trouble = 'error' | 'limited' | 'stall' | 'garbage' | 'empty';

export interface WebRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface WebServer {
  readonly url: string;
  /** `127.0.0.1:port`, for FETCH_ALLOW_HOSTS. */
  readonly host: string;
  readonly pages: Map<string, WebPage>;
  /** What an engine finds for a query: paths of pages, best first. By default all pages. */
  found: (engine: Engine, query: string) => readonly (string | WebHit)[];
  readonly trouble: Partial<Record<Engine, Trouble>>;
  readonly requests: WebRequest[];
  /** Requests to one path. */
  asked(path: string): WebRequest[];
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const engineAt = new Map<string, Engine>(
  (Object.keys(searchEngines) as Engine[]).flatMap((engine) => {
    const { route, more } = searchEngines[engine];
    return [route, ...(more === undefined ? [] : [more.route])].map((each) => [each, engine] as const);
  }),
);

/** `hosts` are the addresses to listen on, all on the port of the first. */
export async function startWebServer(
  pages: Record<string, string | WebPage> = {},
  hosts: readonly string[] = ['127.0.0.1'],
): Promise<WebServer> {
  const requests: WebRequest[] = [];
  const servers = hosts.map(() =>
    createServer((request, response) => void answer(request, response).catch(() => response.destroy())),
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? '/', self.url);
    const body = Buffer.concat(chunks).toString('utf8');
    requests.push({ path: url.pathname, query: url.searchParams, headers: request.headers, body });
    const engine = engineAt.get(`${request.method} ${url.pathname}`);
    if (engine !== undefined) return search(engine, `${request.method} ${url.pathname}`, url, body, response);
    const page = self.pages.get(url.pathname + url.search) ?? self.pages.get(url.pathname);
    if (page?.stall) return;
    if (page?.ms !== undefined) await new Promise((resolve) => setTimeout(resolve, page.ms));
    response.writeHead(page?.status ?? (page === undefined ? 404 : 200), {
      'content-type': page?.type ?? 'text/html; charset=utf-8',
      ...page?.headers,
    });
    response.end(page?.body ?? 'not here');
  }

  function search(engine: Engine, route: string, url: URL, body: string, response: ServerResponse): void {
    const trouble = self.trouble[engine];
    if (trouble === 'stall') return;
    if (trouble === 'error') return void response.writeHead(500).end('{}');
    if (trouble === 'limited') return void response.writeHead(429, { 'retry-after': '60' }).end('{}');
    if (trouble === 'garbage') return void response.end('<html>');
    const { query: read, answer, more } = searchEngines[engine];
    const query = read(url, body);
    const hits = trouble === 'empty' ? [] : self.found(engine, query);
    const found = hits.map((hit) => {
      const { url, ...more } = typeof hit === 'string' ? { url: hit } : hit;
      return { url: new URL(url, self.url).href, ...more };
    });
    const said = more?.route === route ? more.answer(found) : answer(found, self.url, trouble === 'empty');
    response.setHeader('content-type', typeof said === 'string' ? 'application/atom+xml' : 'application/json');
    response.end(typeof said === 'string' ? said : JSON.stringify(said));
  }

  let port = 0;
  for (const [i, server] of servers.entries()) {
    await new Promise<void>((resolve) => server.listen(port, hosts[i], resolve));
    port = (server.address() as AddressInfo).port;
  }
  const host = `${hosts[0]}:${port}`;
  const self: WebServer = {
    url: `http://${host}`,
    host,
    pages: new Map(
      Object.entries(pages).map(([path, page]) => [path, typeof page === 'string' ? { body: page } : page]),
    ),
    found: () => [...self.pages.keys()],
    trouble: {},
    requests,
    asked: (path) => requests.filter((request) => request.path === path),
    async close() {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
    [Symbol.asyncDispose]: () => self.close(),
  };
  return self;
}

/** A page of prose, each string a paragraph. */
export function article(title: string, ...paragraphs: string[]): string {
  const text = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><article><h1>${title}</h1>\n${text}</article></main></body></html>`;
}
