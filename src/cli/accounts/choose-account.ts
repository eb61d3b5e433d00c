/** Which account a command is for, by one rule for all commands that work on the store. */
import type { Account } from '../../access/access-records.ts';
import { developmentAccount } from '../../access/accounts.ts';
import { AppError } from '../../base/errors.ts';

/** Accounts that an error names; set by hand. */
const maxListed = 5;

/**
 * The account with the id `named`, else the only one, else the one that the first start created. Throws `not_found` when there is
 * none.
 */
export function chooseAccount(accounts: readonly Account[], named: string | undefined): Account {
  const id = named ?? (accounts.length === 1 ? accounts[0]!.id : developmentAccount);
  const found = accounts.find((each) => each.id === id);
  if (found !== undefined) return found;
  if (named !== undefined) {
    throw new AppError('not_found', `There is no account ${named}; \`citewire accounts list\` shows all accounts.`);
  }
  if (accounts.length === 0) {
    throw new AppError(
      'not_found',
      'There is no account yet: the first start of the server creates one, or `citewire accounts create`.',
    );
  }
  const ids = accounts.slice(0, maxListed).map((each) => each.id);
  const known = accounts.length > maxListed ? 'list them with `citewire accounts list`' : ids.join(', ');
  throw new AppError('not_found', `Expected --account <id>, because there are ${accounts.length} accounts: ${known}.`);
}
