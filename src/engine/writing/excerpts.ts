/**
 * What each source says about the question. The excerpts are stretches of the evidence, so they hold in their snapshots as
 * citations do. They are chosen by the extractive model, whichever model writes the answer, while it writes. They are an
 * extra: a search is complete without them.
 */
import type { Source, SourceExcerpt } from '../../../protocol/index.ts';
import type { Evidence } from '../ports/snapshot.ts';
import type { SearchContext } from '../search-context.ts';

/** By id of the source, the best first; `coverage` is the share of the question that it has, 0 to 1. */
export type Excerpts = ReadonlyMap<string, { readonly excerpt: SourceExcerpt; readonly coverage: number }>;

/** An excerpt that has no more than this share of the question is as likely to be about something else. Set by hand. */
export const minCoverage = 0.5;

/** Begins to choose the excerpts of sources that were already added; the promise never rejects. */
export async function chooseExcerpts(context: SearchContext, evidence: readonly Evidence[]): Promise<Excerpts> {
  const { brief, budget, ports, signal, state } = context;
  const model = [ports.model, ports.fallbackModel].find((each) => each?.excerpts !== undefined);
  if (model?.excerpts === undefined || evidence.length === 0) return new Map();
  try {
    const spans = await model.excerpts(brief, evidence, { signal, meter: budget.meter });
    return new Map(
      spans.flatMap(({ n, start, end, coverage }) => {
        const piece = evidence[n - 1];
        if (piece === undefined) return [];
        const text = piece.text.slice(start, end);
        const excerpt = { text, source_start: piece.start + start, source_end: piece.start + end };
        return [[state.source(piece).source.id, { excerpt, coverage }] as const];
      }),
    );
  } catch {
    return new Map();
  }
}

/** Copies of the sources with their excerpts. Copies, because the log has the sources as they were added. */
export function withExcerpts(sources: readonly Source[], excerpts: Excerpts): Source[] {
  return sources.map((source) => {
    const { excerpt, coverage = 0 } = excerpts.get(source.id) ?? {};
    return excerpt === undefined || coverage <= minCoverage ? source : { ...source, excerpt };
  });
}
