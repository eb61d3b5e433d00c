/**
 * The lease of this process. While it exists in Redis, no other process may end a run of this one. It is renewed four
 * times per lifetime, counted from when the renewal was sent, so this process never believes in it longer than Redis does.
 * A process that was paused finds its lease expired by its own clock, and checks before it goes on.
 *
 * Without Redis nobody can end anything: this process goes on, and reports it once.
 */
import type { RunCommands } from './commands.ts';

export interface Lease {
  isHeld(): boolean;
  /** Whether Redis failed to answer the last renewal. */
  isAway(): boolean;
  /** Whether Redis has answered for a whole lease: only then does a missing lease mean that its process is dead. */
  isSteady(): boolean;
  /** Renews immediately; resolves with whether Redis confirmed it. */
  renew(): Promise<boolean>;
  close(): Promise<void>;
}

export interface LeaseOptions {
  readonly commands: RunCommands;
  /** The id of this process. */
  readonly process: string;
  readonly leaseMs: number;
  /** Called after every successful renewal; `isBack` on the first one after Redis was away. */
  readonly onHeld: (isBack: boolean) => void;
  /** Called when Redis goes away and when it comes back. */
  readonly onChange: (state: 'away' | 'back', cause?: unknown) => void;
}

/** Resolves when the lease is held, or after a second without an answer from Redis. */
export async function openLease(options: LeaseOptions): Promise<Lease> {
  const { commands, process, leaseMs, onHeld, onChange } = options;
  const now = () => performance.now();
  let heldUntil = 0;
  let steadySince: number | undefined;
  let away = false;
  let renewing: Promise<boolean> | undefined;

  async function renewOnce(): Promise<boolean> {
    const sentAt = now();
    try {
      await commands.renew(process, leaseMs);
    } catch (error) {
      steadySince = undefined;
      if (!away) onChange('away', error);
      away = true;
      return false;
    }
    heldUntil = sentAt + leaseMs;
    steadySince ??= now();
    const isBack = away;
    away = false;
    if (isBack) onChange('back');
    onHeld(isBack);
    return true;
  }

  function renew(): Promise<boolean> {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  await commands.isReady(1_000);
  await renew();
  const timer = setInterval(renew, leaseMs / 4);
  timer.unref();
  return {
    isHeld: () => now() < heldUntil,
    isAway: () => away,
    isSteady: () => steadySince !== undefined && now() - steadySince >= leaseMs,
    renew,
    async close() {
      clearInterval(timer);
      await commands.leave(process).catch(() => {});
    },
  };
}
