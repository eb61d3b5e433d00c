/** Cuts off clients that send their body too slowly, by the same measure as the native server. */
import type { IncomingMessage } from 'node:http';

/** The measure of the native server, which cannot be set there. */
const window = { ms: 10_000, bytes: 160 * 1024 };

/** Destroys the connection when neither the end of the body nor 160 KiB more of it arrive for 10 s. */
export function cutOffWhenSlow(request: IncomingMessage): void {
  let received = 0;
  const timer = setTimeout(() => request.destroy(), window.ms);
  timer.unref();
  request.on('data', (chunk: Buffer) => {
    received += chunk.byteLength;
    if (received < window.bytes) return;
    received = 0;
    timer.refresh();
  });
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
}
