/** A search as Server-Sent Events: the native events, each with `id: <search_id>:<seq>`, or what a door makes of them. */
import { sessionLimits } from '../../../protocol/index.ts';
import type { Entry } from '../../runs/log.ts';
import type { Run } from '../../runs/run.ts';
import { eventStreamHeaders } from '../event-stream.ts';
import type { Headers, RequestHead } from '../exchange.ts';
import { startPump } from '../pump.ts';
import type { Context } from './context.ts';

/**
 * An entry of the log as events of a protocol, complete with their line breaks; empty if it has nothing to say there. Called
 * for each entry in order, so it may keep state; a reader that lags gets neighbouring deltas as one entry.
 */
export type EventFormat = (entry: Entry) => string;

export interface EventStream {
  /** The seq after which to begin; 0 by default. */
  readonly after?: number;
  /** By default the native events. */
  readonly format?: EventFormat;
  readonly headers?: Headers;
  /** Whether the connection is broken off where a search has no answer: some clients notice no other error. */
  readonly breaksOnFailure?: boolean;
}

/** Sends the events of a run. Resolves when the stream is over: the run has ended, or the client has left. */
export async function answerWithEvents(ctx: Context, run: Run, stream: EventStream = {}): Promise<void> {
  const { after = 0, format = nativeEvents(run), headers, breaksOnFailure = false } = stream;
  if (ctx.signal.aborted) return;
  const to = ctx.stream({
    ...eventStreamHeaders,
    'x-search-id': run.search_id,
    ...headers,
  });
  if (ctx.request.method === 'HEAD') return to.end();
  await new Promise<void>((resolve) => {
    const heartbeat = setInterval(() => {
      if (to.canWrite(8)) to.cork(() => to.write(': hb\n\n'));
    }, 1000 * sessionLimits.heartbeat_s);
    const finish = () => {
      clearInterval(heartbeat);
      pump.stop();
      to.end();
      resolve();
    };
    const pump = startPump({
      log: run.log,
      after,
      to,
      format: (entry) => {
        const text = format(entry);
        if (text !== '') heartbeat.refresh();
        return text;
      },
      onEnd() {
        if (breaksOnFailure && run.log.terminal()?.type !== 'search.completed') to.terminate();
        else finish();
      },
      // A stream that was ended would look complete.
      onStall: () => to.terminate(),
    });
    to.onDrain(() => pump.wake());
    to.onClose(finish);
  });
}

/** The events of `citewire.v1`. */
function nativeEvents({ search_id, log }: Run): EventFormat {
  return (entry) => `id: ${search_id}:${entry.seq}\nevent: ${entry.event.type}\ndata: ${log.text(entry)}\n\n`;
}

/** Whether the client accepts events instead of one answer. */
export function acceptsEvents({ headers }: RequestHead): boolean {
  return (headers.get('accept') ?? '').split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/event-stream' && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
  });
}
