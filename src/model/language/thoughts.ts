/**
 * Thoughts that a model writes into its answer: between `<think>` and `</think>`, in an `analysis` channel, or without a
 * beginning, because the endpoint's template already wrote that. They are never shown, cited or parsed. Other text passes
 * unchanged, as soon as it can be no thought and no markup of one.
 */

import { createFenceReader } from '../../base/text/lines/fences.ts';
import { endsWithBreak } from './sentence-breaks.ts';

export interface ThoughtFilter {
  /** Takes a piece of the model's text and returns what of it, and of what waited, belongs to the answer. */
  push(piece: string): string;
  /** Returns the rest. Thoughts that never ended are not an answer. */
  finish(): string;
}

const names =
  '(?:ant_?|seed:|mm:|longcat_)?think(?:ing)?(?:_process)?|thoughts?|reason(?:ing)?|reflection|analysis|scratch_?pad|(?:inner_)?monologue|inner_thoughts?|internal(?:_thoughts?|_reasoning)?|chain_of_thought|cot|tool_calls?|function_calls?';
const toAnswer = String.raw`(?:<\|start\|>assistant)?<\|channel\|>final(?:<\|constrain\|>\w+)?<\|message\|>`;
/** Before thoughts, after them, and marks of chat templates that say nothing. */
const marks = {
  opening: new RegExp(
    String.raw`<(?:${names})(?:\s[^<>\n]{0,40})?>|<\|?(?:begin_of_thought|START_THINKING|thinking)\|?>|\[(?:THINK(?:ING)?|REASONING|TOOL_CALLS)\]|◁think▷|<\|channel>(?:thought|analysis)\b|<unused94>|(?:<\|start\|>assistant)?<\|channel\|>(?!final\b)\w+(?:<\|constrain\|>\w+)?<\|message\|>`,
    'iy',
  ),
  closing: new RegExp(
    String.raw`<\/(?:${names})\s?>|<\|?(?:end_of_thought|END_THINKING|\/thinking)\|?>|\[\/(?:THINK(?:ING)?|REASONING)\]|◁\/think▷|<channel\|>|<unused95>|${toAnswer}|<\|end\|>`,
    'iy',
  ),
  noise:
    /<\|(?:start_header_id\|>(?:assistant|system|user)?(?:<\|end_header_id)?|(?:im_end|im_start|return|eot_id|eom_id|eos|endoftext|begin_of_text|end_of_text|end_of_turn|assistant|user|system|message|start|end_header_id|python_tag|(?:begin|end)_of_(?:solution|box)|(?:START|END)_RESPONSE))\|>|<start_of_turn>(?:model|user)?|<end_of_turn>|<\/s>|\[\/INST\]|<think(?:ing)?\s?\/>|<｜[^｜<>\n]{1,40}｜>/iy,
};
/** What an answer may begin with that holds thoughts and ends in its own way: a fence named for them, and a fold. */
const folds = [
  { opening: new RegExp(`\`\`\`[ \\t]*(?:${names})[ \\t]*(?=\\n)`, 'iy'), closing: /\n[ \t]*```[ \t]*(?=\n|$)/g },
  {
    opening:
      /<details(?:\s[^<>\n]{0,30})?>\s{0,9}<summary>[^<>\n]{0,20}\b(?:think(?:ing)?|thoughts?|reason(?:ing)?|analysis)\b[^<>\n]{0,20}<\/summary>/iy,
    closing: /<\/details>/gi,
  },
];
const foldBegun =
  /^(?:`{1,3}[ \t]*\w{0,20}[ \t]*|<details(?:\s[^<>\n]{0,30})?(?:>\s{0,9}(?:<[a-z]{0,7}(?:>[^<>\n]{0,60}(?:<\/?[a-z]{0,7})?)?)?)?)$/i;
/** Characters, set by hand: no beginning of a fold is longer. */
const longestFold = 180;
/** Characters that the end of a fold may begin in. */
const longestEnd = 16;
/** Tags that some put around the whole of their answer, or at its end alone. */
const wrapper = /<(\/?)(answer|response|final_answer)>/iy;
/** What every mark begins with, and a text that may still become one. */
const markStart = /[<[◁`]/g;
const unfinished =
  /^(?:<\/?[a-z:_]{0,20}(?:\s[^<>\n]{0,40}|\s?\/|\||\d{1,2})?|<\|[\w|<>/]{0,78}|<｜[^<>\n]{0,40}|<start_of_turn>(?:m(?:o(?:d(?:el?)?)?)?|u(?:s(?:er?)?)?)?|<\|start_header_id\|>\w{0,9}(?:<\|?\w{0,13}\|?)?|\[\/?[A-Z_]{0,10}|◁\/?[a-z]{0,6})$/i;

/** Characters, set by hand: no mark is longer, and text waits no longer for the end of thoughts that began nowhere. */
const longestMark = 80;
const longestHead = 300;
/** Characters, set by hand: by these, the beginning of an answer is recognised. */
const longestBeginning = 400;

/**
 * A filter for one answer. `isAnswer` recognises the beginning of the real answer: until it has come, text waits for the
 * end of its first paragraph, because `</think>` may still say that all of it was a thought. With `isThinker`, it waits for
 * that alone.
 */
export function createThoughtFilter(isAnswer: RegExp, isThinker = false): ThoughtFilter {
  let waiting = '';
  /** How many thoughts are open, one in another. */
  let depth = 0;
  /** The beginning of the answer, while it may still be a thought. */
  let head: string | undefined = '';
  /** What follows the end of a thought within another. */
  let inner: string | undefined;
  let atLineStart = true;
  /** Whether a sentence ends here: a thought may begin after it, too. */
  let atSentenceEnd = true;
  let hasBegun = false;
  /** The name of the tag around the answer. */
  let wrapped: string | undefined;
  /** What ends the fold that is open. */
  let fold: RegExp | undefined;
  /** What is in a fence of the answer is code: no mark in it begins or ends a thought. */
  let code = createFenceReader();

  /** The length of a tag around the answer: one before its first word, and the one that closes it. */
  function wrapperAt(at: number): number {
    wrapper.lastIndex = at;
    const [tag = '', slash, name = ''] = wrapper.exec(waiting) ?? [];
    if (depth > 0 || (slash === '/' ? name.toLowerCase() !== wrapped : hasBegun)) return 0;
    wrapped = slash === '/' ? undefined : name.toLowerCase();
    return tag.length;
  }

  /** Whether a text that nothing ended as a thought so far is the answer. */
  function isAnswerBegun(text: string): boolean {
    return isAnswer.test(text) || !(isThinker || (text.length <= longestHead && !/\n[ \t]*\n/.test(text)));
  }

  /** Whether what was kept ends with the mark of code: a mark that an answer writes as code is part of it. */
  let isAfterTick = false;

  function keep(text: string): string {
    if (text === '') return '';
    if (depth === 0) {
      code.push(text);
      isAfterTick = text.endsWith('`');
      hasBegun ||= text.trim() !== '';
      atLineStart = text.endsWith('\n') || (atLineStart && text.trim() === '');
      atSentenceEnd = endsAtBreak(text) ?? atSentenceEnd;
      return text;
    }
    // A thought was mentioned within a thought, and never closed: the answer shows it.
    if (inner !== undefined) inner = (inner + text).trimStart().slice(0, longestHead);
    if (inner === undefined || !isAnswer.test(inner)) return '';
    depth = 0;
    return inner;
  }

  /** The text of the answer in `waiting`, as far as it is decided. */
  function read(isLast: boolean): string {
    let text = '';
    let at = 0;
    /** Where the next mark may begin: it is looked for once, not once for each line before it. */
    let mark = -1;
    /** How the answer begins, as far as it has come: all of it would be read again for each line. */
    let beginning = (head ?? '').slice(0, longestBeginning);
    let isBegun: boolean | undefined;
    const hasAnswerBegun = () => {
      if (beginning.length < longestBeginning) return isAnswerBegun(beginning);
      isBegun ??= isAnswerBegun(beginning);
      return isBegun;
    };
    const add = (kept: string) => {
      text += kept;
      if (beginning.length < longestBeginning)
        beginning += (beginning === '' ? kept.trimStart() : kept).slice(0, longestBeginning);
    };
    while (at < waiting.length) {
      if (fold !== undefined) {
        fold.lastIndex = at;
        const end = fold.exec(waiting);
        at =
          end === null
            ? Math.max(at, isLast ? waiting.length : waiting.length - longestEnd)
            : end.index + end[0].length;
        if (end === null) break;
        fold = undefined;
        atLineStart = true;
        continue;
      }
      const lineEnd = waiting.indexOf('\n', at) + 1 || waiting.length;
      if (depth === 0 && code.isOpen() && (head === undefined || hasAnswerBegun())) {
        add(keep(waiting.slice(at, lineEnd)));
        at = lineEnd;
        continue;
      }
      if (mark < at) {
        markStart.lastIndex = at;
        mark = markStart.exec(waiting)?.index ?? waiting.length;
      }
      const next = Math.min(mark, lineEnd);
      add(keep(waiting.slice(at, next)));
      at = next;
      if (at === waiting.length) break;
      if (at === lineEnd) continue;
      // What an endpoint gives in one piece is decided as if it had come in many.
      const isHead = head !== undefined && !hasAnswerBegun();
      const isStart = depth === 0 && !hasBegun && atLineStart;
      const folded = isStart ? folds.find(({ opening }) => lengthAt(opening, waiting, at) > 0) : undefined;
      if (folded !== undefined) {
        at += lengthAt(folded.opening, waiting, at);
        fold = new RegExp(folded.closing);
        continue;
      }
      if (isStart && !isLast && waiting.length - at <= longestFold && foldBegun.test(waiting.slice(at))) break;
      // A word in brackets may be a label of what follows.
      const mayBegin = depth > 0 || atLineStart || (atSentenceEnd && waiting[at] !== '[');
      const opened = mayBegin ? lengthAt(marks.opening, waiting, at) : 0;
      const ending = lengthAt(marks.closing, waiting, at);
      // In a line, only what ends it: a tag may be mentioned in prose.
      const afterEnd = ending > 0 && !(mayBegin || isHead) ? /^[ \t]*(\n|$)/.exec(waiting.slice(at + ending)) : null;
      if (afterEnd?.[1] === '' && !isLast) break;
      const closed = mayBegin || isHead || afterEnd !== null ? ending : 0;
      const rest = waiting.slice(at, at + longestMark);
      if (opened > 0) {
        depth += 1;
        inner = undefined;
        at += opened;
      } else if (closed > 0) {
        // An end without a beginning: everything until here was a thought.
        if (depth === 0 && isHead) {
          head = text = beginning = '';
          isBegun = undefined;
          code = createFenceReader();
        }
        depth = Math.max(0, depth - 1);
        inner = depth > 0 ? '' : undefined;
        atLineStart = true;
        at += closed;
      } else if (!isLast && at + rest.length === waiting.length && unfinished.test(rest)) break;
      else {
        const last = depth === 0 ? (/^<\/(?:answer|response|final_answer)>\s*$/i.exec(rest)?.[0].length ?? 0) : 0;
        const isLastTag = last > 0 && at + last === waiting.length;
        if (isLastTag && !isLast && wrapped === undefined) break;
        const skipped =
          (isAfterTick ? 0 : lengthAt(marks.noise, waiting, at)) || wrapperAt(at) || (isLastTag ? last : 0);
        if (skipped === 0) add(keep(waiting[at]!));
        at += Math.max(1, skipped);
      }
    }
    waiting = waiting.slice(at);
    return text;
  }

  return {
    push(piece) {
      if (head === undefined && depth === 0 && waiting === '' && !/[<[◁]/.test(piece)) {
        atLineStart = piece.endsWith('\n');
        atSentenceEnd = endsAtBreak(piece) ?? atSentenceEnd;
        code.push(piece);
        if (piece !== '') isAfterTick = piece.endsWith('`');
        return piece;
      }
      waiting += piece;
      const text = read(false);
      if (head === undefined) return text;
      head = (head + text).trimStart();
      if (!isAnswerBegun(head)) return '';
      const begun = head;
      head = undefined;
      return begun;
    },
    finish() {
      const text = read(true);
      const rest = (head ?? '') + text;
      head = undefined;
      return rest;
    },
  };
}

/** Whether a text ends with a sentence, a marker or a line; undefined if it is nothing but spaces. */
function endsAtBreak(text: string): boolean | undefined {
  const said = text.trimEnd();
  if (text.includes('\n', said.length)) return true;
  return said === '' ? undefined : endsWithBreak(said);
}

/** A whole answer without its thoughts. */
export function withoutThoughts(text: string): string {
  const filter = createThoughtFilter(/^(?!)/, true);
  return filter.push(text) + filter.finish();
}

/** Whether a whole answer begins with thoughts that nothing opened: other answers of this model may do so, too. */
export function thinksUnopened(text: string): boolean {
  const [before, after] = text.split(/<\/think(?:ing)?>|\[\/THINK\]/i, 2);
  return after !== undefined && !/<think(?:ing)?>|\[THINK\]/i.test(before!);
}

function lengthAt(mark: RegExp, text: string, at: number): number {
  mark.lastIndex = at;
  return mark.exec(text)?.[0].length ?? 0;
}
