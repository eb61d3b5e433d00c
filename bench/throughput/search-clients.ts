/**
 * Clients that search, in a separate process: each asks its next question as soon as the last one is answered, over HTTP as
 * JSON, over HTTP as events, or over WebSockets that stay open.
 */
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { WebSocket } from 'ws';
import { serve } from '../support/processes.ts';

export type Door = 'json' | 'sse' | 'ws';

export interface SearchLoad {
  readonly door: Door;
  /** Servers that take turns, each with its keys. */
  readonly servers: readonly { readonly url: string; readonly keys: readonly string[] }[];
  readonly questions: readonly string[];
  /** Searches to make, and how many of them at a time. */
  readonly count: number;
  readonly atATime: number;
}

export interface SearchTimes {
  /** Milliseconds from request to the complete answer, of each search. */
  readonly times: readonly number[];
  /** Of all together. */
  readonly seconds: number;
}

export type SearchClientsApi = {
  /** Rejects when a search fails. */
  run(load: SearchLoad): Promise<SearchTimes>;
};

/** A key may make 100 calls a minute, of this load and the one before. A client switches to another key after this many calls. */
const callsPerKey = 40;

/** Go on from one load to the next, so that each asks other questions than the last, with other keys. */
let asked = 0;
let places = 0;

function post(agent: Agent, url: string, key: string | undefined, prompt: string, accept: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', accept, ...(key === undefined ? {} : { 'x-api-key': key }) };
    const request = httpRequest(`${url}/v1/search`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`Expected 200; got ${response.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    request.on('error', reject);
    request.end(JSON.stringify({ prompt }));
  });
}

/** A socket that resolves each question with its last frame; one question at a time. */
async function openSocket(url: string, key: string | undefined) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws/search`, {
    headers: key === undefined ? {} : { 'x-api-key': key },
  });
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  socket.on('message', (data: Buffer) => {
    const frame = data.toString('utf8');
    if (frame.includes('"type":"search.completed"')) settle?.resolve();
    else if (/"type":"(?:search\.failed|search\.cancelled|error)"/.test(frame)) settle?.reject(new Error(frame));
  });
  socket.on('close', (code) => settle?.reject(new Error(`the socket was closed with ${code}`)));
  await once(socket, 'open');
  return {
    ask: (prompt: string) =>
      new Promise<void>((resolve, reject) => {
        settle = { resolve, reject };
        asked += 1;
        socket.send(JSON.stringify({ type: 'search.start', ref: String(asked), request: { prompt } }));
      }),
    close: () => socket.terminate(),
  };
}

interface Place {
  readonly url: string;
  readonly key: string | undefined;
}

/** The next server, with a key that has not been used for the longest time. */
function nextPlace({ servers }: SearchLoad): Place {
  const turn = places;
  places += 1;
  const { url, keys } = servers[turn % servers.length]!;
  return { url, key: keys[Math.floor(turn / servers.length) % keys.length] };
}

/** Makes the calls of one client, one after another. */
type Ask = (prompt: string) => Promise<unknown>;

/** Opens what the load needs, so that opening is not measured. */
async function open(load: SearchLoad): Promise<{ client(): Ask; close(): void }> {
  const { door, atATime, count } = load;
  if (door !== 'ws') {
    const accept = door === 'sse' ? 'text/event-stream' : 'application/json';
    // One for each load: a server closes connections that another load left idle.
    const agent = new Agent({ keepAlive: true });
    const client = (): Ask => {
      let place = nextPlace(load);
      let calls = 0;
      return (prompt) => {
        calls += 1;
        if (calls % callsPerKey === 0) place = nextPlace(load);
        return post(agent, place.url, place.key, prompt, accept);
      };
    };
    return { client, close: () => agent.destroy() };
  }
  const sockets: Awaited<ReturnType<typeof openSocket>>[] = [];
  for (let turn = 0; turn < Math.max(Math.min(count, atATime), Math.ceil(count / callsPerKey)); turn += 1) {
    const { url, key } = nextPlace(load);
    sockets.push(await openSocket(url, key));
  }
  const free = [...sockets];
  return {
    client: () => async (prompt) => {
      const socket = free.shift()!;
      await socket.ask(prompt);
      free.push(socket);
    },
    close: () => sockets.forEach((socket) => void socket.close()),
  };
}

serve<SearchClientsApi>({
  async run(load) {
    const { questions, count, atATime } = load;
    const { client, close } = await open(load);
    const times: number[] = [];
    const begun = performance.now();
    let next = 0;
    await Promise.all(
      Array.from({ length: Math.min(atATime, count) }, async () => {
        const ask = client();
        while (next < count) {
          next += 1;
          asked += 1;
          const sent = performance.now();
          await ask(questions[asked % questions.length]!);
          times.push(performance.now() - sent);
        }
      }),
    );
    const seconds = (performance.now() - begun) / 1000;
    close();
    return { times, seconds };
  },
});
