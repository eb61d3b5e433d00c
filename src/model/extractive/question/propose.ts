/**
 * Questions that a document may answer, made from what it says of itself: headings that are questions, sentences that define
 * something, and headings that name a subject. They are candidates: whoever shows one asks it first.
 */
import { splitUnits } from '../text/sentences.ts';
import { countWords } from '../text/words.ts';

/** A stretch of a document, as it is indexed. */
export interface DocumentPassage {
  readonly snapshot: string;
  readonly text: string;
}

/** A question, and the page that it was made from. */
export interface ProposedQuestion {
  readonly question: string;
  readonly snapshot: string;
}

/** Questions of each kind from one page, and characters of a question; set by hand. */
const maxPerPage = 2;
const maxCharacters = 90;
/** "The Heron Desk is a …": a name of up to four words, and what it is. */
const definition =
  /^(?:(?:An?|The)\s+)?((?:\p{Lu}[\p{L}\p{N}'’-]*|`[^`]{2,40}`)(?:\s(?:of\s(?:the\s)?)?[\p{L}\p{N}][\p{L}\p{N}'’-]*){0,3}?)\s+(is|are)\s+(?:an?|the|one of)\s/u;
const pronoun =
  /^(?:it|he|she|they|we|you|i|this|that|these|those|there|here|what|who|which|such|each|all|both|one|if|when|as|in|on|at)\b/i;
/** Headings that name a place in a document instead of a subject. */
const structural =
  /^(?:(?:table of )?contents|introduction|overview|summary|abstract|appendix|notes?|references|bibliography|see also|faq|questions and answers|conclusions?|background|general|miscellaneous|other|index|about|details|examples?|more|links|chapter|section|part|article|page|version|step)\b|^[\p{N}\p{P}\s]*$/iu;
/** Words that English text is full of: the questions made here are in English. */
const english = /\b(?:the|and|of|to|is|are|for|with|you)\b/gi;

/** Candidates, the best kind first and pages in turn; none of documents in other languages but their own questions. */
export function proposeQuestions(passages: readonly DocumentPassage[]): ProposedQuestion[] {
  const asked: ProposedQuestion[] = [];
  const defined: ProposedQuestion[] = [];
  const named: ProposedQuestion[] = [];
  const add = (list: ProposedQuestion[], snapshot: string, question: string) => {
    const isNew = ![...asked, ...defined, ...named].some((each) => each.question === question);
    const ofPage = list.filter((each) => each.snapshot === snapshot).length;
    if (isNew && ofPage < maxPerPage && question.length <= maxCharacters) list.push({ question, snapshot });
  };
  for (const { snapshot, text } of passages) {
    const isEnglish = (text.match(english)?.length ?? 0) >= Math.max(3, countWords(text) / 30);
    let section = '';
    for (const unit of splitUnits(text)) {
      if (unit.section !== section) {
        section = unit.section;
        if (/\?$/.test(section)) {
          if (countWords(section) >= 3) add(asked, snapshot, section);
        } else if (isEnglish && namesSubject(section)) {
          add(named, snapshot, `What should I know about ${lowered(section)}?`);
        }
      }
      const [, name, verb] = (isEnglish && unit.kind === 'sentence' && definition.exec(unit.text)) || [];
      if (name !== undefined && !pronoun.test(name))
        add(defined, snapshot, `What ${verb} ${articleOf(unit.text)}${name}?`);
    }
  }
  return [...inTurn(asked), ...inTurn(defined), ...inTurn(named)];
}

function namesSubject(heading: string): boolean {
  const words = countWords(heading);
  return words >= 2 && words <= 6 && !structural.test(heading) && !/[:;()[\]{}<>=`/\\|]/.test(heading);
}

/** The article that the definition has: "the" of "The Heron Desk is …". */
function articleOf(text: string): string {
  const [, article] = /^(An?|The)\s/.exec(text) ?? [];
  return article === undefined ? '' : `${article.toLowerCase()} `;
}

/** "Opening hours" within a sentence; names and abbreviations keep their capitals. */
function lowered(heading: string): string {
  const bare = heading.replace(/^[\p{N}.)\s]+/u, '').replace(/[.!]+$/, '');
  const rest = bare.split(/\s+/).slice(1);
  const isTitleCase = rest.some((word) => /^\p{Lu}/u.test(word));
  return isTitleCase || /^\p{Lu}{2}/u.test(bare) ? bare : `${bare.slice(0, 1).toLowerCase()}${bare.slice(1)}`;
}

/** The first of each page, then the second of each. */
function inTurn(questions: readonly ProposedQuestion[]): ProposedQuestion[] {
  const seen = new Map<string, number>();
  return questions
    .map((each) => {
      const turn = seen.get(each.snapshot) ?? 0;
      seen.set(each.snapshot, turn + 1);
      return { each, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ each }) => each);
}
