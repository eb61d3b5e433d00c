/**
 * Access for the owner of the machine, whose own process asks its own index: there is no key, and no limit on how often
 * they may call. The number of searches at a time is limited as for any caller.
 */

import { createAdmission } from '../../access/admission/admission.ts';
import { createOverloadDetector } from '../../access/admission/overload-detector.ts';
import type { Caller } from '../../access/identity.ts';
import type { RateDecision } from '../../access/limiter/limiter.ts';
import { AppError } from '../../base/errors.ts';
import type { CallAccess } from '../../service/calls.ts';

export interface OwnerAccess extends CallAccess {
  /** Refuses the searches that wait. */
  close(): void;
}

/** The owner, as a caller on the larger plan. `account_id` is the account whose designs are theirs. */
export function ownerOf(account_id: string): Caller {
  return { key_id: 'owner', account_id, plan: 'pro', scopes: [] };
}

/** Every caller is the owner. */
export function createOwnerAccess(owner: Caller): OwnerAccess {
  const admission = createAdmission({ overload: createOverloadDetector() });
  return {
    admission,
    identify: async () => owner,
    take: async () => unlimited,
    peek: async () => unlimited,
    takeResume: async () => {},
    takeFrom: async () => {},
    redeem: () => Promise.reject(noTickets()),
    issueTicket: () => Promise.reject(noTickets()),
    usage: {
      count: () => {},
      report: () => Promise.reject(new AppError('not_found', 'Calls of the owner are not counted.')),
    },
    close: () => admission.close(),
  };
}

const unlimited: RateDecision = {
  allowed: true,
  policy: 'owner',
  limit: Number.MAX_SAFE_INTEGER,
  remaining: Number.MAX_SAFE_INTEGER,
  reset_s: 0,
  window_s: 60,
  retry_after_ms: 0,
};

function noTickets(): AppError {
  return new AppError('forbidden', 'Expected a server; this process has no pages to issue tickets for.');
}
