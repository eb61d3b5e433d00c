/** The models in the settings: each says one word. */

import { type Check, ok, problem, skipped } from './check.ts';
import { createClockWatch } from './clock.ts';

/** Whether each model answers. */
export const checkModel: Check = async ({ config: { model }, signal, reportTime }) => {
  if (model === undefined) {
    return skipped('MODEL is not set: answers are extracted from the sources, sentence by sentence.');
  }
  const { openModels } = await import('../../app/parts/open-models.ts');
  const opened = openModels(model, {}, createClockWatch(reportTime));
  try {
    const found = await opened.probe(signal);
    return found.map((each) =>
      each.trouble === undefined
        ? ok(`${each.model} answers.`)
        : problem(`${each.model}: ${each.trouble}`, 'Correct MODEL, MODEL_BASE_URL or MODEL_API_KEY: docs/models.md.'),
    );
  } finally {
    await opened.close();
  }
};
