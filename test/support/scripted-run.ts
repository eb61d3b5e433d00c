/** A run whose events come from the test one by one, and what a reader of its log gets. */
import { isTerminal, noUsage, type SearchEvent, type SearchFrame } from '../../protocol/index.ts';
import type { RunLog } from '../../src/runs/log.ts';
import { nextEntry } from '../../src/runs/next-entry.ts';
import type { Registry } from '../../src/runs/registry.ts';
import type { Run } from '../../src/runs/run.ts';
import type { StartOptions } from '../../src/runs/start-options.ts';

export interface ScriptedRun {
  readonly run: Run;
  /** Resolves when the events are in the log. */
  give(...events: SearchEvent[]): Promise<void>;
  /** Appends to the answer. */
  say(text: string): Promise<void>;
  /** Ends it as completed, with what was said. */
  complete(): Promise<void>;
}

export const accountOf = { account_id: 'acc_one', other: 'acc_two' } as const;

const timings = { total_ms: 1, stages: {} };

/** Starts a run that lasts until a terminal event is given or it is aborted. */
export async function startScriptedRun(runs: Registry, options: Partial<StartOptions> = {}): Promise<ScriptedRun> {
  const waiting: SearchEvent[] = [];
  let wake = () => {};
  let answer = '';
  const run = await runs.start(
    {
      account_id: accountOf.account_id,
      request_id: 'r_test',
      prompts: ['What?'],
      mode: 'text',
      engine: 'scripted',
      deadline_ms: 60_000,
      onDisconnect: 'continue',
      grace_ms: 100,
      idempotency: undefined,
      ...options,
    },
    async function* (_, signal) {
      signal.addEventListener('abort', () => wake());
      while (!signal.aborted) {
        for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
          yield event;
          if (isTerminal(event)) return;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (waiting.length > 0 || signal.aborted) resolve();
        });
      }
    },
  );

  async function give(...events: SearchEvent[]): Promise<void> {
    const head = run.log.head() + waiting.length + events.length;
    waiting.push(...events);
    wake();
    while (run.log.head() < head && run.log.terminal() === undefined) await new Promise(setImmediate);
  }

  return {
    run,
    give,
    say(text) {
      const from = answer.length;
      answer += text;
      return give({ type: 'answer.delta', block: 'b1', from, text });
    },
    complete() {
      const rest = { sources: [], citations: [], usage: noUsage, timings };
      const result = { search_id: run.search_id, status: 'answered' as const, answer, ...rest };
      const kind = 'markdown';
      const done: SearchEvent = { type: 'answer.block.done', block: 'b1', kind, text: answer, citations: [] };
      const last: SearchEvent = { type: 'search.completed', status: 'answered', result, ...rest };
      return answer === '' ? give(last) : give(done, last);
    },
  };
}

/** All frames of the log after the sequence number `after`, merged as for a reader. */
export function readFrames(log: RunLog, after = 0): SearchFrame[] {
  const frames: SearchFrame[] = [];
  for (let entry = nextEntry(log, after); entry !== undefined; entry = nextEntry(log, entry.seq)) {
    frames.push(JSON.parse(log.text(entry)));
  }
  return frames;
}
