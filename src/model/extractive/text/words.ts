/**
 * Words as the ranker sees them: where they stand, their stems and how they were written. Question and evidence go
 * through the same door, so they meet on the same stems. The stemmer is Porter's (1980) with irregular verbs put back to
 * their base; identifiers in camelCase are also taken apart, so that "request timeout" meets `requestTimeout`.
 */
import { stem } from '../../../base/text/stemmer.ts';

export interface Word extends Form {
  /** UTF-16 offsets into the text that was read. */
  readonly start: number;
  readonly end: number;
}

/** What is known of a word wherever it stands. */
interface Form {
  readonly stem: string;
  readonly capital: boolean;
  readonly digits: boolean;
  /** The parts of an identifier, `request`, `timeout`; empty for a plain word. */
  readonly parts: readonly string[];
}

const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\p{N}+(?:[.,]\p{N}+)*(?:[\p{L}\p{N}]\p{M}*)*|(?:\p{L}\.){2,}|(?:[\p{L}\p{N}_]\p{M}*)+(?:['’]\p{L}+)*/gu;

/** Every word of `text`, in order. */
export function readWords(text: string): Word[] {
  const words: Word[] = [];
  wordPattern.lastIndex = 0;
  for (let match = wordPattern.exec(text); match !== null; match = wordPattern.exec(text)) {
    const { stem, capital, digits, parts } = formOf(match[0]);
    words.push({ stem, start: match.index, end: wordPattern.lastIndex, capital, digits, parts });
  }
  return words;
}

/** As a reader counts them: what stands between blanks. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

/** The stem of a word as written: "Elections" and "elected" give "elect", "3,715" gives "3715". */
export function stemOf(written: string): string {
  return formOf(written).stem;
}

/** The same few words make up most of every text. */
const formsKnown = new Map<string, Form>();

function formOf(written: string): Form {
  const known = formsKnown.get(written);
  if (known !== undefined) return known;
  const first = written[0] ?? '';
  const form = {
    stem: computeStem(written),
    capital: first !== first.toLowerCase(),
    digits: /\p{N}/u.test(written),
    parts: partsOf(written),
  };
  if (formsKnown.size > 50_000) formsKnown.clear();
  if (written.length <= 40) formsKnown.set(written, form);
  return form;
}

function computeStem(written: string): string {
  let word = written
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s?$/, '')
    .replace(/['’]/g, '');
  if (/\p{N}/u.test(word))
    return word.replace(/[,.](?=\p{N}{3}(?!\p{N}))/gu, '').replace(/^(\d+)(?:st|nd|rd|th|s)$/, '$1');
  if (word === 'us') return written === 'US' ? 'american' : word;
  word = word.replace(/\./g, '');
  return irregular.get(word) ?? stem(word);
}

function partsOf(written: string): string[] {
  if (!/[a-z][A-Z]|_/.test(written) || written.length > 80) return [];
  return written
    .split(/_+|(?<=[a-z0-9])(?=[A-Z])/)
    .filter((part) => part !== '')
    .map(stemOf);
}

const irregular = new Map<string, string>();
for (const group of `write wrote written;win won;begin began begun;become became;build built;buy bought;bring brought;choose chose chosen;come came;do did done;die died death dead dies dying;draw drew drawn;drive drove driven;eat ate eaten;fall fell fallen;fight fought;find found;fly flew flown flight;
forbid forbade;forget forgot;get got gotten;give gave given;go went gone;grow grew grown growth;hold held;keep kept;know knew known knowledge;lead led;leave left;lose lost loss;make made;mean meant;meet met;pay paid;rise rose risen;run ran;say said;see saw seen;seek sought;sell sold sale;send sent;show shown;
sing sang sung song;sit sat;speak spoke spoken speech;spend spent;stand stood;steal stole stolen;strike struck;swim swam;take took taken;teach taught;tell told;think thought;throw threw thrown;understand understood;wear wore worn;marry married marriage marries wife husband spouse;bear born birth birthplace;
child children;man men;woman women;person people persons;foot feet;tooth teeth;mouse mice;country countries nation national;city cities;movie movies film films;author authors writer writers;british britain uk;french france;german germany;spanish spain;chinese china;japanese japan;italian italy;russian russia;
greek greece;turkish turkey;dutch netherlands;portuguese portugal;swiss switzerland;polish poland;irish ireland;english england;scottish scotland;swedish sweden;danish denmark;american america usa us;european europe`
  .replace(/\n/g, '')
  .split(';')) {
  const forms = group.split(' ');
  for (const form of forms) irregular.set(form, stem(forms[0]!));
}
