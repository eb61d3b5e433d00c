/** A client of an endpoint whose protocol is still being found out. */
import { untilAborted } from '../../base/abort.ts';
import { createSingleFlight } from '../../base/values/single-flight.ts';
import type { EndpointClient } from './endpoint-client.ts';

/** The client that `find` finds; it is asked again as long as it rejects. Rejections of `find` are those of the call. */
export function createDeferredClient(find: () => Promise<EndpointClient>): EndpointClient {
  let known: EndpointClient | undefined;
  const findOnce = createSingleFlight(find);
  const found = async () => {
    known ??= await findOnce();
    return known;
  };
  return {
    // An endpoint that cannot be asked now may well have it.
    hasVision: () =>
      found().then(
        (client) => client.hasVision(),
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
