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
  /** Called once, after which nothing is handled any more: the client sent `frames`, or all clients together too many `bytes`. */
  readonly onFlood: (what: 'frames' | 'bytes') => void;
}

/** The inboxes of all connections of a server. */
export interface Inboxes {
  open(options: InboxOptions): Inbox;
}

/** Waiting frames are copies that are not decoded yet: that is the larger part of the cost of a large one. */
interface Waiting {
  readonly content: Uint8Array;
  readonly isText: boolean;
}

/** How many frames that waited are handled in a tick, for each connection. Set by hand. */
const framesPerTick = 8;
/** A larger frame takes a tick for itself; set by hand: about a millisecond. */
const largeBytes = 128 * 1024;
/** Bytes of waiting frames of all connections together; set by hand, for the process to stay well below 600 MiB. */
const maxTotalBytes = 64 * 1024 * 1024;
/** Protocol pings per second, sustained. Ordinary clients send one in several seconds. */
const pingsPerSecond = sessionLimits.protocol_pings / 10;

/** `total_bytes` bounds the waiting frames of all connections; `now` is a monotonic clock in milliseconds. */
export function createInboxes(options: { readonly total_bytes?: number; readonly now?: () => number } = {}): Inboxes {
  const { total_bytes = maxTotalBytes, now = () => performance.now() } = options;
  let total = 0;

  function open({ handle, onFlood }: InboxOptions): Inbox {
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

    function handleNow({ content, isText }: Waiting): void {
      const { buffer, byteOffset, byteLength } = content;
      frames.take(1);
      bytes.take(byteLength);
      if (byteLength > largeBytes) endSlice();
      // The same text, sooner.
      const encoding = isAscii(content) ? 'latin1' : 'utf8';
      handle(isText ? Buffer.from(buffer, byteOffset, byteLength).toString(encoding) : undefined, byteLength);
    }

    function hold({ content, isText }: Waiting): void {
      const size = content.byteLength;
      if (waiting.length >= frames_waiting || held + size > bytes_burst) return flood('frames');
      if (total + size > total_bytes) return flood('bytes');
      waiting.push({ content: content.slice(), isText });
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
      const ms = waitFor(waiting[0]!.content.byteLength);
      if (ms === 0) afterTick(handleWaiting);
      else timer = setTimeout(handleWaiting, ms);
    }

    function handleWaiting(): void {
      isScheduled = false;
      let handled = 0;
      while (waiting.length > 0 && handled < framesPerTick && waitFor(waiting[0]!.content.byteLength) === 0) {
        const frame = waiting.shift()!;
        count(-frame.content.byteLength);
        handled += 1;
        handleNow(frame);
        if (!tickHasRoom()) break;
      }
      schedule();
    }

    function flood(what: 'frames' | 'bytes'): void {
      close();
      onFlood(what);
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
        const frame = { content, isText };
        if (waiting.length === 0 && tickHasRoom() && waitFor(content.byteLength) === 0) handleNow(frame);
        else hold(frame);
      },
      countPing() {
        if (!isClosed && !pings.take(1)) flood('frames');
      },
      close,
    };
  }

  return { open };
}
