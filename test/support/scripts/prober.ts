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
    if (!(await ask(target.url))) failures += 1;
    const took = performance.now() - begun;
    probes += 1;
    for (let ms = took; ms > 0; ms -= target.everyMs) waited.push(ms);
    for (const asked of questions.splice(0)) {
      process.send!(report(target));
      if (asked === 'restart') forget();
    }
    // Often enough to see a peak, seldom enough to cost nothing.
    if (probes % 20 === 1) highestRss = Math.max(highestRss, residentBytes(target.pid));
    await sleep(Math.max(0, target.everyMs - took));
  }
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
  probes = 0;
  failures = 0;
  highestRss = 0;
  ownDelay.reset();
}

function report({ pid }: ProbeTarget): ProbeReport {
  const sorted = Float64Array.from(waited).sort();
  const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
  const rss = residentBytes(pid);
  return {
    probes,
    failures,
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    max_ms: sorted.at(-1) ?? 0,
    own_max_ms: ownDelay.max / 1e6,
    rss_mb: rss / MiB,
    rss_max_mb: Math.max(highestRss, rss) / MiB,
  };
}

/** 0 where there is no /proc, or no such process any more. */
function residentBytes(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return 1024 * Number(kib ?? 0);
  } catch {
    return 0;
  }
}
