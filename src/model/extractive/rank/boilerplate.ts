/**
 * What a document says without telling anything: how a letter greets and ends, the lines above an e-mail, and questions that it asks
 * itself. In a few pages such a unit may have more words of a question than the one that answers it.
 */
import { countMailHeaders, isClosing } from '../../../base/text/lines/mail-lines.ts';
import type { Unit } from '../text/sentences.ts';

const greeting =
  /^(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|hallo|liebe[rs]?|sehr geehrte[rs]?|guten tag|bonjour|ch[eè]re?s?|hola|estimad[oa]s?|querid[oa]s?|buongiorno|gentile|ciao|beste|geachte|olá|prezad[oa]s?|car[oa]s?)(?: [\p{L}.'’-]+){0,4}\s?[,!:]$/iu;

/** Whether a unit of a document answers no question. */
export function isBoilerplate({ kind, text }: Pick<Unit, 'kind' | 'text'>): boolean {
  if (kind === 'code' || kind === 'row') return false;
  return text.endsWith('?') || greeting.test(text) || isClosing(text) || countMailHeaders(text) > 1;
}
