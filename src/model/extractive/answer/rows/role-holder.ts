/**
 * The line that names who does something by the noun for it: "Owner: Rosa Blum" for "Who owns the shop?", "Gérante : Maëlle Kervran" for
 * "Qui dirige le magasin ?", "Leitung: Petra Anders" for "Wer hat die Versammlung geleitet?".
 */
import type { StemmedLanguage } from '../../../../base/text/stems/foreign-stemmer.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { cellsOf } from '../../text/cells.ts';
import { type ReadUnit, readPassage, type Source } from '../../text/passages.ts';
import type { WritablePiece } from '../write-pieces.ts';

/** What a question says of somebody, and the nouns for those who do it, the likeliest first. */
interface Role {
  readonly asks: RegExp;
  readonly nouns: readonly RegExp[];
}

const role = (asks: string, ...nouns: readonly string[]): Role => ({
  asks: new RegExp(`(?<!\\p{L})(?:${asks})(?!\\p{L})`, 'iu'),
  nouns: nouns.map((noun) => new RegExp(`(?:${noun})$`, 'iu')),
});
const after = (who: string, ...verbs: readonly string[]) => verbs.map((verb) => `${who} ${verb}`).join('|');

const roles: Readonly<Partial<Record<StemmedLanguage | 'en', readonly Role[]>>> = {
  en: [
    role('who owns|who does .{1,40} belong to', '^owners?|^proprietor', '^landlord|^landlady'),
    role(
      after('who', 'runs', 'manages', 'leads', 'heads', 'directs', '(?:is|was) in charge of', 'led', 'ran', 'managed'),
      '^managers?|manageress',
      '^directors?|^head|^leaders?',
      '^owners?|^proprietor',
      '^chair(?:man|woman|person)?|^president|^coordinator',
    ),
    role(
      after('(?:who|(?:which|what) (?:company|firm|brand))', 'makes', 'made', 'manufactures', 'produces', 'built'),
      '^manufacturers?|^makers?|^producers?|^builders?',
    ),
    role(after('who', 'teaches', 'taught'), '^teachers?|^instructors?|^tutors?'),
    role(after('who', 'coaches', 'trains', 'trained', 'coached'), '^coach|^trainers?'),
    role(after('who', 'organi[sz]es', 'organi[sz]ed'), '^organi[sz]ers?'),
    role(after('who', 'plays the piano'), '^pianist'),
    role(after('who', 'plays the organ'), '^organist'),
    role(after('who', 'conducts', 'conducted'), '^conductor'),
    role(after('who', 'cleans'), '^cleaners?'),
    role(
      after('who', 'took (?:the )?minutes', 'wrote (?:the )?minutes', 'takes (?:the )?minutes'),
      '^minutes',
      '^secretary',
    ),
    role(after('who', 'looks after the (?:house|building|flats?)'), '^caretaker|^janitor'),
  ],
  de: [
    role('wem gehört|wer besitzt', '(?:inhaber|eigentümer|besitzer)(?:in)?', '^vermieter(?:in)?'),
    role(
      'wer (?:leitet|führt(?! die kasse)|betreibt|managt)|wer hat .{1,60} geleitet|wer leitete',
      'leitung|leiter(?:in)?',
      'geschäftsführer(?:in)?|geschäftsführung',
      'inhaber(?:in)?',
      'vorsitzende[rn]?|vorsitz|^chef(?:in)?',
    ),
    role('wer (?:führt|verwaltet|macht) die kasse', '(?:kassen|kassier|schatz)\\p{L}*'),
    role('wer (?:trainiert|coacht)', 'trainer(?:in)?|übungsleiter(?:in)?'),
    role('wer unterrichtet', 'lehrer(?:in)?|lehrkraft|dozent(?:in)?'),
    role('wer (?:verwaltet)', 'verwalter(?:in)?|verwaltung'),
    role('wer (?:organisiert|hat .{1,60} organisiert)', 'organisator(?:in)?|organisation'),
    role('wer (?:schreibt|führt|hat) .{0,20}protokoll', '^protokoll\\p{L}*', 'schriftführer(?:in)?'),
  ],
  fr: [
    role('à qui appartient|qui possède|à qui est', '^propriétaires?', '^bailleur|^bailleresse'),
    role(
      'qui (?:dirige|gère|tient|mène|anime)',
      '^gérante?|^gestionnaire',
      '^direct(?:eur|rice)|^direction',
      '^responsables?|^chef(?:fe)?|^patronn?e?',
      '^président(?:e)?',
    ),
    role('qui entraîne', '^entraîneu(?:r|se)'),
    role('qui (?:enseigne|donne les cours|donne le cours)', '^professeure?|^enseignante?|^prof'),
    role('qui organise', '^organisat(?:eur|rice)'),
  ],
  es: [
    role('de quién es|a quién pertenece|quién posee', '^dueñ[oa]|^propietari[oa]', '^caser[oa]|^arrendador[a]?'),
    role(
      'quién (?:dirige|lleva|gestiona|manda en)',
      '^gerente|^encargad[oa]',
      '^direct(?:or|ora)|^dirección',
      '^responsable|^jef[ea]',
      '^president[ea]',
    ),
    role('quién entrena', '^entrenador[a]?'),
    role('quién (?:enseña|da clase|da las clases)', '^profesor[a]?'),
    role('quién organiza', '^organizador[a]?'),
  ],
};

/**
 * What a sentence says of who owns, runs or makes something, by what a question asks. One that begins with it is about what the page
 * is about.
 */
const sentences: readonly { readonly asks: RegExp; readonly says: RegExp }[] = [
  {
    asks: /(?:who|(?:which|what) (?:company|firm|brand)) (?:makes|made|manufactures|produces|built)/iu,
    says: /(?<!\p{L})(?:[Mm]ade|[Mm]anufactured|[Pp]roduced|[Bb]uilt) (?:(?:for|in) .{2,40} )?by (?:the )?\p{Lu}/u,
  },
  {
    asks: /who owns|who does .{1,40} belong to|wem gehör(?:t|en)|wer besitzt|à qui appart(?:ient|iennent)|qui possède/iu,
    says: /(?<!\p{L})(?:belongs? to|(?:is|are) (?:jointly )?owned by|is the property of|gehör(?:t|en)(?! zu)|im (?:Besitz|Eigentum)|apparti?en(?:t|nent) (?:à|au|aux))(?!\p{L})/iu,
  },
  {
    asks: /who (?:runs|manages|leads)|wer (?:leitet|führt|betreibt)|qui (?:dirige|gère)/iu,
    says: /(?<!\p{L})(?:(?:is|are) (?:run|managed|led|headed) by|wird von .{2,60} (?:geleitet|geführt|betrieben)|(?:est|sont) (?:dirigée?s?|gérée?s?) par)(?!\p{L})/iu,
  },
];

/** What has an owner or a manager where no name is needed for it. */
const anyPlace =
  /^(?:shop|store|place|business|company|firm|club|school|house|flat|building|organi[sz]ation|association|restaurant|hotel|café|laden|geschäft|betrieb|firma|verein|schule|haus|wohnung|magasin|boutique|entreprise|société|école|association|maison|appartement|tienda|negocio|empresa|escuela|casa|piso|asociación)$/i;
const asksForMaker = /(?:makes|made|manufactures|produces|built)$/;
/** A line with a name after what somebody is. */
const line = /^(\p{L}[^:\n]{1,50}?)\s?:\s(?=.{0,40}\p{Lu})/u;
/** Letters of a word that may be part of another one. */
const minPart = 5;

interface Found {
  readonly source: Source;
  readonly unit: ReadUnit;
  /** The place of its noun among those for the role. */
  readonly rank: number;
  /** Whether the line says what the question asks about as well: "Workshop leader". */
  readonly isOfThing: boolean;
}

/** The line of who does what a question asks about; undefined where no line, or more than one, has such a noun. */
export function quoteRoleHolder(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  const asked = roles[question.language ?? 'en']?.find(({ asks }) => asks.test(question.asked));
  if (asked === undefined) return undefined;
  const verb = asked.asks.exec(question.asked)![0].toLowerCase();
  const things = letterRuns(question.asked).filter((word) => word.length > 3 && !verb.split(/\s+/).includes(word));
  const found = sources.flatMap((source) => {
    const { units } = readPassage(source, question.language);
    // A manual names its own maker, and other things beside.
    const about = asksForMaker.test(verb) ? (/^#{1,3} .+/m.exec(source.text)?.[0] ?? '') : source.text;
    const said = letterRuns(`${source.title} ${about}`);
    const isSaid = things.every((thing) => anyPlace.test(thing) || said.some((word) => isPart(word, thing)));
    return units.flatMap((unit): Found[] => {
      const found = unit.kind === 'row' ? undefined : readLine(unit, asked.nouns, things);
      return found === undefined || !(found.isOfThing || isSaid) ? [] : [{ source, unit, ...found }];
    });
  });
  const ofThing = found.filter(({ isOfThing }) => isOfThing);
  const fitting = ofThing.length > 0 ? ofThing : found;
  const best = Math.min(...fitting.map(({ rank }) => rank));
  const [first, ...others] = fitting.filter(({ rank }) => rank === best);
  if (first === undefined) return sentenceOf(things, question, sources);
  const sentence = first.isOfThing ? undefined : sentenceOf(things, question, sources);
  if (sentence !== undefined) return sentence;
  // A row of its own says who does it.
  if (!first.isOfThing && sources.some((source) => hasRowOf(things, source, question))) return undefined;
  if (others.some(({ unit }) => unit.text !== first.unit.text)) return undefined;
  return { source: first.source, units: [first.unit] };
}

/** The one sentence that says it of the thing itself: "The hall belongs to the parish." */
function sentenceOf(
  things: readonly string[],
  { asked, language }: AnalysedQuestion,
  sources: readonly Source[],
): WritablePiece | undefined {
  const wanted = sentences.find(({ asks }) => asks.test(asked));
  if (wanted === undefined || things.length === 0) return undefined;
  const found = sources.flatMap((source) =>
    readPassage(source, language).units.flatMap((unit) => {
      const said = letterRuns(wanted.says.exec(unit.text)?.index === 0 ? `${source.title} ${source.text}` : unit.text);
      const isOf = things.every((thing) => said.some((word) => isPart(word, thing)));
      return unit.kind !== 'row' && wanted.says.test(unit.text) && isOf ? [{ source, units: [unit] }] : [];
    }),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a table has a row for all of the things. */
function hasRowOf(things: readonly string[], source: Source, { language }: AnalysedQuestion): boolean {
  if (things.length === 0) return false;
  return readPassage(source, language).units.some(({ kind, text }) => {
    const cell = kind === 'row' ? letterRuns(cellsOf(text)[0]!) : [];
    return cell.length > 0 && things.every((thing) => cell.includes(thing));
  });
}

/** What a line says; undefined if it names nobody of the role, or somebody of another thing. */
function readLine(
  { text }: ReadUnit,
  nouns: readonly RegExp[],
  things: readonly string[],
): Pick<Found, 'rank' | 'isOfThing'> | undefined {
  const label = letterRuns(line.exec(text)?.[1] ?? '');
  if (label.length === 0 || label.length > 6) return undefined;
  const rank = nouns.findIndex((noun) => label.some((word) => noun.test(word)));
  if (rank < 0) return undefined;
  // "Abteilungs" of "Abteilungsleiterin" is of the thing as well.
  const rest = label.map((word) => word.replace(nouns[rank]!, '')).filter((word) => word.length > 3);
  const isOfThing = rest.some((word) => things.some((thing) => isPart(thing, word.replace(/s$/, ''))));
  return rest.length > 0 && !isOfThing ? undefined : { rank, isOfThing };
}

/** Whether a word is another one, or a part of it: "handball" of "handballabteilung". */
function isPart(one: string, other: string): boolean {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  return long === short || (short.length >= minPart && long.includes(short));
}

function letterRuns(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
