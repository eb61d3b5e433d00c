/** The searches that a caller may see: those of its account or, with a key that does not see all of them, only those of this key. */
import type { Caller } from '../../access/identity.ts';
import { maySee } from '../../access/restriction.ts';
import { type AppError, notFound } from '../../base/errors.ts';
import type { Found, Registry } from '../../runs/registry.ts';

/** Nothing for a search that the caller may not see, as for one that does not exist. Rejects as the registry does. */
export async function findOwn(runs: Pick<Registry, 'find'>, caller: Caller, search_id: string): Promise<Found> {
  return maySee(caller, search_id) ? runs.find(caller.account_id, search_id) : {};
}

/** The error for a search that the caller may not see, or that does not exist. */
export function noSearch(search_id: string): AppError {
  return notFound('search', search_id);
}
