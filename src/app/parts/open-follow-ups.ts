/** Opens the suggested follow-ups: proposed by the model of the settings, if any, and asked without it. */
import type { OpenCorpus } from '../../corpus/corpus.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Meter } from '../../engine/ports/model.ts';
import type { ExtractiveModel } from '../../model/extractive/extractive.ts';
import { createFollowUps, type FollowUpMaker } from '../../service/suggestions/follow-ups.ts';

/** The extractive model makes no paid calls. */
const unmetered: Meter = { admit: () => {}, left: () => Number.POSITIVE_INFINITY, record: () => {} };

/** Close it before the models and the index. */
export function openFollowUps(
  model: ExtractiveModel,
  corpus: OpenCorpus,
  { reply }: Pick<Engine, 'reply'>,
): FollowUpMaker {
  return createFollowUps({
    corpus,
    propose: model.propose,
    reply,
    async answer(question, passages, signal) {
      const brief = { prompt: question, question, previous: [], today: new Date().toISOString().slice(0, 10) };
      const evidence = passages.map((passage, at) => ({ ...passage, n: at + 1 }));
      let text = '';
      for await (const part of model.write(brief, evidence, { signal, meter: unmetered })) {
        if (typeof part === 'string') text += part;
      }
      return text;
    },
  });
}
