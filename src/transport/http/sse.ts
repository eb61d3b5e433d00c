/** A search as Server-Sent Events, one event a frame, with `id: <search_id>:<seq>`. */
import { sessionLimits } from '../../../protocol/index.ts';
import type { Run } from '../../runs/run.ts';
import type { RequestHead } from '../exchange.ts';
import { startPump } from '../pump.ts';
import type { Context } from './context.ts';

/** Sends the events after seq `after`. Resolves when the stream is over: the run has ended, or the client has left. */
export async function answerWithEvents(ctx: Context, run: Run, after: number): Promise<void> {
  if (ctx.signal.aborted) return;
  const stream = ctx.stream({
    'content-type': 'text/event-stream; charset=utf-8',
    // Proxies that compress or buffer would hold events back.
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-search-id': run.search_id,
  });
  if (ctx.request.method === 'HEAD') return stream.end();
  await new Promise<void>((resolve) => {
    const heartbeat = setInterval(() => {
      if (stream.canWrite(8)) stream.cork(() => stream.write(': hb\n\n'));
    }, 1000 * sessionLimits.heartbeat_s);
    const finish = () => {
      clearInterval(heartbeat);
      pump.stop();
      stream.end();
      resolve();
    };
    const pump = startPump({
      log: run.log,
      after,
      to: stream,
      format: ({ text, type, seq }) => {
        heartbeat.refresh();
        return `id: ${run.search_id}:${seq}\nevent: ${type}\ndata: ${text}\n\n`;
      },
      onEnd: finish,
      // A stream that was ended would look complete.
      onStall: () => stream.terminate(),
    });
    stream.onDrain(() => pump.wake());
    stream.onClose(finish);
  });
}

/** Whether the client accepts events instead of one answer. */
export function acceptsEvents({ headers }: RequestHead): boolean {
  return /(?:^|,)\s*text\/event-stream\s*(?:;|,|$)/i.test(headers.get('accept') ?? '');
}
