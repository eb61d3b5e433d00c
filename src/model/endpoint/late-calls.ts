/** Calls to an endpoint whose protocol is still being found out. */
import { untilAborted } from '../../base/abort.ts';
import type { Calls } from './calls.ts';

/** The calls of `find`, which is asked again as long as it finds none. Rejections of `find` are those of the call. */
export function createLateCalls(find: () => Promise<Calls>): Calls {
  let known: Calls | undefined;
  let finding: Promise<Calls> | undefined;
  /** Calls that begin at the same time wait for the same answer. */
  const found = async () => {
    finding ??= find().finally(() => {
      finding = undefined;
    });
    known ??= await finding;
    return known;
  };
  return {
    // An endpoint that cannot be asked now may well have it.
    hasVision: () =>
      found().then(
        (calls) => calls.hasVision(),
        () => true,
      ),
    complete: async (call, context) => (known ?? (await untilAborted(found(), context.signal))).complete(call, context),
    stream(call, context) {
      if (known !== undefined) return known.stream(call, context);
      return (async function* () {
        yield* (await untilAborted(found(), context.signal)).stream(call, context);
      })();
    },
  };
}
