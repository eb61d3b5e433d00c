/** What one WebSocket may buffer, whichever server carries it. All set by hand. */
export const socketLimits = {
  /** Writing stops above this many buffered bytes; the rest waits in the log. */
  highWaterMark: 256 * 1024,
  /** Writing resumes below this. */
  lowWaterMark: 64 * 1024,
  /** Only pongs and errors are sent above the high-water mark; a client that causes this many and reads none is cut off. */
  maxBufferedBytes: 4 * 1024 * 1024,
  /** Above this for all sockets together, new connections are refused. */
  maxTotalBufferedBytes: 256 * 1024 * 1024,
  pingIntervalMs: 30_000,
} as const;

/** The start of the reason that fits a close frame: at most 123 bytes of UTF-8 (RFC 6455, 5.5), no character cut in two. */
export function closeReason(reason: string): string {
  const bytes = new Uint8Array(123);
  const { read } = new TextEncoder().encodeInto(reason, bytes);
  return reason.slice(0, read);
}
