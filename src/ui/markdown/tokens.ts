/**
 * Tokenises Markdown from untrusted sources. The lexer recurses into nested blocks, and its time is quadratic in the length
 * of a paragraph, so text beyond either limit is not tokenised but shown as plain text.
 */
import { Lexer, type Token, type Tokens } from 'marked';

const maxNesting = 40;
/** UTF-16 units in one paragraph, heading or cell. Both limits are set by hand. */
const maxInlineLength = 8_000;

/** The blocks of a text; undefined if it nests too deeply. */
export function blocksOf(text: string): readonly Token[] | undefined {
  return lexed(text)?.blocks;
}

/** The blocks of a text with their inline tokens; undefined if it exceeds a limit. */
export function tokensOf(text: string): readonly Token[] | undefined {
  const { blocks, lexer } = lexed(text) ?? {};
  if (blocks === undefined || lexer === undefined) return undefined;
  if (lexer.inlineQueue.some(({ src }) => src.length > maxInlineLength)) return undefined;
  for (const { src, tokens } of lexer.inlineQueue) lexer.inlineTokens(src, tokens);
  return isNested(blocks, maxNesting) ? undefined : blocks;
}

function lexed(text: string): { readonly blocks: readonly Token[]; readonly lexer: Lexer } | undefined {
  const lexer = new Lexer();
  try {
    const blocks = lexer.blockTokens(text, lexer.tokens);
    return isNested(blocks, maxNesting) ? undefined : { blocks, lexer };
  } catch (error) {
    // The lexer ran out of stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether tokens are nested more than `levels` deep. */
function isNested(tokens: readonly Token[], levels: number): boolean {
  if (levels === 0) return tokens.length > 0;
  return tokens.some((token) => {
    const { tokens: inner = [], items = [] } = token as Partial<Tokens.List & Tokens.Generic>;
    return isNested(inner as Token[], levels - 1) || isNested(items, levels - 1);
  });
}
