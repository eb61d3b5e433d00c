/** Questions that ask for two things: "Who designed the tower, and when was it opened?" */
import { cleanPrompt } from './clean-prompt.ts';
import { splitContext } from './context.ts';
import { questionWords } from './question-words.ts';

const asks = questionWords();
/**
 * A verb before what it is about, which a question has that is answered by yes or no. "and is the tallest" and "and can swim" go on with
 * what is asked before.
 */
const asksYesOrNo = [
  String.raw`(?:do|does|did)(?! not)\s+\p{L}`,
  String.raw`(?:am|is|are|was|were|has|have|had|can|could|may|must|should|shall|will|would)\s+(?:i|you|we|they|he|she|it|there|this|these|those|any|anybody|anyone|somebody|someone|(?:the|an?|my|our|your|their|his|her)(?!\s+(?:\p{L}+est|most|least|only|first|last|best|worst)(?!\p{L})))(?!\p{L})`,
  // "is breakfast included", without an article
  String.raw`(?:is|are)\s+(?!not\s|also\s|still\s|now\s|often\s|always\s|never\s|\p{L}+ly\s)(?:\p{L}[\p{L}'-]*\s+){1,4}(?:accepted|allowed|available|banned|closed|compulsory|covered|extra|forbidden|free|included|mandatory|necessary|needed|open|optional|permitted|possible|prohibited|provided|refundable|required|supported|welcome)\s*(?=[?.,;]|$)`,
  String.raw`(?:kann|können|darf|dürfen|muss|müssen|soll|sollen|ist|sind|gibt|hat|haben|wird|werden|brauche|brauchen)\s+(?:ich|man|wir|sie|ihr|er|es|dort|das|der|die|eine?|meine?|unsere?|ihre?)(?!\p{L})`,
  String.raw`(?:est-ce|y\s+a-t-il|puis-je|peut-on|dois-je|doit-on|faut-il|avez-vous|êtes-vous|est-il|est-elle|sont-ils|sont-elles)(?!\p{L})`,
  String.raw`(?:puedo|podemos|se\s+puede|hay|tengo\s+que|tenemos\s+que|debo|es\s+posible|posso|possiamo|si\s+può|c['’]è|ci\s+sono|devo|è\s+possibile|pode-se|há|tenho\s+que|é\s+possível)(?!\p{L})`,
  String.raw`(?:kan|mag|moet|moeten|is|zijn|heeft|hebben|wordt|worden)\s+(?:ik|je|men|we|wij|u|het|de|er|een|mijn|ons|onze)(?!\p{L})`,
].join('|');
/** "by when do we have to pay"; "and in which year" asks for what one sentence says. */
const afterPreposition = String.raw`(?:about|at|by|for|from|in|of|on|since|to|under|until|with|ab|an|auf|bei|bis|für|mit|seit|um|unter|von|zu|à|avec|dans|de|depuis|pour|con|desde|en|hasta|para|por|a|con|da|di|per|op|tot|van|voor)\s+(?:${asks})(?:\s+[^\s?;]+){3}`;
/** Where a further part begins: "and" or a new sentence before a word or a verb that asks. */
const nextPart = new RegExp(
  String.raw`(?:(?<=[\p{L}\p{N})"”’'])[?;]\s+(?:(?:and|und|et|y|e|en)\s+)?|(?<!\s),?\s+(?:and|und|et|y|e|en)\s+)¿?(?=(?:${asks})(?!\p{L})|${afterPreposition}|${asksYesOrNo})`,
  'giu',
);
/** Words of a part; "when and where" asks for one sentence. Set by hand. */
const minWords = 3;
/** Parts that are answered; the rest of a questionnaire is left out. Set by hand. */
const maxParts = 3;

/** A part, and the first part as its context: "it" may be what that is about. */
export interface QuestionPart {
  readonly part: string;
  readonly context: string;
}

/** With an article or a word for somebody's own. */
const thing = String.raw`(?:the|my|our|your|its|der|die|das|dessen|meine?|unsere?|ihre?|le|la|les|mon|ma|mes|notre|votre|el|los|las|mi|nuestr[oa])(?:\s+(?!(?:between|zwischen|entre)\s)[\p{L}\p{N}'’-]+){1,3}?`;
/** "What is the price and the duration of a lesson?": the verb, two things that it asks after, and what both are of. */
const askedTogether = new RegExp(
  [
    String.raw`^((?:what|who|which)(?:['’]s|\s+(?:is|are|was|were))|(?:was|wer|wie|welche[rs]?)\s+(?:ist|sind|war|waren|lautet|lauten)|quel(?:le)?s?\s+(?:est|sont)|qui\s+(?:est|sont)|cuál(?:es)?\s+(?:es|son)|quién(?:es)?\s+(?:es|son))`,
    `(${thing})`,
    '(?:and|und|et|y)',
    String.raw`(${thing})((?:\s+(?:of|for|at|in|on|von|für|de|du|des|del|para)\s+[^?]+)?)[?\s]*$`,
  ].join(String.raw`\s+`),
  'iu',
);

/** The parts of a question after the first; empty for a question with one part, and for one that needs another as its context. */
export function splitQuestion(prompt: string): QuestionPart[] {
  if (splitContext(prompt)[1] !== '') return [];
  const asked = cleanPrompt(prompt);
  const [first = '', ...others] = asked.split(nextPart);
  if (!isWhole(first)) return [];
  if (others.length === 0) return splitThings(asked);
  return others
    .filter(isWhole)
    .slice(0, maxParts - 1)
    .map((part) => ({ part: part.trim(), context: first.trim() }));
}

/** Two things that are asked after at a time; "terms and conditions", which have one article, are one thing. */
function splitThings(prompt: string): QuestionPart[] {
  const [, asked, one, other, whose = ''] = askedTogether.exec(prompt.trim()) ?? [];
  if (asked === undefined) return [];
  return [{ part: `${asked} ${other}${whose}`, context: `${asked} ${one}${whose}` }];
}

function isWhole(part: string): boolean {
  return part.trim().split(/\s+/).length >= minWords;
}
