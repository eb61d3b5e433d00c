/**
 * Processes that read pages have a low priority, so that a server keeps answering while they work. In a test run, which keeps
 * all cores busy, they would hardly run at all and end at their deadlines: they have the priority of the test, unless it sets
 * TEST_PRIORITIES.
 */
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const setPriority = os.setPriority as (...args: number[]) => void;
os.setPriority = (...args: number[]) => {
  if (process.env.TEST_PRIORITIES === 'lowered') setPriority(...args);
};
syncBuiltinESMExports();
