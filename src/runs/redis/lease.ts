/**
 * The lease of this process. While it exists in Redis, no other process may end a run of this one; when it is missing, the
 * others wait for another lease before they do. It is renewed four times per lifetime, counted from when the renewal was
 * sent, so this process never believes in it longer than Redis does. A process that was paused finds its lease expired by
 * its own clock, and checks before it continues.
 *
 * A lease that is missing although it was renewed in time means that Redis has lost its memory, and everybody's runs with
 * it. Without Redis nobody can end anything: this process continues, and reports it once.
 */
import { createSingleFlight } from '../../base/values/single-flight.ts';
import type { RunCommands } from './commands.ts';

export interface Lease {
  isHeld(): boolean;
  /** Whether Redis failed to answer the last renewal. */
  isAway(): boolean;
  /** Renews immediately; resolves with whether Redis confirmed it. */
  renew(): Promise<boolean>;
  close(): Promise<void>;
}

export interface LeaseOptions {
  readonly commands: RunCommands;
  /** The id of this process. */
  readonly process: string;
  readonly leaseMs: number;
  /** Called after every successful renewal; `mayHaveLostData` if Redis was unreachable or has lost the lease. */
  readonly onHeld: (mayHaveLostData: boolean) => void;
  /** Called when Redis becomes unreachable, and when it is reachable again. */
  readonly onChange: (state: 'away' | 'back', cause?: unknown) => void;
}

/** Resolves when the lease is held, or after a second without an answer from Redis. */
export async function openLease(options: LeaseOptions): Promise<Lease> {
  const { commands, process, leaseMs, onHeld, onChange } = options;
  const now = () => performance.now();
  let heldUntil = 0;
  let away = false;
  let hasReconnected = false;

  const renew = createSingleFlight(async () => {
    const sentAt = now();
    // A lease that expired by our clock too shows only that this process was paused.
    const shouldExist = sentAt < heldUntil || (heldUntil > 0 && (away || hasReconnected));
    let isKept: boolean;
    try {
      isKept = await commands.renew(process, shouldExist);
    } catch (error) {
      if (!away) onChange('away', error);
      away = true;
      return false;
    }
    heldUntil = sentAt + leaseMs;
    const isBack = away;
    away = false;
    hasReconnected = false;
    if (isBack) onChange('back');
    onHeld(isBack || (shouldExist && !isKept));
    return true;
  });

  await commands.isReady(1_000);
  await renew();
  const timer = setInterval(renew, leaseMs / 4);
  timer.unref();
  commands.onReconnect(() => {
    hasReconnected = true;
    void renew();
  });
  return {
    isHeld: () => now() < heldUntil,
    isAway: () => away,
    renew,
    async close() {
      clearInterval(timer);
      await commands.leave(process).catch(() => {});
    },
  };
}
