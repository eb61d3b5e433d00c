/** The value that the evidence states for a field, from the statement that fits it best; null where two fit equally well and differ. */
import type { LeafValue } from '../../../engine/ports/model.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { stemOf } from '../text/words.ts';
import { findChoices } from './choice-values.ts';
import { claimOf, claimStems } from './claims.ts';
import { decide } from './decide.ts';
import { closeness, type FieldMatch, matchField, strengthIn } from './field-match.ts';
import { namesOf } from './field-roles.ts';
import { type Field, splitName } from './fields.ts';
import { type FoundValue, toValue } from './leaf-value.ts';
import { proposeNumbers } from './numbers/number-values.ts';
import type { Page } from './pages.ts';
import type { Proposal } from './proposals.ts';
import type { Statement } from './statements.ts';
import { proposeTexts } from './texts/text-values.ts';

// Set by hand.
/** What the relevance of the page counts for. */
const relevanceWeight = 1.5;
/** Added where the statement has the value of a field beside this one that the prompt asks for. */
const besideBonus = 1;
/** Two different values whose scores differ by less are both as likely. */
const tie = 0.02;
const moneyStems = new Set(['price', 'cost', 'amount', 'value', 'preis', 'prix', 'precio'].map(stemOf));

const shareStems = new Set(['rate', 'share', 'percentage'].map(stemOf));
const versionStems = new Set(['version'].map(stemOf));
const timeStems = new Set(['time'].map(stemOf));
const none: ReadonlySet<string> = new Set();

function numberStems({ dimension }: Field): ReadonlySet<string> {
  if (dimension === 'money') return moneyStems;
  return dimension === 'share' ? shareStems : dimension === undefined ? versionStems : none;
}

/** The value of a field, or null. `beside` are values of the same object that the prompt asks for. */
export function findStatedValue(
  field: Field,
  question: AnalysedQuestion,
  pages: readonly Page[],
  beside: readonly FoundValue[],
): LeafValue {
  const ignored = ignoredBy(field);
  const found = pages
    .filter((page) => selfEvident.has(field.role) || field.words.some((word) => strengthIn(word, page.stems) > 0))
    .flatMap((page) =>
      page.statements.flatMap((statement) =>
        proposeFrom(field, question, statement, page.isContinental, ignored).map((proposal) => ({
          ...placed(proposal, statement, page),
          score:
            proposal.score + relevanceWeight * page.relevance + (isBeside(statement, page, beside) ? besideBonus : 0),
        })),
      ),
    )
    .sort((a, b) => b.score - a.score);
  const [best] = found;
  const rival = found.find(({ value }) => value !== best!.value);
  if (best === undefined || (rival !== undefined && best.score - rival.score < tie)) return toValue(field, undefined);
  return toValue(field, { ...best, score: best.score - relevanceWeight * 0.6 });
}

function isBeside({ unit }: Statement, { source }: Page, beside: readonly FoundValue[]): boolean {
  return beside.some(({ evidence, start, end }) => evidence === source.n && start >= unit.start && end <= unit.end);
}

/** A proposal with its place in the evidence. */
export function placed(proposal: Proposal, statement: Statement, { source }: Page): FoundValue {
  return {
    value: proposal.value,
    score: proposal.score,
    evidence: source.n,
    start: statement.start + proposal.start,
    end: statement.start + proposal.end,
  };
}

function proposeFrom(
  field: Field,
  question: AnalysedQuestion,
  statement: Statement,
  isContinental: boolean,
  ignored: ReadonlySet<string>,
): Proposal[] {
  const isEvident = selfEvident.has(field.role) && field.words.every(({ stem }) => ignored.has(stem));
  const match = isEvident ? evident : matchField(field, question, statement, ignored);
  if (match === undefined) return [];
  return proposeValues(field, statement, match, isContinental).map((each) => ({
    ...each,
    score: each.score + match.score,
  }));
}

/** The values of a statement that is about the field, of those that the field may have. */
export function proposeValues(
  field: Field,
  statement: Statement,
  match: FieldMatch,
  isContinental: boolean,
): Proposal[] {
  return proposeAny(field, statement, match, isContinental).flatMap((proposal) => {
    const value = field.fit(proposal.value);
    return value === undefined ? [] : [{ ...proposal, value }];
  });
}

function proposeAny(field: Field, statement: Statement, match: FieldMatch, isContinental: boolean): Proposal[] {
  if (field.role === 'choice') return proposeChoice(field, statement, match);
  if (field.role === 'number') return proposeNumbers(field, statement, match, isContinental);
  if (field.role === 'boolean') {
    const decision = decide(field, statement, match);
    return decision === undefined ? [] : [{ ...decision, score: decision.certainty }];
  }
  const key = splitName(field.path.split('/').findLast((each) => each !== '-') ?? '').at(-1) ?? '';
  return proposeTexts(field, statement, match, key);
}

/** The one value of the field that a statement says; none if it says several. */
function proposeChoice(field: Field, statement: Statement, match: FieldMatch): Proposal[] {
  const { text, valueStart } = statement;
  const { values = [] } = field.allowed!;
  const [yes, no] = [/^yes$/i, /^no$/i].map((word) => values.find((value) => word.test(String(value))));
  if (yes !== undefined && no !== undefined) {
    const decision = decide(field, statement, match);
    return decision === undefined ? [] : [{ ...decision, value: decision.value ? yes : no, score: decision.certainty }];
  }
  const choices = findChoices(text, values).filter(({ span }) => span.start >= valueStart);
  if (new Set(choices.map(({ value }) => value)).size !== 1) return [];
  return choices.map(({ value, span: { start, end } }) => ({
    value,
    start,
    end,
    score: 0.3 + closeness(match, text, start, end),
  }));
}

/** Roles whose values say themselves what they are, wherever they are on the page. */
const selfEvident = new Set<Field['role']>(['email', 'phone', 'address']);
const saysItself = new Set<Field['role']>([...selfEvident, 'place', 'version', 'date']);
const evident: FieldMatch = { score: 0.3, places: [], isLabelled: false };

/** Words of the name that the value says itself: an amount of money is a price, and what is excluded need not say "included". */
function ignoredBy(field: Field): ReadonlySet<string> {
  if (field.role === 'boolean' || field.role === 'choice') return claimStems(claimOf(field));
  if (saysItself.has(field.role)) return new Set(namesOf(field.role).map(stemOf));
  if (field.role === 'number') return numberStems(field);
  return field.wantsTime ? timeStems : none;
}
