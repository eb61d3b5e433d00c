/** How much of the evidence goes into a prompt: as much as fits the context, the best first. */
import type { Call } from './call.ts';
import { charactersPerToken } from './wire.ts';

/** Roughly what vision models charge for one image. */
const tokensPerImage = 1_000;
/** Tokens that messages and their roles take beside the text; set by hand. */
const overhead = 50;

/** A cautious estimate: scripts without spaces have about one token per character, others one for three or four. */
function estimateTokens(text: string): number {
  let dense = 0;
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) >= 0x2e80) dense += 1;
  return Math.ceil(dense + (text.length - dense) / charactersPerToken);
}

/** The tokens of a prompt with the first `pieces` of the evidence. */
export function promptTokens(call: Call, pieces: number): number {
  const evidence = call.evidence.slice(0, pieces).reduce((sum, piece) => sum + estimateTokens(piece) + 2, 0);
  return overhead + estimateTokens(call.fixed) + evidence + (call.image === undefined ? 0 : tokensPerImage);
}

/** How many pieces of evidence fit into a prompt of at most `limit` tokens; at least one, where there are any. */
export function piecesWithin(call: Call, limit: number): number {
  const { evidence } = call;
  let left = limit - promptTokens(call, 0);
  let count = 0;
  while (count < evidence.length) {
    left -= estimateTokens(evidence[count]!) + 2;
    if (left < 0) break;
    count += 1;
  }
  return Math.min(evidence.length, Math.max(1, count));
}

/** Whether a complaint says that the prompt is too long. */
export function isTooLong(complaint: string): boolean {
  return /context.?(?:length|size|window)|maximum context|too (?:long|many (?:input )?tokens)|prompt is too|input (?:is too|length|token count)|num_ctx|n_ctx|reduce the length/.test(
    complaint,
  );
}

/** The length of the context that a complaint names, in tokens. */
export function contextIn(complaint: string): number | undefined {
  const found =
    /(?:context|maximum|limit|n_ctx|num_ctx|up to|at most)[^\d.]{0,60}?(\d[\d,]{3,9})/.exec(complaint)?.[1] ??
    /(\d[\d,]{3,9})[^\d.]{0,30}(?:context|maximum|limit)/.exec(complaint)?.[1];
  const tokens = toNumber(found);
  return tokens >= 1_000 ? tokens : undefined;
}

/**
 * A bound that a complaint sets to the answer itself. Groq explains it with the context: "`max_tokens` must be less than or equal
 * to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model".
 */
const statedLimit =
  /max_?(?:completion_|output_|new_)?tokens[^\d.]{0,40}(?:less than|at most|must be <=|up to)[^\d.]{0,20}(\d[\d,]{2,9})/;

/**
 * The longest answer, in tokens, that a complaint about the limit of an answer allows, if that is less than was `asked` for; undefined if
 * it is about something else, such as an answer that has no room beside its prompt.
 */
export function outputLimitIn(complaint: string, asked: number): number | undefined {
  const isAbout =
    /max_?(?:completion_|output_|new_)?tokens|maxoutputtokens|num_predict/.test(complaint) &&
    /too (?:large|high|big)|at most|exceed|maximum|less than|must be <=|supports? (?:up to|at most)/.test(complaint);
  if (!isAbout) return undefined;
  if (isTooLong(complaint)) {
    const stated = toNumber(statedLimit.exec(complaint)?.[1]);
    return stated < asked && !/prompt|messages|\binputs?\b/.test(complaint) ? stated : undefined;
  }
  const smaller = [...complaint.matchAll(/\d[\d,]{2,9}/g)]
    .map(([number]) => toNumber(number))
    .filter((number) => number < asked);
  return smaller.length > 0 ? Math.max(...smaller) : Math.floor(asked / 2);
}

/** A number with or without commas; NaN for undefined. */
function toNumber(digits: string | undefined): number {
  return Number(digits?.replaceAll(',', ''));
}
