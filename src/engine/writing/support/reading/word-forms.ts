/**
 * Words by the form in which they are compared: lower case, without accents, inflection removed. Irregular verbs and nouns
 * are listed, all others have Porter's stem. Superlatives and words with a negative prefix also know their base.
 */

import { detach } from '../../../../base/text/detach.ts';
import { fold } from '../../../../base/text/stems/fold.ts';
import { stem } from '../../../../base/text/stems/stemmer.ts';
import { stopWords } from '../../../../base/text/stop-words.ts';

/** What is known of a word wherever it is. */
export interface WordForm {
  readonly stem: string;
  /**
   * `function`: says nothing about a subject; `light`: so general that a paraphrase may leave it out or add it;
   * `content`: everything else.
   */
  readonly kind: 'function' | 'light' | 'content';
  /** The stem of the adjective if this is its superlative: "long" for "longest". */
  readonly superlativeOf?: string;
}

const irregularForms = `
arise arose arisen;awake awoke;bear bore borne;beat beaten;become became;begin began begun;bend bent;bind bound;bite bit bitten;bleed bled;blow blew blown;
break broke broken;breed bred;bring brought;build built;burn burnt;buy bought;catch caught;choose chose chosen;cling clung;come came;creep crept;deal dealt;
die died dead death dying dies;dig dug;draw drew drawn;drink drank drunk;drive drove driven;eat ate eaten;fall fell fallen;feed fed;feel felt;fight fought;
find found;flee fled;fly flew flown flight;forbid forbade forbidden;forget forgot forgotten;freeze froze frozen;get got gotten;give gave given;go went gone;
grind ground;grow grew grown growth;hang hung;hear heard;hide hid hidden;hold held;keep kept;kneel knelt;know knew known;lay laid;lead led;leave left;lend lent;
lie lay lain lying;light lit;lose lost loss losses;make made maker makers;mean meant;meet met;pay paid;ride rode ridden;ring rang rung;rise rose risen;run ran;say said;see saw seen;
seek sought;sell sold sale sales;send sent;shake shook shaken;shine shone;shoot shot;show shown;shrink shrank shrunk;sing sang sung;sink sank sunk;sit sat;sleep slept;
slide slid;speak spoke spoken;spend spent;spin spun;stand stood;steal stole stolen;stick stuck;strike struck stricken;strive strove;swear swore sworn;sweep swept;
swim swam swum;take took taken;teach taught;tear tore torn;tell told;think thought;throw threw thrown;understand understood;wake woke woken;wear wore worn;weave wove woven;
win won;withdraw withdrew withdrawn;write wrote written;overthrow overthrew overthrown;undergo underwent undergone;overcome overcame;marry married marries marriage;
child children;man men;woman women;person people persons;foot feet;tooth teeth;mouse mice;half halves;life lives;wife wives;leaf leaves;shelf shelves;crisis crises;
analysis analyses;medium media;datum data;criterion criteria;phenomenon phenomena;index indices;birth born;metre meter meters metres;kilometre kilometer kilometres kilometers;
litre liter liters litres;centre center centers centres centred centered;colour color colours colors;programme program programmes programs;defence defense;licence license;
grey gray;organise organize;labour labor;harbour harbor harbours harbors;theatre theater;catalogue catalog;travelled traveled;cancel cancelled canceled cancellation;
destroy destroyed destruction;choose choice choices;decide decision decisions;succeed success successful;receive receipt;produce production;reduce reduction;
describe description;approve approval;arrive arrival;refuse refusal;remove removal;propose proposal proposals;renew renewal;survive survival;defeat defeats defeated;
acquire acquisition acquisitions;expand expansion;extend extension;divide division;conclude conclusion;invade invasion;permit permission permits permitted;
exclude exclusion excluding;include inclusion;pursue pursuit;complain complaint complaints;deep depth;long length lengthen;wide width widen;high height;strong strength strengthen;
weigh weight weighs;hot heat;warm warmth;poor poverty;free freedom;wise wisdom;sign signature;house housed;lie situated;use usage;appear appearance;enter entry entrance entrances;
fish fisherman fishermen fishing;design designer designers;own owner owners ownership;teach teacher teachers;farm farmer farmers;
paint painter painters painting paintings;found founder founders foundation founded;direct director directors direction;manage manager managers management;own owners`;

/** Very general words of a sentence; set by hand. */
const lightWords = `
locate situate lie base stand serve know call name consider regard become make take give get go come put keep set use have include contain consist comprise form provide
allow able possible place way thing part kind type sort form number amount total time today now currently later earlier then ago also too even still already yet just
simply merely mainly mostly chiefly primarily largely generally usually typically often various several certain other another respective respectively well as such
overall altogether together both either roughly about approximately around nearly almost some approximate circa say state report write note explain add mention describe
accord accordance say said source article page text evidence there here thus therefore however moreover furthermore additionally addition meanwhile instead
rather quite very really actually indeed mean meaning say fact case event happen occur take place show indicate find itself himself herself themselves own
responsible respect regarding concern relate involve associate feature offer start end due result cause reason because since until before after during within
along across among between against toward towards per via upon onto into out up down off over under above below near next by at in on of from to for with without
than like unlike back away although though while whereas whether unless except despite besides apart`;

const negativePrefix = /^(?:un|in|im|il|ir|non|dis|mis)(?=[a-z]{4,})/;

const irregular = readIrregular();
const functions = new Set([
  ...stopWords,
  'nor',
  'neither',
  'onto',
  'never',
  'nobody',
  'nothing',
  'none',
  'nowhere',
  'one',
  'ones',
  'us',
]);
const light = new Set(
  lightWords
    .trim()
    .split(/\s+/)
    .map((word) => baseOf(word)),
);
const cache = new Map<string, WordForm>();

/** The form of a written word; forms are cached. */
export function formOf(found: string): WordForm {
  const known = cache.get(found);
  if (known !== undefined) return known;
  const written = detach(found);
  const lower = foldWritten(written);
  const base = baseOf(lower);
  const superlativeOf = superlativeBase(lower);
  const form: WordForm = {
    stem: base,
    kind: functions.has(lower) ? 'function' : light.has(base) ? 'light' : 'content',
    ...(superlativeOf === undefined ? {} : { superlativeOf }),
  };
  // A few words make up most of every text; a full cache starts over.
  if (cache.size > 20_000) cache.clear();
  if (written.length <= 40) cache.set(written, form);
  return form;
}

/** The stem without its negative prefix, if it has one: "safe" for "unsaf". */
export function withoutNegation(word: string): string | undefined {
  const found = negativePrefix.exec(word);
  return found === null ? undefined : word.slice(found[0].length);
}

/** Lower case without accents and without a possessive ending. */
export function foldWritten(written: string): string {
  return fold(written).replace(/['’]s?$/, '');
}

function baseOf(lower: string): string {
  return irregular.get(lower) ?? stem(british(lower));
}

/** One spelling for "organise" and "organize". */
function british(word: string): string {
  return word.length > 6 ? word.replace(/is(?=(?:e[drs]?|ing|ations?)$)/, 'iz') : word;
}

function superlativeBase(lower: string): string | undefined {
  const special = {
    best: 'good',
    worst: 'bad',
    most: 'many',
    least: 'little',
    furthest: 'far',
    farthest: 'far',
    eldest: 'old',
  };
  const listed = (special as Readonly<Record<string, string>>)[lower];
  if (listed !== undefined) return listed;
  if (!/^[a-z]{3,}est$/.test(lower) || notSuperlative.has(lower)) return undefined;
  return stem(
    lower
      .slice(0, -3)
      .replace(/([bdgmnt])\1$/, '$1')
      .replace(/i$/, 'y'),
  );
}

const notSuperlative = new Set(
  'forest interest request protest harvest honest modest invest suggest digest contest conquest manifest arrest guest quest priest chest west rest test nest northwest southwest tempest bequest behest midwest unrest'.split(
    ' ',
  ),
);

function readIrregular(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const group of irregularForms.replace(/\n/g, '').split(';')) {
    const [base = '', ...forms] = group.trim().split(' ');
    for (const form of [base, ...forms]) if (!found.has(form)) found.set(form, stem(base));
  }
  return found;
}
