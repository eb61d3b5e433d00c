/**
 * The heading that says when something is, "# Street party, Saturday 11 July", for "When is the street party?": headings are no
 * units of their own, and the text below seldom says the day again.
 */

import { dayIn } from '../../../../base/text/dates/days.ts';
import { createWideReader } from '../../match/wide-reader.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { valueAskedBy } from '../../question/asked/asked-value.ts';
import { ReadUnit, readPassage, type Source } from '../../text/passages.ts';
import { plainStems, readForms, readWords } from '../../text/words.ts';
import type { WritablePiece } from '../write-pieces.ts';

const heading = /^#{1,6} +(.{1,120})$/gm;
/** What has the day on which it was written, and a question for a day to come. */
const written =
  /(?<!\p{L})(?:minutes|report|letter|newsletter|notes|agenda|protokoll|bericht|brief|compte[- ]rendu|procès-verbal|lettre|acta|verbale|notulen)(?!\p{L})/iu;
const toCome = /\b(?:will|again|next)\b/i;

/** What a heading with a day leaves out, "## 2.0.0 - 2023-06-10": that something happens, or appears. */
const happening: ReadonlySet<string> = new Set(
  readWords('release publish happen take hold come appear').map(({ stem }) => stem),
);

/** The only heading with a day and all that the question names; undefined where another text has them too. */
export function quoteDatedHeading(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  const { language, terms } = question;
  if (terms.length === 0 || valueAskedBy(question.asked) !== 'day' || toCome.test(question.asked)) return undefined;
  const readWidely = createWideReader(question);
  const isNamed = (stems: readonly string[]) => {
    const strengths = readWidely(stems);
    return (
      strengths.some((strength) => strength > 0) &&
      terms.every(({ stem }, term) => strengths[term]! > 0 || happening.has(stem))
    );
  };
  const found = sources.flatMap((source) =>
    [...source.text.matchAll(heading)].flatMap((match) => {
      const text = match[1]!.trim();
      const forms = readForms(text, language);
      return dayIn(text) !== undefined && !written.test(text) && isNamed(plainStems(forms.forms))
        ? [{ source, text, forms, match }]
        : [];
    }),
  );
  const [first] = found;
  if (first === undefined || found.some(({ text }) => text !== first.text)) return undefined;
  const isSaid = sources.some((source) =>
    readPassage(source, language).units.some(
      ({ text, words }) => dayIn(text) !== undefined && isNamed(plainStems(words)),
    ),
  );
  if (isSaid) return undefined;
  const { source, text, forms, match } = first;
  const start = match.index + match[0].indexOf(text);
  const place = {
    start,
    end: start + text.length,
    section: '',
    block: 0,
    indent: 0,
    header: '',
    label: '',
    bullet: '',
  };
  return { source, units: [new ReadUnit({ kind: 'sentence', text, ...place }, forms, new Set())] };
}
