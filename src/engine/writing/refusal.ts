/** What a search without an answer returns: the excerpts that come nearest, as quotes, and what may help. */
import type { NearestQuote, TextResult } from '../../../protocol/index.ts';
import type { SearchContext } from '../search-context.ts';
import { type Excerpts, minCoverage } from './excerpts.ts';

export type Refusal = Pick<TextResult, 'nearest' | 'message'>;

/** As many quotes as people read; set by hand. */
const maxNearest = 3;

/** The nearest quotes, absent if nothing comes near, and a message. */
export function explainRefusal(context: SearchContext, excerpts: Excerpts): Refusal {
  const nearest = quoteNearest(context, excerpts);
  const shares = [...excerpts.values()].map(({ coverage }) => coverage);
  const isClose = shares.some((coverage) => coverage > minCoverage);
  // Close in meaning, with no word of the question.
  const isInOtherWords = shares.length > 0 && shares.every((coverage) => coverage === 0);
  const message = messageFor(context, nearest.length > 0, isClose, isInOtherWords);
  return nearest.length > 0 ? { nearest, message } : { message };
}

function quoteNearest({ state }: SearchContext, excerpts: Excerpts): NearestQuote[] {
  return [...excerpts].slice(0, maxNearest).flatMap(([id, { excerpt }]) => {
    const source = state.sources.find((each) => each.id === id);
    if (source === undefined) return [];
    const { n, url, title, snapshot } = source;
    const { text: quote, ...place } = excerpt;
    return [{ source_id: id, n, url, title, quote, ...place, snapshot }];
  });
}

/**
 * Suggests only what may help: other sources if the request allows few, and a model if there is none and a passage is about
 * the question, so that it may answer in other words.
 */
function messageFor(
  { job, brief, ports }: SearchContext,
  isNear: boolean,
  isClose: boolean,
  isInOtherWords: boolean,
): string {
  const isLimited = (job.request.source_whitelist?.length ?? 0) > 0;
  const hasModel = ports.fallbackModel !== undefined;
  if (!isNear && brief.within !== undefined) return 'The document named in the question says nothing about this.';
  if (!isNear) {
    return isLimited
      ? 'None of the sources allowed by this request covers this question. Other sources may.'
      : 'Nothing in these sources is about this question. It may be answered once a source that covers it is added.';
  }
  const helps = [
    ...(hasModel || !(isClose || isInOtherWords) ? [] : ['using a language model (none was used here)']),
    ...(isLimited ? ['sources beyond those allowed'] : []),
    ...(brief.within === undefined ? [] : ['asking without naming a document']),
    ...(isLimited || isClose || brief.within !== undefined ? [] : ['adding a source that covers it']),
  ];
  return `Not answered by these sources.${helps.length === 0 ? '' : ` You could try: ${helps.join('; ')}.`}`;
}
