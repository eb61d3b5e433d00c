/** Opens the suggestions: their questions are asked of the index alone, whatever model and providers the settings name. */
import type { OpenCorpus } from '../../corpus/corpus.ts';
import { createEngine } from '../../engine/engine.ts';
import type { ExtractiveModel } from '../../model/extractive/extractive.ts';
import { createSuggestions, type SuggestionMaker } from '../../service/suggestions/suggestions.ts';

/** `hasModel` says whether the settings name a model. Close it before the model and the index. */
export function openSuggestions(model: ExtractiveModel, corpus: OpenCorpus, hasModel: boolean): SuggestionMaker {
  const { research } = createEngine({ model, corpus });
  return createSuggestions({ corpus, propose: model.propose, research, hasModel });
}
