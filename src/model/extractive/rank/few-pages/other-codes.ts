/** Codes that a question names, such as those of errors: what is said of another one does not answer. */
import type { AnalysedQuestion } from '../../question/analyse.ts';
import type { Candidate } from '../features.ts';
import type { Detail } from './details.ts';

/** "F.75", "HR-229-118", "error f-75": a letter or a few with figures after a dot or a hyphen; not "p. 12", "v2.1", "top-10" or "mid-2024". */
const codeAsked =
  /(?<![\p{L}\p{N}.-])(?!(?:[PpVvSs]|[Pp]p|[Nn]o|[Nn]r|[Ss]t|[Vv]ol|[Cc]h|[Ss]ec|[Aa]rt|[Ff]ig|[Rr]s|[Kk]l|[Aa]bt|[Cc]a|DIN|EN|ISO|BGB|GMT|UTC|FSK)[.-])(?:\p{Lu}{1,4}-\d{1,4}|\p{L}{1,3}\.\d{1,4}|(?<=(?:[Ee]rror|[Ff]ault|[Cc]ode|[Aa]larm|[Ff]ehler|[Ee]rreur|[Cc]ódigo) )\p{L}{1,3}-\d{1,4})(?:[.-]\d{1,4})*(?![\p{L}\p{N}]|[.-]\p{N})/gu;

/** What says that a code of one or two figures is one: "error F.75", "Was bedeutet F.75?", not "the tunnel on I-95". */
const codeWord =
  '(?:errors?|faults?|codes?|alarms?|warnings?|messages?|fehler(?:code|meldung)?|störung(?:scode)?|meldung|erreurs?|défaut|código|codice|errore|avería|fallo|foutcode|storing)';
const wordBefore = new RegExp(
  String.raw`(?<!\p{L})(?:${codeWord}|bedeutet|heißt|signifie|significa|betekent|meant by)[ :]+["„“]?$`,
  'iu',
);
const wordAfter = new RegExp(
  String.raw`^["“”]?[ ,:]+(?:${codeWord}|means?|stands? for|bedeutet|bedeuten|signifie|significa|betekent)(?!\p{L})`,
  'iu',
);

/** Where no text has a code that the question names, what is said of another one does not answer. */
export function disqualifyOtherCodes(
  { asked }: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
): void {
  const codes = [...asked.matchAll(codeAsked)]
    .filter(({ 0: code, index }) => {
      const isAsked = wordBefore.test(asked.slice(0, index)) || wordAfter.test(asked.slice(index + code.length));
      return isAsked || code.replace(/\D/g, '').length >= 3;
    })
    .map(([code]) => code);
  if (codes.length === 0) return;
  const places = [
    ...new Set(candidates.flatMap(({ unit, source }) => [unit.text, unit.section, source.title, source.headings])),
  ];
  const said = places.map(withoutMarks);
  const isSaid = (code: string) => {
    const plain = withoutMarks(code);
    const asWord = figuresAlone(code);
    return said.some((text) => text.includes(plain)) || places.some((text) => asWord.test(text));
  };
  if (codes.every(isSaid)) return;
  for (const each of details) each.isDisqualified = true;
}

/** "F.75", "F-75", "F. 75" and "F 75" are the same code. */
function withoutMarks(text: string): string {
  return text.toLowerCase().replace(/(?<=[\p{L}\p{N}])[.\s-]{1,2}(?=\p{N})/gu, '');
}

/** The figures of a code after a word for what it is: "Error 118" for HR-118, "Interstate 495" for I-495. */
function figuresAlone(code: string): RegExp {
  const figures = code.replace(/^\P{N}+/u, '').replace(/[.]/g, '\\.');
  return new RegExp(
    String.raw`(?<!\p{L})(?:\p{Lu}\p{L}{2,}|${codeWord.toLowerCase()}) (?:no\. |nr\. )?${figures}(?![\p{N}]|[.,-]\p{N})`,
    'u',
  );
}
