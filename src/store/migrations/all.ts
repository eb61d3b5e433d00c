/** All migrations in order. New ones are appended; the statements of a released one are never edited. */
import type { Migration } from '../migrate.ts';
import { access } from './001-access.ts';
import { runs } from './002-runs.ts';
import { designs } from './003-designs.ts';
import { sessions } from './004-sessions.ts';
import { retention } from './005-retention.ts';
import { sharedNetworks } from './006-shared-networks.ts';
import { shown } from './007-shown.ts';
import { doors } from './008-doors.ts';
import { chats } from './009-chats.ts';
import { background } from './010-background.ts';
import { threads } from './011-threads.ts';
import { webhooks } from './012-webhooks.ts';
import { schedules } from './013-schedules.ts';
import { quotas } from './014-quotas.ts';
import { traces } from './015-traces.ts';
import { feedback } from './016-feedback.ts';
import { collections } from './017-collections.ts';
import { searches } from './018-searches.ts';
import { refusals } from './019-refusals.ts';
import { externalIdentities } from './020-external-identities.ts';
import { keySessions } from './021-key-sessions.ts';
import { retiredVersions } from './022-retired-versions.ts';
import { invitations } from './023-invitations.ts';
import { steps } from './024-steps.ts';
import { begun } from './025-begun.ts';
import { threadTitles } from './026-thread-titles.ts';
import { echoed } from './027-echoed.ts';
import { orphanedFeedback } from './028-orphaned-feedback.ts';
import { redactedRefusals } from './029-redacted-refusals.ts';

export const migrations: readonly Migration[] = [
  access,
  runs,
  designs,
  sessions,
  retention,
  sharedNetworks,
  shown,
  doors,
  chats,
  background,
  threads,
  webhooks,
  schedules,
  quotas,
  traces,
  feedback,
  collections,
  searches,
  refusals,
  externalIdentities,
  keySessions,
  retiredVersions,
  invitations,
  steps,
  begun,
  threadTitles,
  echoed,
  orphanedFeedback,
  redactedRefusals,
];

/** The migrations of a database that this version does not know: a newer version made it. */
export function unknownMigrations(applied: readonly string[]): string[] {
  return applied.filter((name) => !migrations.some((known) => known.name === name));
}
