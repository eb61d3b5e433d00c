/**
 * What a follow-up takes from the search before: the prompts of the conversation, and the last answer, so that "the second
 * one you named" can be resolved. Both are bounded: a search must not cost more, nor its record take more room, the longer
 * its conversation has become.
 */
import { requestLimits, type TerminalEvent, type TextResult } from '../../protocol/index.ts';
import type { Found } from '../runs/registry.ts';

export interface PreviousSearch {
  /** Oldest first; the newest of the conversation. */
  readonly prompts: readonly string[];
  /** Without markers; a structured one as JSON. Absent while the search runs, and if it did not answer. */
  readonly answer?: string;
}

/** Characters: about 500 tokens, which a model with a small context can spare. Set by hand. */
const maxAnswer = 2_000;

/** Undefined if there is no such search. */
export function previousSearch({ run, record, waiting }: Found): PreviousSearch | undefined {
  const prompts = (run ?? record ?? waiting)?.prompts;
  if (prompts === undefined) return undefined;
  const answer = answerOf(run?.log.terminal() ?? record?.terminal);
  return { prompts: newestOf(prompts), ...(answer === '' ? {} : { answer }) };
}

/** A conversation that goes on from `found`, the search before, with what the caller itself repeats of it. */
export function joinPrevious(found: PreviousSearch | undefined, repeated: PreviousSearch | undefined): PreviousSearch {
  const answer = repeated?.answer?.slice(0, maxAnswer).toWellFormed() ?? found?.answer;
  const prompts = newestOf([...(found?.prompts ?? []), ...(repeated?.prompts ?? [])]);
  return { prompts, ...(answer === undefined || answer === '' ? {} : { answer }) };
}

/** An answer without its markers, for readers who do not see the sources beside it. */
export function withoutMarkers({ answer, citations }: Pick<TextResult, 'answer' | 'citations'>): string {
  const cited = new Set(citations.map(({ n }) => n));
  return answer.replace(/ ?\[(\d{1,4})\]/g, (marker, n) => (cited.has(Number(n)) ? '' : marker));
}

function answerOf(terminal: TerminalEvent | undefined): string {
  if (terminal?.type !== 'search.completed') return '';
  const { result, citations } = terminal;
  const text = (result as { answer?: unknown }).answer;
  const isText = typeof text === 'string' && 'search_id' in result;
  if (!isText)
    return JSON.stringify('output' in result && 'search_id' in result ? result.output : result).slice(0, maxAnswer);
  return withoutMarkers({ answer: text, citations }).slice(0, maxAnswer).toWellFormed();
}

/** The newest prompts that are together no longer than a single one may be. */
function newestOf(prompts: readonly string[]): readonly string[] {
  let characters = 0;
  const tooOld = prompts.findLastIndex((prompt) => {
    characters += prompt.length;
    return characters > requestLimits.prompt_characters;
  });
  return prompts.slice(tooOld + 1);
}
