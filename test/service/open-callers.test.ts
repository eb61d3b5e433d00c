/** Callers who may no longer stay: what becomes of what they have open, and of their searches. */
import { expect, it } from 'vitest';
import type { Caller } from '../../src/access/identity.ts';
import { AppError } from '../../src/base/errors.ts';
import { createOpenCallers } from '../../src/service/open-callers.ts';

const caller: Caller = { key_id: 'k', account_id: 'a', plan: 'pro', scopes: [] };
const unauthorized = new AppError('unauthorized', 'Expected a valid key.');
const forbidden = new AppError('forbidden', 'This account is suspended.');

it.each<[string, Caller, { key: AppError; session?: AppError }, string[]]>([
  ['an account is suspended', caller, { key: forbidden }, ['a finishes', 'forbidden']],
  [
    'an account is suspended, which ends its sessions',
    { ...caller, session: 's' },
    { key: forbidden, session: unauthorized },
    ['a finishes', 'unauthorized'],
  ],
  ['a key is revoked', caller, { key: unauthorized }, ['unauthorized']],
])('lets the searches of an account finish only where it is suspended: %s', async (_, who, refusals, expected) => {
  const done: string[] = [];
  const { watchCaller } = createOpenCallers(
    {
      identify: async (from) => {
        throw 'session' in from && from.session !== undefined ? refusals.session : refusals.key;
      },
      admission: { connect: () => () => {} } as never,
    },
    { letFinish: (account) => void done.push(`${account} finishes`) },
  );
  watchCaller(who, ({ code }) => done.push(code));
  await expect.poll(() => done).toEqual(expected);
});
