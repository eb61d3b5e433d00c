/** Ended searches in memory; test/store has the other keepers under the same law. */

import { describeRunRecords } from '../contracts/run-records.ts';
import { createMemoryRunRecords } from '../support/memory-run-records.ts';

describeRunRecords('memory', async () => createMemoryRunRecords());
