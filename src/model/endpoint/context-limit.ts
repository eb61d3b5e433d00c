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
