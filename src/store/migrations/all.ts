/** Every step of the schema, in the order in which they are made. New ones go to the end; a released one is never edited. */
import type { Migration } from '../migrate.ts';
import { access } from './001-access.ts';
import { runs } from './002-runs.ts';
import { designs } from './003-designs.ts';
import { sessions } from './004-sessions.ts';
import { retention } from './005-retention.ts';
import { sharedNetworks } from './006-shared-networks.ts';

export const migrations: readonly Migration[] = [access, runs, designs, sessions, retention, sharedNetworks];
