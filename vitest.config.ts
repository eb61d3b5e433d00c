/** One run of all tests: files side by side, each in a process of its own, since some of them load native servers. */
import { defineConfig } from 'vitest/config';
import { countReporter } from './test/support/count-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/programs.ts'],
    pool: 'forks',
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 120_000,
    reporters: ['default', countReporter],
  },
});
