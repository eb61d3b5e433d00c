/**
 * A signed-in connection that may hold several searches: what it has paid for and what its ticket allows. An upgrade has
 * paid for the first search; a ticket may bound how many searches there are and fix fields of every request.
 */
import type { Caller } from '../access/identity.ts';
import type { TicketGrant } from '../access/tickets.ts';
import { AppError } from '../base/errors.ts';

export interface Connection {
  readonly id: string;
  readonly caller: Caller;
  /** Takes the search that was paid for with the connection, if it is still there. */
  consumePrepaid(): boolean;
  /** The request with the ticket's fields in it. Throws `forbidden` past the ticket's searches. */
  admit(request: unknown): unknown;
}

export function createConnection(id: string, grant: TicketGrant, paidFor: boolean): Connection {
  const { caller, max_searches = Number.POSITIVE_INFINITY, locked } = grant;
  let paid = paidFor;
  let searches = 0;
  return {
    id,
    caller,
    consumePrepaid() {
      const free = paid;
      paid = false;
      return free;
    },
    admit(request) {
      if (searches >= max_searches) {
        throw new AppError('forbidden', `This ticket was for ${max_searches} searches, and they have been started.`);
      }
      searches += 1;
      const isObject = typeof request === 'object' && request !== null && !Array.isArray(request);
      return locked === undefined || !isObject ? request : { ...request, ...locked };
    },
  };
}
