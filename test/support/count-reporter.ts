/**
 * Ends a run with its ten slowest files, which belong at the top of longest-first.ts, and one line that a machine can read:
 * "N passed, N failed". A file that does not load counts as failed. Tests that passed only when they were tried again, which CI
 * does once because its machine is shared, are named: each has a race that is to be found.
 */
import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

export const countReporter: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0;
    let failed = unhandledErrors.length;
    const flaky: string[] = [];
    for (const module of modules) {
      failed += module.errors().length;
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        if (state === 'failed') failed += 1;
        if (test.diagnostic()?.flaky) flaky.push(`  ${module.relativeModuleId}: ${test.fullName}`);
      }
    }
    if (modules.length > shown) console.log(`The ${shown} slowest files:\n${slowest(modules).join('\n')}\n`);
    if (flaky.length > 0) console.log(`Passed only at the second try:\n${flaky.join('\n')}\n`);
    console.log(`${passed} passed, ${failed} failed`);
  },
};

/** Seconds from the beginning of its collection to the end of its tests, then project and file. */
function slowest(modules: readonly TestModule[]): string[] {
  const seconds = (module: TestModule) => {
    const { collectDuration, setupDuration, duration } = module.diagnostic();
    return (collectDuration + setupDuration + duration) / 1000;
  };
  return [...modules]
    .sort((a, b) => seconds(b) - seconds(a))
    .slice(0, shown)
    .map((module) => `${seconds(module).toFixed(1).padStart(6)} s  ${module.project.name}  ${module.relativeModuleId}`);
}
