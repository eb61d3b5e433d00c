/**
 * Thoughts that a model writes into its answer: between `<think>` and `</think>`, in an `analysis` channel, or without a
 * beginning, because the endpoint's template already wrote that. They are never shown, cited or parsed. Other text passes
 * unchanged, as soon as it can be no thought and no markup of one.
 */

export interface ThoughtFilter {
  /** Takes a piece of the model's text and returns what of it, and of what waited, belongs to the answer. */
  push(piece: string): string;
  /** Returns the rest. Thoughts that never ended are no answer. */
  finish(): string;
}

const names =
  '(?:ant_?|seed:|mm:|longcat_)?think(?:ing)?(?:_process)?|thoughts?|reason(?:ing)?|reflection|analysis|scratch_?pad|(?:inner_)?monologue|chain_of_thought|cot';
const toAnswer = String.raw`(?:<\|start\|>assistant)?<\|channel\|>final(?:<\|constrain\|>\w+)?<\|message\|>`;
/** Before thoughts, after them, and marks of chat templates that say nothing. */
const marks = {
  opening: new RegExp(
    String.raw`<(?:${names})(?:\s[^<>\n]{0,40})?>|<\|?(?:begin_of_thought|START_THINKING|thinking)\|?>|\[(?:THINK|REASONING)\]|◁think▷|(?:<\|start\|>assistant)?<\|channel\|>(?!final\b)\w+(?:<\|constrain\|>\w+)?<\|message\|>`,
    'iy',
  ),
  closing: new RegExp(
    String.raw`<\/(?:${names})>|<\|?(?:end_of_thought|END_THINKING|\/thinking)\|?>|\[\/(?:THINK|REASONING)\]|◁\/think▷|${toAnswer}|<\|end\|>`,
    'iy',
  ),
  noise:
    /<\|(?:im_end|im_start|return|eot_id|endoftext|end_of_text|end_of_turn|assistant|message|start|(?:begin|end)_of_solution|(?:START|END)_RESPONSE)\|>|<end_of_turn>|<｜[^｜<>\n]{1,40}｜>/iy,
};
/** Tags that some put around the whole of their answer. */
const wrapper = /<(\/?)(answer|response|final_answer)>/iy;
/** What every mark begins with, and a text that may still become one. */
const markStart = /[<[◁]/g;
const unfinished =
  /^(?:<\/?[a-z:_]{0,20}(?:\s[^<>\n]{0,40})?|<\|[\w|<>/]{0,78}|<｜[^<>\n]{0,40}|\[\/?[A-Z]{0,9}|◁\/?[a-z]{0,6})$/i;

/** Characters, set by hand: no mark is longer, and text waits no longer for the end of thoughts that began nowhere. */
const longestMark = 80;
const longestHead = 300;

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
  let hasBegun = false;
  /** The name of the tag around the answer. */
  let wrapped: string | undefined;

  /** The length of a tag around the answer: one before its first word, and the one that closes it. */
  function wrapperAt(at: number): number {
    wrapper.lastIndex = at;
    const [tag = '', slash, name = ''] = wrapper.exec(waiting) ?? [];
    if (depth > 0 || (slash === '/' ? name.toLowerCase() !== wrapped : hasBegun)) return 0;
    wrapped = slash === '/' ? undefined : name.toLowerCase();
    return tag.length;
  }

  function keep(text: string): string {
    if (text === '') return '';
    if (depth === 0) {
      hasBegun ||= text.trim() !== '';
      atLineStart = text.endsWith('\n') || (atLineStart && text.trim() === '');
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
    while (at < waiting.length) {
      markStart.lastIndex = at;
      const next = markStart.exec(waiting)?.index ?? waiting.length;
      text += keep(waiting.slice(at, next));
      at = next;
      if (at === waiting.length) break;
      const isHead = head !== undefined;
      const opened = depth > 0 || atLineStart ? lengthAt(marks.opening, waiting, at) : 0;
      const closed = depth > 0 || atLineStart || isHead ? lengthAt(marks.closing, waiting, at) : 0;
      const rest = waiting.slice(at, at + longestMark);
      if (opened > 0) {
        depth += 1;
        inner = undefined;
        at += opened;
      } else if (closed > 0) {
        // An end without a beginning: everything until here was a thought.
        if (depth === 0 && isHead) head = text = '';
        depth = Math.max(0, depth - 1);
        inner = depth > 0 ? '' : undefined;
        atLineStart = true;
        at += closed;
      } else if (!isLast && at + rest.length === waiting.length && unfinished.test(rest)) break;
      else {
        const skipped = lengthAt(marks.noise, waiting, at) || wrapperAt(at);
        if (skipped === 0) text += keep(waiting[at]!);
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
        return piece;
      }
      waiting += piece;
      const text = read(false);
      if (head === undefined) return text;
      head = (head + text).trimStart();
      if (!isAnswer.test(head)) {
        if (isThinker || (head.length <= longestHead && !/\n[ \t]*\n/.test(head))) return '';
      }
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
