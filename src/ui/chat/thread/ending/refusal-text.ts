/** Why a search has no answer, in the language of the page. The server explains it in English; what is not known is left out. */
import { language } from '../../../language/choice.ts';
import { fill } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';

const r = t.refusals;

/** By the beginning of the English message; the second form is that of answers stored by earlier versions. */
const known: readonly (readonly [RegExp, text: string])[] = [
  [/^(?:The document named in the question|Nothing in the document that the question names)/, r.inDocument],
  [/^(?:None of the sources allowed by|Nothing in the sources that) this request/, r.allowed],
  [/^Nothing in these sources/, r.elsewhere],
  [/^Hello/, r.greeting],
  [/^You are welcome/, r.thanks],
  [/^There is no question/, r.noQuestion],
];

/** What the server says may help. */
const ways: readonly (readonly [RegExp, text: string])[] = [
  [/\ba language model\b/, r.model],
  [/\b(?:sources beyond those allowed|other sources than those)\b/, r.otherSources],
  [/\bwithout (?:naming|the name of) a document\b/, r.withoutName],
  [/\ba source that covers it\b/, r.sourceAdded],
];

/** The text of a refusal; undefined if there is none that is known. */
export function describeRefusal(message: string | undefined): string | undefined {
  if (language === 'en' || message === undefined) return message;
  if (!/^Not answered by these sources\b/.test(message)) return known.find(([start]) => start.test(message))?.[1];
  const helping = ways.flatMap(([way, text]) => (way.test(message) ? [text] : []));
  if (helping.length === 0) return r.unanswered;
  const listed = helping.reduce((first, second) => fill(r.both, { first, second }));
  return fill(r.help, { unanswered: r.unanswered, ways: listed });
}
