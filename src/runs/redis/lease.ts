/**
 * The lease of this process: while it stands in Redis nobody may end a run of this one in its place. It is renewed four
 * times in its life; what counts here is when the renewal was asked for, so this process never thinks longer of it than
 * Redis does. A process that was stopped finds it run out by its own clock, and asks before it goes on.
 *
 * Without Redis nobody can end anything: this process goes on, and says so once.
 */
import type { RunCommands } from './commands.ts';

export interface Lease {
  isHeld(): boolean;
  /** Whether Redis did not answer when it was last asked. */
  isAway(): boolean;
  /** Whether Redis has answered for a whole lease: only then the absence of another's lease means that it is dead. */
  isSteady(): boolean;
  /** Asks at once; resolves with whether it is held. */
  renew(): Promise<boolean>;
  close(): Promise<void>;
}

export interface LeaseOptions {
  readonly commands: RunCommands;
  /** The id of this process. */
  readonly process: string;
  readonly leaseMs: number;
  /** Called after every renewal that worked; `isBack` after the first one since Redis was away. */
  readonly onHeld: (isBack: boolean) => void;
  /** Called when Redis goes away and when it comes back. */
  readonly onChange: (state: 'away' | 'back', cause?: unknown) => void;
}

/** Resolves when it is held, or when Redis has not answered within a second. */
export async function openLease(options: LeaseOptions): Promise<Lease> {
  const { commands, process, leaseMs, onHeld, onChange } = options;
  const now = () => performance.now();
  let heldUntil = 0;
  let steadySince: number | undefined;
  let away = false;
  let renewing: Promise<boolean> | undefined;

  async function ask(): Promise<boolean> {
    const asked = now();
    try {
      await commands.renew(process, leaseMs);
    } catch (error) {
      steadySince = undefined;
      if (!away) onChange('away', error);
      away = true;
      return false;
    }
    heldUntil = asked + leaseMs;
    steadySince ??= now();
    const isBack = away;
    away = false;
    if (isBack) onChange('back');
    onHeld(isBack);
    return true;
  }

  function renew(): Promise<boolean> {
    renewing ??= ask().finally(() => {
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
