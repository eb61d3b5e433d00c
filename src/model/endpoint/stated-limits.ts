/** What a complaint of an endpoint says about the lengths of prompts and answers. Complaints are in lower case. */

/** A number of tokens in a complaint, rather than of bytes or characters. */
const count = String.raw`(\d[\d,]{2,9})(?![\d,]*\s*(?:[km]?i?b|bytes|char\w*)\b)`;
/** The parameter that limits the answer, in the words of any protocol. */
const outputParameter = '(?:max_?(?:completion_?|output_?|new_?)?tokens|max output tokens|num_predict)';
/** Words before an upper bound. */
const bound =
  '(?:less than(?: or equal to)?|lower than|below|at most|no more than|<=|≤|up to|maximum|limit|' +
  "(?:not|cannot|can't) (?:be )?(?:exceed|(?:greater|more|larger|higher) than))";

const anyOf = (...patterns: readonly string[]) => new RegExp(patterns.join('|'));

/** Words of a limit for all calls of some time, or of what was paid for. */
const allowance = String.raw`\b(?:(?:second|minute|hour|week|month|year)(?:ly|s)?|days?|daily|annual(?:ly)?|quota|plan|free tier|billing|tp[mhd]|per (?:sec|min))\b`;

/** What is longer than it may be: the prompt, beside an answer or not. */
const tooLong = anyOf(
  'context.?(?:length|size|window)|maximum context|num_ctx|n_ctx',
  'too (?:long|many (?:input )?tokens)|prompt is too|input is too|reduce (?:the length|your message)',
  String.raw`\b(?:prompt|input) ?length|input token count`,
  // "`inputs` tokens + `max_new_tokens` must be <= 4096", of TGI.
  String.raw`\b(?:prompt|inputs?|messages)\b[^.]{0,40}(?:\+|\bplus\b)[^.]{0,20}${outputParameter}`,
  String.raw`\b(?:prompt|inputs?|messages)\b[^.]{0,30}(?:less than|fewer than|more than|longer than|at most|exceed\w*)[^.]{0,30}\b(?:tokens?|length)\b`,
  // Not "You have exceeded your monthly token limit".
  String.raw`^(?![^]*${allowance})[^]*exceed\w*[^.]{0,40}\btoken limit`,
);
/** The same of a whole request, which may also be too large because of the answer that it asks for. */
const tooLarge =
  /\b(?:request|payload|body|entity|content|prompt|inputs?|messages?) (?:(?:body|entity|is|are|was) )?too large|payload size/;

/** Whether a complaint says that the prompt is too long. */
export function isTooLong(complaint: string): boolean {
  if (tooLong.test(complaint)) return true;
  return tooLarge.test(complaint) && !new RegExp(outputParameter).test(complaint);
}

/** Whether a complaint says that the answer, too, takes room beside a prompt that is too long. */
export function isAboutBoth(complaint: string): boolean {
  return new RegExp(`${outputParameter}|completion|output tokens`).test(complaint);
}

/**
 * Whether a request is larger than what the endpoint takes within a minute, and so will never be taken: "Request too large … (TPM): Limit
 * 6000, Requested 7241", of Groq and OpenAI. What only has to wait has a smaller number.
 */
export function isOverRate(complaint: string): boolean {
  const [, limit, requested] = /\blimit:? ([\d,]+)[^.]{0,60}\brequested:? ([\d,]+)/.exec(complaint) ?? [];
  return toNumber(requested) > toNumber(limit);
}

const contexts = [
  String.raw`\b(?:n_ctx|num_ctx)\W{1,4}${count}`,
  // "188240 + 21333 > 200000", of Anthropic.
  String.raw`\d ?\+ ?\d[\d,]* ?> ?${count}`,
  String.raw`\+[^\d]{0,30}${bound}[^\d.]{0,20}${count}`,
  String.raw`(?:context|maximum|limit|up to|at most|cannot exceed)[^\d.]{0,60}?${count}`,
  String.raw`${count}[^\d.]{0,30}(?:context|maximum|limit)`,
].map((pattern) => new RegExp(pattern));

/** The length of the context that a complaint names, in tokens. */
export function contextIn(complaint: string): number | undefined {
  for (const pattern of contexts) {
    const tokens = toNumber(pattern.exec(complaint)?.[1]);
    if (tokens >= 1_000) return tokens;
  }
  return undefined;
}

const promptLimits = [
  // "`inputs` must have less than 1024 tokens", of TGI.
  String.raw`\binputs?\b\W{0,3}must (?:have|be) (less than|fewer than|at most|no more than) ${count} tokens`,
  // "Range of input length should be [1, 30720]", of DashScope.
  String.raw`()\b(?:input|prompt) length[^\d.]{0,30}\[\d{1,3}, ?${count}\]`,
  String.raw`()\bmax(?:imum)? (?:prompt|input) (?:length|tokens)[^\d.]{0,20}${count}`,
  // "Request body too large for gpt-4o model. Max size: 8000 tokens.", of GitHub.
  String.raw`()\bmax(?:imum)? size\W{1,3}${count} tokens`,
].map((pattern) => new RegExp(pattern));

/** The longest prompt that a complaint allows whatever the answer, in tokens. */
export function promptLimitIn(complaint: string): number | undefined {
  for (const pattern of promptLimits) {
    const [, than = '', number] = pattern.exec(complaint) ?? [];
    if (number !== undefined) return toNumber(number) - (/than$/.test(than) && !than.includes('more') ? 1 : 0);
  }
  return undefined;
}

/** The longest answer that an endpoint gives. */
export interface OutputLimit {
  readonly tokens: number;
  /** Whether the endpoint has stated it, rather than left it to be guessed. */
  readonly isStated: boolean;
}

const outputLimits = [
  // "the valid range of max_tokens is [1, 8192]", of DeepSeek; "from 1 (inclusive) to 65537 (exclusive)", of Google.
  String.raw`()(?:\[|\b(?:range|between|from)\b[^\d.]{0,40})\d{1,3}(?: \((?:in|ex)clusive\))? ?(?:,|\.\.\.?|-|–|to|and|through) ?${count}(?<end> ?\)| \(exclusive\))?`,
  // "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens", of Anthropic.
  String.raw`()> ?${count}[^\d.]{0,30}(?:maximum|limit)`,
  String.raw`(${bound})[^\d.]{0,40}${count}`,
].map((pattern) => new RegExp(pattern, 'g'));

/**
 * The longest answer that a complaint about the limit of an answer allows, if that is less than was `asked` for; undefined if it is about
 * something else, such as an answer that has no room beside its prompt.
 */
export function outputLimitIn(complaint: string, asked: number): OutputLimit | undefined {
  if (!new RegExp(outputParameter).test(complaint)) return undefined;
  if (isTooLong(complaint)) {
    // Groq explains it with the context: "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than
    // the `context_window` for this model".
    const [first] = new RegExp(`${outputParameter}[^\\d.]{0,40}${bound}[^\\d.]{0,20}${count}`).exec(complaint) ?? [];
    const isOfPrompt = /prompt|messages|\binputs?\b/.test(complaint);
    return first === undefined || isOfPrompt ? undefined : statedIn(first, asked);
  }
  const stated = statedIn(complaint, asked);
  if (stated !== undefined) return stated;
  if (!/too (?:large|high|big)|exceed|maximum|\b(?:range|between)\b|less than|at most|<=|≤/.test(complaint))
    return undefined;
  // Not the digits of a model's name, or of a date.
  const numbers = [...complaint.matchAll(/(?<![\w.-])\d[\d,]{2,9}(?![\w-])/g)].map(([number]) => toNumber(number));
  const smaller = numbers.filter((number) => number < asked);
  return { tokens: smaller.length > 0 ? Math.max(...smaller) : Math.floor(asked / 2), isStated: false };
}

function statedIn(complaint: string, asked: number): OutputLimit | undefined {
  for (const pattern of outputLimits) {
    for (const { 1: words, 2: number, groups } of complaint.matchAll(pattern)) {
      const isExclusive = groups?.end !== undefined || /^(?:less than|lower than|below)$/.test(words!);
      const tokens = toNumber(number) - (isExclusive ? 1 : 0);
      if (tokens < asked) return { tokens, isStated: true };
    }
  }
  return undefined;
}

/** A number with or without commas; NaN for undefined. */
function toNumber(digits: string | undefined): number {
  return Number(digits?.replaceAll(',', ''));
}
