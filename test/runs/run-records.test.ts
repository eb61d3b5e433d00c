/** Ended searches in memory; test/store has the other keepers under the same law. */

import { expect, it } from 'vitest';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import { describeRunRecords, runRecord } from '../contracts/run-records.ts';

describeRunRecords('memory', async () => createMemoryRunRecords());

it('remembers no more removed searches in memory than it keeps', async () => {
  const records = createMemoryRunRecords(2);
  const ids = ['s1', 's2', 's3'];
  for (const id of ids) await records.remove('a', id);
  for (const id of ids) await records.save(runRecord(id, 'a'));
  const found = await Promise.all(ids.map((id) => records.get('a', id)));
  expect(found.map((record) => record?.search_id)).toEqual(['s1', undefined, undefined]);
});
