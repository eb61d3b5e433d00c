/** Accounts of people who sign in through a provider of OpenID Connect. */
import type { Migration } from '../migrate.ts';

export const externalIdentities: Migration = {
  name: '020-external-identities',
  async up(trx, { text }) {
    await trx.schema
      .createTable('external_identities')
      .addColumn('issuer', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('created_at', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('external_identities_key', ['issuer', 'subject'])
      .execute();
  },
};
