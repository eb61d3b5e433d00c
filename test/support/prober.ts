/**
 * Watches a server from a separate process while a test attacks it: how long /healthz takes over a connection of its own, and
 * how much memory the server uses. Tests print the figures and assert only that every probe was answered, because the machine
 * may be busy: `own_max_ms` says how late the prober itself was.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { forkScript } from './processes/run-script.ts';

export interface ProbeTarget {
  readonly url: string;
  /** The server's process, to read its memory; only on Linux. */
  readonly pid: number | undefined;
  /** Milliseconds between two requests. */
  readonly everyMs: number;
}

/** Since the start or restart of the prober. Times in milliseconds, from the request to the end of its answer. */
export interface ProbeReport {
  readonly probes: number;
  /** Probes without an answer, or with another status than 200. */
  readonly failures: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  /**
   * What the main thread of the server computed between the request and the end of its answer: what is left of the times above
   * on a machine with nothing else to do. 0 if unknown.
   */
  readonly loop_p99_ms: number;
  readonly loop_max_ms: number;
  /** How late the prober's own event loop was at its worst. */
  readonly own_max_ms: number;
  /** Resident memory of the server and its child processes in MiB, now and at its highest; 0 if unknown. */
  readonly rss_mb: number;
  readonly rss_max_mb: number;
}

export interface Prober {
  report(): Promise<ProbeReport>;
  /** The same, and forgets the figures. */
  restart(): Promise<ProbeReport>;
  /** The same, and ends the prober. */
  stop(): Promise<ProbeReport>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Resolves when the first probe has been answered, or has failed. `await using` ends it. */
export async function startProber(target: Omit<ProbeTarget, 'everyMs'> & { everyMs?: number }): Promise<Prober> {
  const child = forkScript('prober');
  const exited = once(child, 'exit');
  child.send({ everyMs: 5, ...target } satisfies ProbeTarget);
  while ((await reportOf(child)).probes === 0);

  async function close(): Promise<void> {
    child.kill();
    await exited;
  }

  return {
    report: () => reportOf(child),
    restart: () => reportOf(child, 'restart'),
    async stop() {
      const report = await reportOf(child);
      await close();
      return report;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** The figures of a server that nobody attacks, for comparison: waits two seconds. */
export async function probeAtRest(prober: Prober): Promise<string> {
  await prober.restart();
  await sleep(2_000);
  return `At rest: ${describeProbes(await prober.restart())}`;
}

/** One line for the output of a test. */
export function describeProbes(report: ProbeReport): string {
  const { probes, failures, p50_ms, p99_ms, max_ms, loop_p99_ms, loop_max_ms, own_max_ms, rss_max_mb } = report;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const times = `p50 ${ms(p50_ms)}, p99 ${ms(p99_ms)}, max ${ms(max_ms)}`;
  const loop = `computed meanwhile by the loop: p99 ${ms(loop_p99_ms)}, max ${ms(loop_max_ms)}`;
  const own = `the prober itself up to ${ms(own_max_ms)} late`;
  return `/healthz ${times}; ${loop} (${probes} probes, ${failures} failed, ${own}); RSS up to ${rss_max_mb.toFixed(0)} MiB`;
}

async function reportOf(child: ChildProcess, ask: 'report' | 'restart' = 'report'): Promise<ProbeReport> {
  const answer = once(child, 'message');
  child.send(ask);
  const [report] = await answer;
  return report as ProbeReport;
}
