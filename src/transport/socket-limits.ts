/** What one WebSocket may hold, whichever server carries it. */
export const socketLimits = {
  /** It takes more while it holds less than this; the rest waits in the log. */
  highWaterMark: 256 * 1024,
  /** It is asked for more again below this. */
  lowWaterMark: 64 * 1024,
  /** More than this is held only for one who sends and does not read the answers: pongs and errors wait for no room. */
  maxBufferedBytes: 4 * 1024 * 1024,
  /** All together hold no more than this before new connections are refused. */
  maxTotalBufferedBytes: 256 * 1024 * 1024,
  /** How often a silent line is asked whether it lives. */
  pingIntervalMs: 30_000,
} as const;

/** As much of the reason as a close frame holds: 123 bytes, no character cut in two. */
export function closeReason(reason: string): string {
  const bytes = new Uint8Array(123);
  const { read } = new TextEncoder().encodeInto(reason, bytes);
  return reason.slice(0, read);
}
