/** A search as Server-Sent Events: the same log, one event a frame, `id: <search_id>:<seq>`. */
import { sessionLimits } from '../../../protocol/index.ts';
import type { Run } from '../../runs/run.ts';
import type { Exchange, Headers } from '../exchange.ts';
import { startPump } from '../pump.ts';
import { defaultHeaders } from './reply.ts';

/** Resolves when the stream has ended, by the run's end or by the client's leaving. */
export async function answerAsEvents(exchange: Exchange, run: Run, after: number, headers: Headers): Promise<void> {
  const stream = exchange.stream({
    'content-type': 'text/event-stream; charset=utf-8',
    ...defaultHeaders,
    // Proxies that compress or collect would hold events back.
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-search-id': run.search_id,
    ...headers,
  });
  if (exchange.method === 'HEAD') return stream.end();
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
      // A stream that merely ended would look whole.
      onStall: () => stream.terminate(),
    });
    stream.onDrain(() => pump.wake());
    stream.onClose(finish);
  });
}

/** Whether a client asks for events rather than for one answer. */
export function wantsEvents(exchange: Exchange): boolean {
  return /(?:^|,)\s*text\/event-stream\s*(?:;|,|$)/i.test(exchange.headers.get('accept') ?? '');
}
