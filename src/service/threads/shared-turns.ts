/**
 * What a share link shows of a search: its question, its answer and the pages that the answer cites. Pages that were only read may be
 * private documents that have nothing to do with the answer.
 */
import type { SearchRecord, SharedThread } from '../../../protocol/index.ts';

type SharedTurn = SharedThread['turns'][number];
type Citations = NonNullable<SearchRecord['citations']>;

/** Without pages that are not cited, and without what concerns the account alone. */
export function onlyCited(shared: SharedThread): SharedThread {
  return { ...shared, turns: shared.turns.map(onlyCitedOf) };
}

/** The snapshots of the pages that a thread cites. */
export function citedPages({ turns }: SharedThread): string[] {
  return [...new Set(turns.flatMap((turn) => citationsOf(turn).map(({ snapshot }) => snapshot)))];
}

function onlyCitedOf(turn: SharedTurn): SharedTurn {
  const cited = new Set(citationsOf(turn).map(({ source_id }) => source_id));
  const { usage: _, timings: _timings, ...record } = withoutUncited(turn, cited);
  // A structured answer without evidence is the caller's template, whose fields may have any names.
  const isEnvelope = record.result !== undefined && record.result.search_id === turn.search_id;
  return isEnvelope ? { ...record, result: resultOf(record.result as Envelope, cited) } : record;
}

/** The result of an answer in text, or of a structured one with its evidence. */
type Envelope = Record<string, unknown> & Pick<SearchRecord, 'sources'>;

/** The quotes that come nearest to an answer are of pages that it does not cite. */
function resultOf(result: Envelope, cited: ReadonlySet<string>): Record<string, unknown> {
  const { usage: _, timings: _timings, nearest: _nearest, ...shown } = withoutUncited(result, cited);
  return shown;
}

function withoutUncited<Result extends Pick<SearchRecord, 'sources'>>(
  result: Result,
  cited: ReadonlySet<string>,
): Result {
  const { sources } = result;
  return sources === undefined ? result : { ...result, sources: sources.filter(({ id }) => cited.has(id)) };
}

/** Those of its answer, or of what there was of it when the search ended. */
function citationsOf({ citations, partial }: SharedTurn & { readonly partial?: { citations?: Citations } }): Citations {
  return [...(citations ?? []), ...(partial?.citations ?? [])];
}
