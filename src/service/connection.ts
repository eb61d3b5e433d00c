/**
 * An authenticated connection that may carry several searches. Its upgrade has usually paid for the first of them; the
 * ticket it was opened with may limit their number and lock fields of every request.
 */
import type { Caller } from '../access/identity.ts';
import type { TicketGrant } from '../access/tickets.ts';
import { AppError } from '../base/errors.ts';
import { isObject } from '../base/values/is-object.ts';

export interface Connection {
  readonly id: string;
  readonly caller: Caller;
  /** The span that opened it, for searches that name none. */
  readonly traceparent: string | undefined;
  /** Uses up the search that the upgrade paid for. Returns false when there is none left. */
  consumePrepaid(): boolean;
  /** The request with the fields that the ticket locks. */
  lockFields(request: unknown): unknown;
  /** Counts a search against the ticket's limit. Throws `forbidden` once that is reached. */
  countSearch(): void;
}

/** `prepaid`: whether the upgrade has paid for the first search. */
export function createConnection(id: string, grant: TicketGrant, prepaid: boolean, traceparent?: string): Connection {
  const { caller, max_searches = Number.POSITIVE_INFINITY, locked } = grant;
  let hasPrepaid = prepaid;
  let searches = 0;
  return {
    id,
    caller,
    traceparent,
    consumePrepaid() {
      const had = hasPrepaid;
      hasPrepaid = false;
      return had;
    },
    lockFields(request) {
      return locked === undefined || !isObject(request) ? request : { ...request, ...locked };
    },
    countSearch() {
      if (searches >= max_searches) {
        throw new AppError(
          'forbidden',
          `This ticket was for ${max_searches} searches, all of which have been started.`,
        );
      }
      searches += 1;
    },
  };
}
