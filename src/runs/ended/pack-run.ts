/**
 * What late readers need of an ended run, as compressed bytes instead of a few hundred objects: a search that took 26 KB
 * takes a few. What the terminal event repeats is serialised once, because it is the same objects; as JSON, packing took
 * half as long again.
 */
import { deserialize, serialize } from 'node:v8';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { TerminalEvent } from '../../../protocol/index.ts';
import { type Entry, frameText, indexOf, type RunLog } from '../log.ts';
import { stateOf } from '../replay.ts';
import type { Run } from '../run.ts';
import { type AboutRun, endedRun } from './ended-run.ts';

/** Brotli at this quality takes about half the time of deflate at its fastest level, for as many bytes; higher ones save little more. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };

interface Packed {
  readonly about: AboutRun;
  /** All of the log; the last one has the terminal event. */
  readonly entries: readonly Entry[];
}

/** `run` must have ended. */
export function packRun({ search_id, account_id, created_at, prompts, attempt, echoed, log }: Run): Buffer {
  const entries: Entry[] = [];
  for (let entry = log.entry(1); entry !== undefined; entry = log.entry(entry.seq + 1)) entries.push(entry);
  const packed: Packed = { about: { search_id, account_id, created_at, prompts, attempt, echoed }, entries };
  return brotliCompressSync(serialize(packed), { params });
}

/** The same run, with the same entries in its log. */
export function unpackRun(bytes: Buffer): Run {
  const { about, entries } = deserialize(brotliDecompressSync(bytes)) as Packed;
  const terminal = entries.at(-1)!.event as TerminalEvent;
  return endedRun(about, endedLog(about.search_id, entries, terminal), stateOf(terminal));
}

/** Nothing can be appended, and subscribers are never called. */
function endedLog(search_id: string, entries: readonly Entry[], terminal: TerminalEvent): RunLog {
  const head = entries.at(-1)!.seq;
  const refuse = () => {
    throw new Error(`search ${search_id} has ended`);
  };
  return {
    search_id,
    head: () => head,
    terminal: () => terminal,
    append: refuse,
    adopt: refuse,
    entry: (seq) => (seq < 1 || seq > head ? undefined : entries[indexOf(entries, seq)]),
    text: (entry) => frameText(search_id, entry),
    subscribe: () => () => {},
    watch: () => () => {},
  };
}
