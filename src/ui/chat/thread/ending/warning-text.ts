/** A warning of a search in the language of the page. The server warns in English, with identifiers; what is not known stays as it came. */
import type { SearchState } from '../../../../client/client.ts';
import { language } from '../../../language/choice.ts';
import { counted, fill } from '../../../language/message.ts';
import { providerName } from '../../../language/provider-names.ts';
import { t } from '../../../language/text.ts';

type Warning = SearchState['warnings'][number];

const w = t.warnings;

/** By code, and by the English message, whose groups are its names and numbers. The first that matches counts. */
const known: readonly (readonly [code: string, RegExp, (first: string, second: string) => string])[] = [
  ['source_unreachable', /^([^\s:]+(?::\d+[^\s:]*)?): /, (page) => fill(w.unreachable, { page })],
  ['provider_failed', /^([^:]+): /, (name) => fill(w.provider, { name: providerName(name) })],
  ['model_failed', /^(.+?) continued without the model: (.+)$/s, describeModelFailure(w.model)],
  ['model_failed', /^(.+?) ended early because of the model: (.+)$/s, describeModelFailure(w.modelEnded)],
  ['partial_coverage', /^No search provider/, () => w.noProvider],
  ['partial_coverage', /used up its (time|searches|pages|tokens);/, (item) => w.spent[item as keyof typeof w.spent]],
  ['source_wish_not_met', /within the timeframe/, () => w.timeframe],
  ['source_wish_not_met', /in the sources named/, () => w.named],
  ['uncited', /^Nothing/, () => w.allUncited],
  ['uncited', /disagree/, () => w.oneSide],
  ['uncited', /^(\d+) of the (\d+) /, (count, all) => counted(w.uncited, Number(count), { all: Number(all) })],
  ['contradicted', /otherwise: (.+)$/s, (sentence) => fill(w.contradicted, { sentence })],
  ['image_not_used', /^No model/, () => w.imageNoModel],
  ['image_not_used', /fetched/, () => w.imageLost],
  ['image_not_used', /read|takes/, () => w.imageUnread],
  ['throttled', /queued/, () => w.throttled],
  [
    'index_incomplete',
    /(\d+) of (\d+) pages/,
    (done, count) => counted(w.indexIncomplete, Number(count), { done: Number(done) }),
  ],
  ['index_unavailable', /./, () => w.indexUnavailable],
  ['embeddings_failed', /./, () => w.embeddings],
  ['rerank_failed', /./, () => w.rerank],
  ['not_stored', /./, () => w.notStored],
  ['list_cut', /at most (\d+) /, (count) => fill(w.listCut, { count: Number(count) })],
];

/** Steps that may go on without a model, by what the server calls them there. */
const steps: readonly (readonly [RegExp, title: string])[] = [
  [/^Reading/, t.stepTitles.plan],
  [/^Reflection/, t.stepTitles.rank],
  [/^Filling/, t.stepTitles.template],
  [/^Writing/, t.stepTitles.write],
];

/** Why it failed and what follows, by what the server says of it. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/refused the key/, w.modelWhy.key],
  [/too little credit/, w.modelWhy.unpaid],
  [/\b(?:does not have the model|has no model named)\b/, w.modelWhy.missing],
  [/returned status (\d+)/, w.modelWhy.status],
  [/could not be reached/, w.modelWhy.unreachable],
  [/in time\b|too slow/, w.modelWhy.slow],
  [/connection was lost|in the middle of its answer/, w.modelWhy.lost],
  [/refused to answer/, w.modelWhy.refused],
  [/not used again in this search/, w.modelWhy.unused],
];

/** Writes a failure of the model, of which `text` says what became of the step. */
function describeModelFailure(text: string): (title: string, said: string) => string {
  return (title, said) => {
    const sentences = [fill(text, { step: steps.find(([called]) => called.test(title))?.[1] ?? title })];
    for (const [pattern, reason] of reasons) {
      const found = pattern.exec(said);
      if (found !== null) sentences.push(fill(reason, { status: found[1] ?? '' }));
    }
    return sentences.join(' ');
  };
}

/** What a warning says. */
export function describeWarning({ code, message }: Warning): string {
  if (language === 'en') return code === 'provider_failed' ? message.replace(/^[^:]+/, providerName) : message;
  for (const [of, pattern, write] of known) {
    const found = of === code ? pattern.exec(message) : null;
    if (found !== null) return write(found[1] ?? '', found[2] ?? '');
  }
  return message;
}
