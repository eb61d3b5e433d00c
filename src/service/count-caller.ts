/** Who calls, whether they may, and one more of their calls: the first steps of every call other than a search. */
import type { Caller } from '../access/identity.ts';
import type { Call, CallAccess } from './calls.ts';

type Bucket = 'reads' | 'writes';

/** Rejects with 401, with what the check throws, and with 429 beyond the limit of the bucket. */
export type CountCaller = (call: Pick<Call, 'from'>, bucket: Bucket) => Promise<Caller>;

/** A function that identifies the caller of a call, checks it, and counts the call. `check` throws for one who may not call. */
export function createCallerCounter(
  access: Pick<CallAccess, 'identify' | 'takeFrom'>,
  check: (caller: Caller, bucket: Bucket) => void,
): CountCaller {
  return async ({ from }, bucket) => {
    const caller = await access.identify(from);
    check(caller, bucket);
    await access.takeFrom(caller, bucket);
    return caller;
  };
}
