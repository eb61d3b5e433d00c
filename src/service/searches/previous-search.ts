/**
 * What a follow-up takes from the search before: the prompts of the conversation, and the last answer, so that "the second
 * one you named" can be resolved. Both are bounded: a search must not cost more, nor its record take more room, the longer
 * its conversation has become.
 */
import { requestLimits, structuredOutput, type TerminalEvent, type TextResult } from '../../../protocol/index.ts';
import { markerPattern } from '../../base/text/markers.ts';
import type { Found } from '../../runs/registry.ts';

export interface PreviousSearch {
  /** Oldest first; the newest of the conversation. */
  readonly prompts: readonly string[];
  /** Without markers; a structured one as JSON. Absent while the search runs, and if it did not answer. */
  readonly answer?: string;
  /** The beginnings of the answers before it, oldest first. */
  readonly earlier?: readonly string[];
}

/** A search that was found, and the id of the one that it followed up on. */
interface EarlierTurn extends PreviousSearch {
  readonly follows?: string | undefined;
}

/** Characters: about 500 tokens, which a model with a small context can spare. Set by hand. */
const maxAnswer = 2_000;
/** Answers before the last one, and characters of each: "the second one you named" may be a few questions old. Set by hand. */
const maxEarlier = 3;
const maxEarlierAnswer = 1_000;

/** Undefined if there is no such search. `find` looks up a search of the same account. */
export async function previousSearch(
  find: (search_id: string) => Promise<Found>,
  search_id: string,
): Promise<PreviousSearch | undefined> {
  const found = searchIn(await find(search_id));
  if (found === undefined) return undefined;
  const { follows, ...last } = found;
  const earlier: string[] = [];
  for (let next = follows; next !== undefined && earlier.length < maxEarlier; ) {
    const before = searchIn(await find(next));
    if (before?.answer !== undefined) earlier.unshift(before.answer);
    next = before?.answer === undefined ? undefined : before.follows;
  }
  return { ...last, ...(earlier.length === 0 ? {} : { earlier: shortened(earlier) }) };
}

function searchIn({ run, record, waiting }: Found): EarlierTurn | undefined {
  const search = run ?? record ?? waiting;
  if (search === undefined) return undefined;
  const { search_id, prompts } = search;
  const terminal = run?.log.terminal() ?? record?.terminal;
  const answer = answerOf(search_id, terminal);
  const result = terminal?.type === 'search.completed' ? (terminal.result as Partial<TextResult>) : {};
  const follows = typeof result.search_id === 'string' ? result.previous_search_id : undefined;
  return { prompts: newestOf(prompts), follows, ...(answer === '' ? {} : { answer }) };
}

function shortened(answers: readonly string[]): string[] {
  return answers.slice(-maxEarlier).map((answer) => answer.slice(0, maxEarlierAnswer).toWellFormed());
}

/** The conversation that continues `found`, the search before, with the turns that the caller itself repeats. */
export function joinPrevious(found: PreviousSearch | undefined, repeated: PreviousSearch | undefined): PreviousSearch {
  const answer = repeated?.answer?.slice(0, maxAnswer).toWellFormed() ?? found?.answer;
  const prompts = newestOf([...(found?.prompts ?? []), ...(repeated?.prompts ?? [])]);
  const earlier = shortened(repeated?.earlier ?? found?.earlier ?? []);
  return {
    prompts,
    ...(answer === undefined || answer === '' ? {} : { answer }),
    ...(earlier.length === 0 ? {} : { earlier }),
  };
}

/** An answer without its markers, for a reader without its sources. */
export function withoutMarkers({ answer, citations }: Pick<TextResult, 'answer' | 'citations'>): string {
  const cited = new Set(citations.map(({ n }) => n));
  return answer.replace(markerPattern, (marker, n) => (cited.has(Number(n)) ? '' : marker));
}

function answerOf(search_id: string, terminal: TerminalEvent | undefined): string {
  if (terminal?.type !== 'search.completed') return '';
  const { result, citations } = terminal;
  const text = textResultOf(terminal);
  if (text === undefined) return JSON.stringify(structuredOutput(result, search_id)).slice(0, maxAnswer);
  return withoutMarkers({ answer: text.answer, citations }).slice(0, maxAnswer).toWellFormed();
}

/** The result of a search that ended with an answer in words. */
export function textResultOf(terminal: TerminalEvent | undefined): TextResult | undefined {
  if (terminal?.type !== 'search.completed') return undefined;
  const result = terminal.result as Partial<TextResult>;
  return typeof result.answer === 'string' && 'search_id' in result ? (result as TextResult) : undefined;
}

/** The newest prompts that together are no longer than a single one may be. */
function newestOf(prompts: readonly string[]): readonly string[] {
  let characters = 0;
  const tooOld = prompts.findLastIndex((prompt) => {
    characters += prompt.length;
    return characters > requestLimits.prompt_characters;
  });
  return prompts.slice(tooOld + 1);
}
