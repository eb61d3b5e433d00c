/** Accounts as administrators see them: a page of them, and what is known of each. */
import type { AccountDetails, AccountListRecords } from '../access-records.ts';
import { sessionKeyId } from '../browser/session-key.ts';

export interface AccountList extends Pick<AccountListRecords, 'accountPage'> {
  /** By account id; the keys of browser sessions are not counted. */
  accountDetails(ids: readonly string[]): Promise<ReadonlyMap<string, AccountDetails>>;
}

/** Over these records. */
export function createAccountList(records: AccountListRecords): AccountList {
  return {
    accountPage: records.accountPage,
    accountDetails: (ids) => records.accountDetails(ids, ids.map(sessionKeyId)),
  };
}
