/** Watches the callers of open sockets and streams: one who may no longer stay is refused within seconds, not at the next call. */
import type { Caller } from '../access/identity.ts';
import { type AppError, asAppError } from '../base/errors.ts';
import type { Registry } from '../runs/registry.ts';
import type { Call, CallAccess } from './calls.ts';

export interface OpenCallers {
  /** Calls `refuse` once, if the caller of a connection may not stay any longer; the returned function ends the watch. */
  watchCaller(caller: Caller, refuse: (error: AppError) => void): () => void;
  /**
   * Counts an event stream with the key's connections, and watches its caller; the returned function ends both. Rejects with 401,
   * 403, 429 or 503.
   */
  openStream(call: Call, refuse: () => void): Promise<() => void>;
}

/** Together with the time a key is cached (access/auth-cache.ts), this ends what a revoked one has open within 30 s. */
const recheckMs = 5_000;

/** Watches by a timer while anything is open. */
export function createOpenCallers(
  { identify, admission }: Pick<CallAccess, 'identify' | 'admission'>,
  runs: Pick<Registry, 'letFinish'>,
): OpenCallers {
  const watched = new Set<{ readonly caller: Caller; readonly refuse: (error: AppError) => void }>();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || watched.size === 0) return;
    isScheduled = true;
    setTimeout(check, recheckMs).unref();
  }

  /** Checks each caller once, however much it has open, and one after the other, since nothing waits for it. */
  async function check(): Promise<void> {
    const checked = new Map<string, Promise<AppError | undefined>>();
    for (const each of [...watched]) {
      const name = `${each.caller.key_id} ${each.caller.session ?? ''}`;
      const refusal = checked.get(name) ?? refusalOf(each.caller);
      checked.set(name, refusal);
      const error = await refusal;
      if (error !== undefined && watched.delete(each)) each.refuse(error);
    }
    isScheduled = false;
    schedule();
  }

  /** Why the caller may not stay; undefined if they may, or if the store cannot tell. */
  async function refusalOf(caller: Caller): Promise<AppError | undefined> {
    const error = await whyNot(caller);
    if (error?.code !== 'unauthorized' && error?.code !== 'forbidden') return undefined;
    // A suspended account loses its readers, and no search that it has begun. Its sessions are gone, unlike its keys.
    const { session: _, ...byKey } = caller;
    if ((await whyNot(byKey))?.code === 'forbidden') runs.letFinish(caller.account_id);
    return error;
  }

  const whyNot = (caller: Caller) => identify(caller).then(() => undefined, asAppError);

  function watchCaller(caller: Caller, refuse: (error: AppError) => void): () => void {
    const each = { caller, refuse };
    watched.add(each);
    schedule();
    return () => void watched.delete(each);
  }

  return {
    watchCaller,
    async openStream({ from }, refuse) {
      const caller = await identify(from);
      const leave = admission.connect(caller);
      const unwatch = watchCaller(caller, refuse);
      return () => {
        unwatch();
        leave();
      };
    },
  };
}
