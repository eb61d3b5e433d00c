/**
 * POST /mcp. Refuses a foreign origin or host first, then a missing or invalid key, then a body that is too large or invalid
 * JSON. Everything else goes to the protocol's library, which the first call loads: a server without agents neither waits for it
 * nor keeps it in memory.
 */

import type { OnFault } from '../../base/errors.ts';
import type { Service } from '../../service/service.ts';
import type { Context } from '../../transport/http/context.ts';
import type { Doors } from '../../transport/http/door.ts';
import { createOriginCheck, type OriginRules } from './check-origin.ts';
import type { Endpoint } from './endpoint.ts';

export interface McpDoorOptions extends OriginRules {
  readonly onFault: OnFault;
}

export interface McpDoor {
  readonly handlers: Pick<Doors['handlers'], 'mcp'>;
  /** Ends the streams that wait for changes; searches that run continue. */
  drain(): void;
}

/** The handler of the route, and how it is closed. */
export function createMcpDoor(service: Service, { onFault, ...rules }: McpDoorOptions): McpDoor {
  const checkOrigin = createOriginCheck(rules);
  let opening: Promise<Endpoint> | undefined;

  async function answer(ctx: Context): Promise<void> {
    checkOrigin(ctx.request.headers);
    const caller = await service.identify(ctx.call);
    const message = await ctx.call.body();
    opening ??= import('./endpoint.ts').then(({ createEndpoint }) => createEndpoint(service, onFault));
    const endpoint = await opening;
    await endpoint.answer(ctx, caller, message);
  }

  return {
    handlers: { mcp: answer },
    drain: () => void opening?.then((endpoint) => endpoint.close()),
  };
}
