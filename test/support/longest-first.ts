/** The order in which test files start: the longest first, so that no worker is left with one of them at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** In order, as the ends of runs showed them (count-reporter.ts). */
const longest = [
  'runs/processes',
  'store/outage',
  'store/sqlite',
  'cli/design',
  'ui/chat',
  'ui/dashboard/dashboard',
  'store/postgres',
  'hostile/pages',
  'ui/accessible',
  'transport/soak',
  'ui/answers/lossless',
  'ui/designer/designer',
  'ui/hostile',
  'cli/cli',
  'transport/contents',
  'cli/start',
  'runs/shared-runs',
  'scenarios/model-behaviours',
  'scenarios/research',
  'corpus/page-cache',
  'client/chaos',
  'hostile/framing',
  'hostile/sockets',
  'transport/lifecycle',
  'transport/access',
  'access/limiter-fallback',
  'access/limiter-processes',
  'scenarios/cancel',
  'model/language/fill',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at === -1 ? longest.length : at;
    };
    return [...files].sort((a, b) => place(a) - place(b));
  }
}
