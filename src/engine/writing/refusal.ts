/**
 * What a search without an answer returns: the quotes that come nearest, and what may help. The quotes are stretches of
 * the evidence, so they hold in their snapshots as citations do. They are chosen by the extractive model, whichever model
 * wrote: a model that found no answer is not asked again.
 */
import type { NearestQuote, TextResult } from '../../../protocol/index.ts';
import type { Evidence } from '../ports/snapshot.ts';
import type { SearchContext } from '../search-context.ts';

export type Refusal = Pick<TextResult, 'nearest' | 'message'>;

/** The nearest quotes, absent if nothing comes near, and a message. Rejects only with the signal's reason. */
export async function explainRefusal(context: SearchContext, evidence: readonly Evidence[]): Promise<Refusal> {
  const nearest = await quoteNearest(context, evidence);
  const message = messageFor(context, nearest.length > 0);
  return nearest.length > 0 ? { nearest, message } : { message };
}

async function quoteNearest(context: SearchContext, evidence: readonly Evidence[]): Promise<NearestQuote[]> {
  const { brief, budget, ports, signal, state } = context;
  const model = [ports.model, ports.fallbackModel].find((each) => each?.nearest !== undefined);
  if (model?.nearest === undefined || evidence.length === 0) return [];
  try {
    const spans = await model.nearest(brief, evidence, { signal, meter: budget.meter });
    return spans.flatMap(({ n, start, end }): NearestQuote[] => {
      const piece = evidence[n - 1];
      if (piece === undefined) return [];
      const { source } = state.source(piece);
      return [
        {
          source_id: source.id,
          n: source.n,
          url: source.url,
          title: source.title,
          quote: piece.text.slice(start, end),
          source_start: piece.start + start,
          source_end: piece.start + end,
          snapshot: piece.snapshot,
        },
      ];
    });
  } catch {
    // They are an extra: the search ends as well without them.
    signal.throwIfAborted();
    return [];
  }
}

/** Names what may help only where it does: other sources if the request allows few, a model if there is none. */
function messageFor({ job, ports }: SearchContext, isNear: boolean): string {
  const isLimited = (job.request.source_whitelist?.length ?? 0) > 0;
  const hasModel = ports.fallbackModel !== undefined;
  if (!isNear) {
    return isLimited
      ? 'Nothing in the sources that this request allows is about this question. Other sources may answer it.'
      : 'Nothing in these sources is about this question. It may be answered once a source that covers it is added.';
  }
  const helps = [
    ...(hasModel ? [] : ['a language model, which this server does not use']),
    ...(isLimited ? ['other sources than those that this request allows'] : []),
  ];
  return `Not answered by these sources.${helps.length === 0 ? '' : ` What may help: ${helps.join('; ')}.`}`;
}
