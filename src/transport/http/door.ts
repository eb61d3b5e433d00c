/**
 * What a door needs to be open: the handlers of its routes, and the form of its errors. The doors themselves lie above the
 * transport, in src/compat; `app` hands them in.
 */
import type { DoorName, RouteName, routes } from '../../../protocol/index.ts';
import type { ErrorFormat } from './context.ts';
import type { RouteHandler } from './router.ts';

/** The routes that belong to another door than `native`. */
export type DoorRoute = {
  [Name in RouteName]: (typeof routes)[Name] extends { readonly door: string } ? Name : never;
}[RouteName];

export interface Doors {
  readonly handlers: { readonly [Name in DoorRoute]: RouteHandler<Name> };
  /** Ends what would otherwise stay open: no new work is accepted. */
  drain(): void;
  /** How each door words errors, also those thrown by shared code. A door without a row uses the native form. */
  readonly errors: Readonly<Partial<Record<DoorName, ErrorFormat>>>;
}
