/** What /proc says of another process of this machine; unknown where there is no /proc. */
import { readFileSync } from 'node:fs';

/** The memory of a process that it shares with no other, MiB; 0 where that is not known. */
export function ownMemoryMb(pid: number): number {
  try {
    const [, kib] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The CPU time of a process since its start, ms; not a number where that is not known. */
export function cpuMsOf(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // See proc(5): after the name, which may contain anything, utime and stime are the 12th and 13th, in hundredths of a second.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return Number.NaN;
  }
}
