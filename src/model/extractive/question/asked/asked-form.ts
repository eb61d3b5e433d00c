/**
 * The form of what a question asks for, where its words say more than the type of asked-value.ts: "how loud" asks for decibels, "which
 * email address" for one with an "@", "what colour" for a colour. A text without that form does not answer, whatever else it shares
 * with the question. In English only; other languages have the forms of their type.
 */
import { cellsOf } from '../../text/cells.ts';
import { type Form, foreign, foreignMoney, forms, untyped } from './answer-forms.ts';
import { countValues, type ValueType, valueAskedBy } from './asked-value.ts';
import { isChinese } from './chinese.ts';

/** What the answer to a question has to have. */
export interface AskedForm {
  /** Whether a text without such a value does not answer; where not, the value only makes it more likely. */
  readonly isRequired: boolean;
  /** The values in a text that the question does not have itself. */
  count(text: string, isRow: boolean): number;
  /** Whether a text may say it in another way, such as "no limit". */
  isOther(text: string): boolean;
}

/** Types whose values are recognised so surely in English, without a form of their own, that a text without any does not answer. */
const sure: ReadonlySet<ValueType> = new Set<ValueType>([
  'percent',
  'contact',
  'clock',
  'duration',
  'frequency',
  'count',
]);
/** And in Chinese, whose forms are those of the types. */
const sureInChinese: ReadonlySet<ValueType> = new Set<ValueType>(['money', 'age']);
/** What asks for a number of things in another language, and not for an amount. */
const foreignCount =
  /(?<!\p{L})(?:combien d['’]|(?:wie ?viele|combien de|cuánt[oa]s|quant[ie]|hoeveel \p{L}+(?:en|s)|quant[oa]s)(?!\p{L}))/iu;
/** Ways to state a value of these types without a figure: "for life", "as long as it is sunny", "any number", "after dark". */
const withoutFigure =
  /\b(?:as (?:long|many|often|much|soon|far|few|little|quickly) as|any (?:number|time)|no limits?|unlimited|without limit|unrestricted|for (?:life|ever|good)|lifetime|forever|indefinitely|permanent(?:ly)?|overnight|immediately|instantly|straight away|right away|at once|same day|(?:after|before|until|from|at) (?:dark|dawn|dusk|sunrise|sunset|nightfall|closing|lunch|dinner|breakfast)|(?:all|the whole|half the) (?:day|night|week|month|year|time)|round the clock|whenever|regularly|occasionally|seldom|rarely|none|no one|nobody|several|a (?:few|couple|pair)|both|neither)\b/i;
const telephone = /^\+?[\d ()/-]{7,}$/;
/** A cell that is a number; its unit is above the column. */
const numberCell = /(?:^|\| ?)\d[\d.,]*(?:$| ?\|)/;
/** The same, of an amount of money, but not a number that may be a year, such as 1986. */
const amountCell = /(?:^|\| ?)(?!(?:1[5-9]|20)\d\d(?:$| ?\|))\d[\d.,]*(?:$| ?\|)/;

/** Names of units and time zones have no form of their own. */
const asksForWord = /\b(?:what|which) (?:units?|(?:time ?)zones?)\b/i;

/** The form of what a question asks for; `isForeign` if it is not in English. Undefined where its words do not say. */
export function readAskedForm(question: string, isForeign = false): AskedForm | undefined {
  if (asksForWord.test(question)) return undefined;
  const type = valueAskedBy(question);
  const known = formsFor(question, type, isForeign);
  const form = known?.find((each) => each.question.test(question));
  if (form !== undefined)
    return {
      isRequired: form.isOptional !== true,
      count: createCounter(form.answer, question, type),
      isOther: () => false,
    };
  if (type === undefined) return undefined;
  const isSure = isForeign
    ? type === 'count' && foreignCount.test(question)
    : sure.has(type) || (isChinese(question) && sureInChinese.has(type));
  const count: AskedForm['count'] = (text, isRow) => {
    // The telephone number of a member is no number of members.
    const said =
      type === 'count' && isRow
        ? cellsOf(text)
            .filter((cell) => !telephone.test(cell))
            .join(' | ')
        : text;
    const values = countValues(type, said, question);
    return values === 0 && isSure && isRow && numberCell.test(text) ? 1 : values;
  };
  return { isRequired: isSure, count, isOther: (text) => isSure && withoutFigure.test(text) };
}

function formsFor(question: string, type: ValueType | undefined, isForeign: boolean): readonly Form[] | undefined {
  if (isChinese(question)) return undefined;
  if (isForeign) return type === 'money' ? foreignMoney : foreign;
  return type === undefined ? untyped : forms[type];
}

/** Whether the bare number in a cell may be a value of a type: nobody is called "60". */
function isFigure(type: ValueType | undefined): boolean {
  return type === 'money' || type === 'measure' || type === 'age';
}

/** "Serial number: …", "Policy no. | …", which nobody can call. */
const otherNumber =
  /^(?![^:|]{0,40}(?:phone|tel|mobil|cell|fax|contact|hotline|helpline|emergency|call|ruf|notfall|urgence|service))[^:|]{0,40}(?<!\p{L})(?:number|no\.?|nr\.?|nummer|numéro|n°|número|reference|ref\.?|code|date|datum)(?!\p{L})[^:|]{0,20}(?::|\s\|)/iu;

/** The bare number in a cell is a figure whose unit is above its column. */
function createCounter(answer: RegExp, question: string, type: ValueType | undefined): AskedForm['count'] {
  const inCells = isFigure(type);
  const asked = ` ${question.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const isAsked = (found: string) => {
    const words = found
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    return words === '' ? question.includes(found) : asked.includes(` ${words} `);
  };
  return (text, isRow) => {
    let count = 0;
    if (type === 'contact' && otherNumber.test(text)) return 0;
    // "when the parcel leaves" answers "When …?".
    for (const [found] of text.matchAll(answer)) if (/^when$/i.test(found) || !isAsked(found)) count += 1;
    const cell = type === 'money' ? amountCell : numberCell;
    return count === 0 && inCells && isRow && cell.test(text) ? 1 : count;
  };
}
