/** Ended searches in memory; test/store has the other keepers under the same law. */

import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import { describeRunRecords } from '../contracts/run-records.ts';

describeRunRecords('memory', async () => createMemoryRunRecords());
