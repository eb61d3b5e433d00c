/**
 * Markdown as tokens, of texts that anyone may have written. The lexer calls itself for whatever is nested, and takes time
 * that grows with the square of a paragraph: what asks for too much of either is not taken apart, and shown as it stands.
 */
import { Lexer, type Token, type Tokens } from 'marked';

const deepest = 40;
/** UTF-16 units of one paragraph, heading or cell. */
const longestInline = 8_000;

/** The blocks of a text; undefined for one that nests too deep. */
export function blocksOf(text: string): readonly Token[] | undefined {
  return lexed(text)?.blocks;
}

/** The blocks of a text, and what their paragraphs hold; undefined where either is too much. */
export function tokensOf(text: string): readonly Token[] | undefined {
  const { blocks, lexer } = lexed(text) ?? {};
  if (blocks === undefined || lexer === undefined) return undefined;
  if (lexer.inlineQueue.some(({ src }) => src.length > longestInline)) return undefined;
  for (const { src, tokens } of lexer.inlineQueue) lexer.inlineTokens(src, tokens);
  return isNested(blocks, deepest) ? undefined : blocks;
}

function lexed(text: string): { readonly blocks: readonly Token[]; readonly lexer: Lexer } | undefined {
  const lexer = new Lexer();
  try {
    const blocks = lexer.blockTokens(text, lexer.tokens);
    return isNested(blocks, deepest) ? undefined : { blocks, lexer };
  } catch (error) {
    // The stack has an end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether tokens hold others more than `levels` deep. */
function isNested(tokens: readonly Token[], levels: number): boolean {
  if (levels === 0) return tokens.length > 0;
  return tokens.some((token) => {
    const { tokens: inner = [], items = [] } = token as Partial<Tokens.List & Tokens.Generic>;
    return isNested(inner as Token[], levels - 1) || isNested(items, levels - 1);
  });
}
