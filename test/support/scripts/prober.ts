/**
 * Asks a server for /healthz again and again over one keep-alive connection, in a process of its own so that a busy test does
 * not delay it. The parent's first message is a `ProbeTarget`; each later one is answered with the figures once the current
 * probe is over; after "restart" they are forgotten.
 *
 * A request that waits keeps the next ones from being sent, which would hide how many callers had to wait. So a late answer
 * also counts for each request that should have been sent meanwhile (the correction of HdrHistogram for a known interval).
 */
import { readFileSync } from 'node:fs';
import { Agent, type ClientRequest, get } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbeReport, ProbeTarget } from '../prober.ts';

const MiB = 1024 * 1024;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const ownDelay = monitorEventLoopDelay({ resolution: 1 });
const waited: number[] = [];
/** What the server's main thread computed while a probe waited: the part of the wait that the machine's other work is not. */
const computed: number[] = [];
const questions: ('report' | 'restart')[] = [];
let failures = 0;
let probes = 0;
let highestRss = 0;

process.once('message', (target: ProbeTarget) => {
  ownDelay.enable();
  process.on('message', (asked: 'report' | 'restart') => questions.push(asked));
  void probe(target);
});
process.once('disconnect', () => process.exit());

async function probe(target: ProbeTarget): Promise<void> {
  for (;;) {
    const begun = performance.now();
    const before = mainThreadMs(target.pid);
    if (!(await ask(target.url))) failures += 1;
    const took = performance.now() - begun;
    probes += 1;
    addFor(took, target.everyMs, waited);
    addFor(mainThreadMs(target.pid) - before, target.everyMs, computed);
    for (const asked of questions.splice(0)) {
      process.send!(report(target));
      if (asked === 'restart') forget();
    }
    // Often enough to see a peak, seldom enough to cost nothing.
    if (probes % 20 === 1) highestRss = Math.max(highestRss, residentBytes(target.pid));
    await sleep(Math.max(0, target.everyMs - took));
  }
}

/** Adds a wait, and those of the requests that should have been sent meanwhile. */
function addFor(wait: number, everyMs: number, to: number[]): void {
  to.push(wait);
  for (let ms = wait - everyMs; ms > 0; ms -= everyMs) to.push(ms);
}

/** Whether the answer is a 200. A kept connection that was closed when it was used again is replaced. */
function ask(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request: ClientRequest = get(`${url}/healthz`, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
      response.on('error', () => resolve(false));
    });
    request.on('error', () => {
      if (request.reusedSocket) ask(url).then(resolve);
      else resolve(false);
    });
  });
}

function forget(): void {
  waited.length = 0;
  computed.length = 0;
  probes = 0;
  failures = 0;
  highestRss = 0;
  ownDelay.reset();
}

function report({ pid }: ProbeTarget): ProbeReport {
  const quantiles = (values: readonly number[]) => {
    const sorted = Float64Array.from(values).sort();
    return (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
  };
  const [wait, loop] = [quantiles(waited), quantiles(computed)];
  const rss = residentBytes(pid);
  return {
    probes,
    failures,
    p50_ms: wait(0.5),
    p99_ms: wait(0.99),
    max_ms: wait(1),
    loop_p99_ms: loop(0.99),
    loop_max_ms: loop(1),
    own_max_ms: ownDelay.max / 1e6,
    rss_mb: rss / MiB,
    rss_max_mb: Math.max(highestRss, rss) / MiB,
  };
}

/** Of a process and its children, which share what is loaded from files; 0 where there is no /proc, or no such process any more. */
function residentBytes(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const children = readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  const own = children.reduce((sum, child) => sum + sizeOf(child, 'RssAnon'), 0);
  return sizeOf(pid, 'VmRSS') + own;
}

function sizeOf(pid: number | string, field: string): number {
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readText(`/proc/${pid}/status`)) ?? [];
  return 1024 * Number(kib ?? 0);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** How long the server's main thread, which runs its event loop, has been on a processor, ms; 0 where nobody counts that. */
function mainThreadMs(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    return 0;
  }
}
