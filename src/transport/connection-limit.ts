/**
 * How many connections a server holds at a time. Each takes a file descriptor; if they took all of them, the database, the
 * index, Redis and the calls to models would fail as well. So some are kept in reserve, and connections beyond the rest are
 * refused. While few are left, connections are not kept open after their answer.
 */
import { readFileSync } from 'node:fs';

export interface ConnectionLimit {
  /** Counts a new connection. Returns false if it must be closed; it is counted until then. */
  open(): boolean;
  /** Uncounts it. */
  close(): void;
  /** Whether connections are to be closed after their answer. */
  isScarce(): boolean;
}

export interface ConnectionLimitOptions {
  /** Maximum connections; `maxConnections()` by default. */
  readonly max?: number;
  /** Called with `max` when a connection is refused, at most once a minute. */
  readonly onRefused: (max: number) => void;
}

/** Set by hand: a busy server holds about 100 descriptors; the rest is for its calls to pages and models. */
const reservedDescriptors = 256;
/** Set by hand: the last quarter is for new connections. */
const scarceFrom = 0.75;
const noticeMs = 60_000;

/** Counts connections, whichever server accepts them. */
export function createConnectionLimit({ max = maxConnections(), onRefused }: ConnectionLimitOptions): ConnectionLimit {
  let count = 0;
  let noticedAt = Number.NEGATIVE_INFINITY;
  return {
    open() {
      count += 1;
      if (count <= max) return true;
      const now = performance.now();
      if (now - noticedAt >= noticeMs) {
        noticedAt = now;
        onRefused(max);
      }
      return false;
    },
    close() {
      count -= 1;
    },
    isScarce: () => count > max * scarceFrom,
  };
}

/**
 * The limit of descriptors minus the reserve, but at least half of the limit. `limit` is that of this process by default.
 */
export function maxConnections(limit = descriptorLimit()): number {
  return Math.max(limit - reservedDescriptors, Math.floor(limit / 2));
}

/** The soft limit of file descriptors; Infinity where there is none, as on Windows. */
export function descriptorLimit(): number {
  const soft = Number(limitInProc() ?? limitInReport());
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft;
}

/** The limit in /proc: a number or "unlimited"; undefined where there is no /proc. */
function limitInProc(): string | undefined {
  try {
    return /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** The limit in Node's report about this process. It takes 30 ms, because all threads are asked for theirs. */
function limitInReport(): number | string | undefined {
  // Missing from the types: without it, a report looks up the host names of all connections.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  report.excludeNetwork = excludeNetwork;
  return userLimits?.open_files?.soft;
}
