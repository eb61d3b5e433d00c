/**
 * One run of all tests: several files at a time, each in its own process, since some of them load native servers. What
 * callers see is tested over both servers that can carry it.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { countReporter } from './test/support/count-reporter.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { bundledSources } from './test/support/processes/bundled-sources.ts';

const overBothServers = [
  'test/contracts/search.test.ts',
  'test/compat/mcp/http.test.ts',
  'test/ui/pages.test.ts',
  'test/hostile/bodies.test.ts',
  'test/protocol/interface.test.ts',
  'test/compat/{doors,chat,responses,clients}.test.ts',
  'test/compat/openai/perplexity.test.ts',
  'test/compat/{ai-sdk,tavily,exa,parallel,open-webui,searxng}/*.test.ts',
  'test/hostile/{floods,frames,framing,readers,sockets,upgrade}.test.ts',
  'test/transport/websocket/{careless-clients,connections}.test.ts',
  'test/transport/http/unread-answers.test.ts',
  'test/transport/{access,http,lifecycle,searches,sign-in}.test.ts',
];

/** Workers start from the bundle of the run. */
const bundledWorkers = {
  find: /^\.{1,2}\/worker-file\.ts$/,
  replacement: fileURLToPath(new URL('./test/support/processes/bundled-worker-file.ts', import.meta.url)),
};

export default defineConfig({
  plugins: [bundledSources],
  resolve: { alias: [bundledWorkers] },
  test: {
    globalSetup: [
      'test/support/servers/programs.ts',
      'test/support/databases/postgres-cluster.ts',
      'test/support/processes/bundle.ts',
    ],
    setupFiles: ['test/support/processes/keep-priority.ts'],
    pool: 'forks',
    // More than cores, because the longest files spend half of their time waiting for timeouts and other processes.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // What is waited for is not measured: the machine may be busy. A test has a limit of its own only if it needs a longer one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', countReporter],
    projects: [
      { extends: true, test: { name: 'citewire', include: ['test/**/*.test.ts'] } },
      { extends: true, test: { name: 'portable', include: overBothServers, env: { TEST_TRANSPORT: 'node' } } },
    ],
  },
});
