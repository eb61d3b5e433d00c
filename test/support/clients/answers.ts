/** What a server answers to bytes that may be no request at all. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from '../start-app.ts';
import { connectRaw, statusesIn } from './raw-client.ts';

/** Statuses with which a server refuses what its parser does not accept; none of our handlers answers with them. */
const byParser: ReadonlySet<number> = new Set([100, 400, 431, 505]);

/** The statuses of all answers, and whether the server has closed the connection: `200 200 open`, `505 closed`, `closed`. */
export type Outcome = string;

/** Set by hand; only an outcome that nobody expected is waited for so long. */
const patienceMs = 5_000;

/**
 * Sends the parts one after the other and returns the outcome once it is one of `expected`, or when the server has closed
 * the connection, or after 5 s; before that, another request is answered, so that a late answer is seen as well.
 */
export async function outcomeOf(
  app: Pick<TestApp, 'url'>,
  parts: readonly (string | Uint8Array)[],
  expected: readonly Outcome[],
): Promise<Outcome> {
  const client = await connectRaw(app.url);
  client.socket.setNoDelay(true);
  let isClosed = false;
  const closed = client.ended.then(() => {
    isClosed = true;
  });
  const outcome = () => [...statusesIn(client.text()), isClosed ? 'closed' : 'open'].join(' ');
  for (const [at, part] of parts.entries()) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    client.send(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
  }
  // Rejects when the connection is closed.
  const arrived = client.until(() => expected.includes(outcome())).catch(() => closed);
  await Promise.race([arrived, sleep(patienceMs, undefined, { ref: false })]);
  await (await fetch(`${app.url}/healthz`)).text();
  const found = outcome();
  client.leave();
  await closed;
  return found;
}

/** How many requests an outcome says were handled. */
export function handledIn(outcome: Outcome): number {
  return outcome.split(' ').filter((word) => Number(word) > 0 && !byParser.has(Number(word))).length;
}

export interface AnswerCounts {
  /** Except for those about its own metrics. */
  readonly all: number;
  /** For one route. */
  readonly hidden: number;
}

/** Reads in a row with the same count after which it counts as final. */
const steadyReads = 4;

/** How many requests the server has answered, once it has answered those that have been sent. `hidden`: a route's name. */
export async function countAnswers(app: TestApp, hidden: string): Promise<AnswerCounts> {
  let counts = await readCounts(app, hidden);
  // Requests of connections that were cut may still be on their way.
  for (let same = 0; same < steadyReads; ) {
    const next = await readCounts(app, hidden);
    same = next.all === counts.all ? same + 1 : 0;
    counts = next;
  }
  return counts;
}

async function readCounts(app: TestApp, hidden: string): Promise<AnswerCounts> {
  const text = await (await app.get('/metrics')).text();
  const counts = { all: 0, hidden: 0 };
  for (const [, route, count] of text.matchAll(/^citewire_requests_total\{route="(\w+)",status="\d+"\} (\d+)$/gm)) {
    if (route !== 'metrics') counts.all += Number(count);
    if (route === hidden) counts.hidden += Number(count);
  }
  return counts;
}
