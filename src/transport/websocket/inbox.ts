/**
 * The frames that a client has sent and that were not handled yet. Frames are handled as they come, as long as their
 * connection has a budget for them and the tick has room. The others wait: they are handled in order, a few in a tick and
 * connection, so that no client holds the event loop, however much it sends. A server can stop reading from a
 * WebSocket only if it is the portable one, so what waits is bounded, and a client that sends even more is disconnected.
 */
import { isAscii } from 'node:buffer';
import { sessionLimits } from '../../../protocol/index.ts';
import type { FrameListener } from '../exchange.ts';
import { afterTick, endSlice, tickHasRoom } from '../tick-queue.ts';
import { createTokenBucket } from './token-bucket.ts';

export interface Inbox {
  /** Handles the frame now or in a later tick. */
  readonly receive: FrameListener;
  /** Counts a ping of the WebSocket protocol, which the server has answered by itself. */
  countPing(): void;
  /** Drops what waits and ignores what comes. */
  close(): void;
}

export interface InboxOptions {
  /** `text` is undefined for a frame that is not text. */
  readonly handle: (text: string | undefined, bytes: number) => void;
  /** Refuses a frame by its first bytes, as it comes, which costs nothing; returns whether it did. */
  readonly tryRefuse?: (content: Uint8Array, isText: boolean) => boolean;
  /**
   * Called once, after which nothing more is handled: the client sent too much, or all clients `together` did. `isHeavy` if
   * even reading what it sends next would take long, because its frames are large or because many clients do the same.
   */
  readonly onFlood: (flood: Flood) => void;
}

export interface Flood {
  readonly by: 'client' | 'together';
  readonly isHeavy: boolean;
}

/** The inboxes of all connections of a server. */
export interface Inboxes {
  open(options: InboxOptions): Inbox;
}

/** Waiting frames are text, or copies that are not decoded yet where decoding costs more than a copy. */
interface Waiting {
  readonly content: Uint8Array | string;
  readonly isText: boolean;
  readonly bytes: number;
}

/** How many frames that waited are handled in a tick, for each connection. Set by hand. */
const framesPerTick = 8;
/** A larger frame waits for a tick of its own, as the tick that reads it is long already; set by hand: about a millisecond. */
const largeBytes = 128 * 1024;
/** Bytes of waiting frames of all connections together; set by hand, for the process to stay well below 600 MiB. */
const maxTotalBytes = 64 * 1024 * 1024;
/**
 * Bytes that all connections together may deliver in a tick; set by hand: about 20 ms. A connection that then delivers
 * another large frame is disconnected, because only that ends the native server's reading from it in this tick.
 */
const maxTickBytes = 24 * 1024 * 1024;
/**
 * Frames that all connections together may deliver in a tick, about 10 ms; set by hand. A connection with more than
 * `fewFrames` waiting is then disconnected: an ordinary one sends a few at a time.
 */
const maxTickFrames = 4_000;
const fewFrames = 32;
/** Protocol pings per second, sustained. Ordinary clients send one in several seconds. */
const pingsPerSecond = sessionLimits.protocol_pings / 10;

/** `total_bytes` bounds the waiting frames of all connections; `now` is a monotonic clock in milliseconds. */
export function createInboxes(options: { readonly total_bytes?: number; readonly now?: () => number } = {}): Inboxes {
  const { total_bytes = maxTotalBytes, now = () => performance.now() } = options;
  let total = 0;
  const ofTick = { bytes: 0, frames: 0 };

  /** Counts a frame that came in this tick. */
  function countOfTick(size: number): void {
    if (ofTick.frames === 0) setImmediate(() => Object.assign(ofTick, { bytes: 0, frames: 0 }));
    ofTick.bytes += size;
    ofTick.frames += 1;
  }

  function open({ handle, tryRefuse = () => false, onFlood }: InboxOptions): Inbox {
    const { frames_burst, frames_per_s, frames_waiting, bytes_burst, bytes_per_s, protocol_pings } = sessionLimits;
    const frames = createTokenBucket({ capacity: frames_burst, perSecond: frames_per_s, now });
    const bytes = createTokenBucket({ capacity: bytes_burst, perSecond: bytes_per_s, now });
    const pings = createTokenBucket({ capacity: protocol_pings, perSecond: pingsPerSecond, now });
    let waiting: Waiting[] = [];
    let held = 0;
    let isScheduled = false;
    let isClosed = false;
    let timer: NodeJS.Timeout | undefined;

    const waitFor = (size: number) => Math.max(frames.wait(1), bytes.wait(size));

    function handleNow({ content, isText, bytes: size }: Waiting): void {
      frames.take(1);
      bytes.take(size);
      if (size > largeBytes) endSlice();
      handle(isText ? decode(content) : undefined, size);
    }

    function hold({ content, isText, bytes: size }: Waiting): void {
      const maxWaiting = ofTick.frames > maxTickFrames ? fewFrames : frames_waiting;
      if (waiting.length >= maxWaiting || held + size > bytes_burst) return flood('client', size);
      if (total + size > total_bytes || (size > largeBytes && ofTick.bytes > maxTickBytes))
        return flood('together', size);
      waiting.push({ content: keep(content), isText, bytes: size });
      count(size);
      schedule();
    }

    function count(size: number): void {
      held += size;
      total += size;
    }

    function schedule(): void {
      if (isScheduled || waiting.length === 0) return;
      isScheduled = true;
      const ms = waitFor(waiting[0]!.bytes);
      if (ms === 0) afterTick(handleWaiting);
      else timer = setTimeout(handleWaiting, ms);
    }

    function handleWaiting(): void {
      isScheduled = false;
      let handled = 0;
      while (waiting.length > 0 && handled < framesPerTick && waitFor(waiting[0]!.bytes) === 0) {
        const frame = waiting.shift()!;
        count(-frame.bytes);
        handled += 1;
        handleNow(frame);
        if (frame.bytes > largeBytes || !tickHasRoom()) break;
      }
      schedule();
    }

    function flood(by: Flood['by'], size: number): void {
      close();
      onFlood({ by, isHeavy: size > largeBytes || ofTick.frames > maxTickFrames });
    }

    function close(): void {
      isClosed = true;
      clearTimeout(timer);
      count(-held);
      waiting = [];
    }

    return {
      receive(content, isText) {
        if (isClosed) return;
        const { byteLength: size } = content;
        countOfTick(size);
        if (tryRefuse(content, isText)) return;
        const frame = { content, isText, bytes: size };
        const mayBeNow = waiting.length === 0 && size <= largeBytes && tickHasRoom();
        if (mayBeNow && waitFor(size) === 0) handleNow(frame);
        else hold(frame);
      },
      countPing() {
        if (!isClosed && !pings.take(1)) flood('client', 0);
      },
      close,
    };
  }

  return { open };
}

/** The memory of the content belongs to the server. */
function keep(content: Uint8Array | string): Uint8Array | string {
  if (typeof content === 'string') return content;
  if (isAscii(content)) return asBuffer(content).toString('latin1');
  const copy = Buffer.allocUnsafeSlow(content.byteLength);
  copy.set(content);
  return copy;
}

function decode(content: Uint8Array | string): string {
  if (typeof content === 'string') return content;
  // The same text, sooner.
  return asBuffer(content).toString(isAscii(content) ? 'latin1' : 'utf8');
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
