/**
 * Which forms of a verb a written English word may be. Regular past forms are recognised by their ending, irregular ones
 * from a list; a base form and the one in -s, which look like nouns, only for the verbs listed here.
 */

/** Base, past and past participle. */
const irregularVerbs = `be was been;bear bore borne;beat beat beaten;become became become;begin began begun;bend bent bent;bind bound bound;bite bit bitten;blow blew blown;
break broke broken;bring brought brought;build built built;buy bought bought;catch caught caught;choose chose chosen;come came come;cost cost cost;cut cut cut;deal dealt dealt;
dig dug dug;do did done;draw drew drawn;drink drank drunk;drive drove driven;eat ate eaten;fall fell fallen;feed fed fed;feel felt felt;fight fought fought;find found found;
flee fled fled;fly flew flown;forbid forbade forbidden;forget forgot forgotten;freeze froze frozen;get got got;give gave given;go went gone;grow grew grown;hang hung hung;
have had had;hear heard heard;hide hid hidden;hit hit hit;hold held held;hurt hurt hurt;keep kept kept;know knew known;lay laid laid;lead led led;leave left left;lend lent lent;
let let let;lie lay lain;light lit lit;lose lost lost;make made made;mean meant meant;meet met met;overthrow overthrew overthrown;pay paid paid;put put put;read read read;ride rode ridden;
ring rang rung;rise rose risen;run ran run;say said said;see saw seen;seek sought sought;sell sold sold;send sent sent;set set set;shake shook shaken;shine shone shone;
shoot shot shot;show showed shown;shut shut shut;sing sang sung;sink sank sunk;sit sat sat;sleep slept slept;speak spoke spoken;spend spent spent;split split split;
spread spread spread;stand stood stood;steal stole stolen;stick stuck stuck;strike struck struck;sweep swept swept;swim swam swum;take took taken;teach taught taught;
tear tore torn;tell told told;think thought thought;throw threw thrown;undergo underwent undergone;understand understood understood;wear wore worn;win won won;withdraw withdrew withdrawn;
write wrote written;hew hewed hewn;sow sowed sown;overcome overcame overcome;rebuild rebuilt rebuilt;undertake undertook undertaken;uphold upheld upheld;oversee oversaw overseen`;

/** Regular verbs that are common enough, and seldom nouns, so that their base form and the one in -s may be verbs. */
const regularVerbs = `abandon absorb accept accompany achieve acknowledge acquire adapt add address adjust admit adopt advise affect agree allow announce answer apologize appear apply
appoint approve argue arrange arrive ask assert assess assign assist assume attach attain attempt attend attract authorize avoid award believe belong bless block borrow breathe bury calculate
call cancel capture carry cause celebrate change characterize charge claim classify clean clear climb close collapse collect combine come commission compare compete complain complete
comprise conclude conduct confirm connect consider consist constitute construct consume contain continue contradict contribute control convert cover create criticize cross crowd damage
declare decline decorate decrease defeat defend define delay deliver demand demolish demonstrate deny depend describe design destroy detect determine develop die differ direct disable
disappear disclose discover discuss dismiss display dissolve distinguish distribute divide dominate donate double doubt drain dream drop dry earn eliminate emerge employ enable encourage end
enjoy ensure enter erect escape establish estimate exceed exclude exist expand expect expel expire explain explore export express extend face fail fear feature fetch fill finance finish fit
flow follow force form found fulfil fund gain gather generate govern grant guarantee handle happen hatch hate heal help hire hope host identify ignore implement import impose improve include
increase indicate influence inform inherit inspect install insist insure intend introduce invade invent invest investigate invite involve issue join judge jump kill lack last laugh launch
learn limit link live loan locate lock look love lower maintain manage manufacture marry measure melt mention merge migrate mine miss mount move murder need notice obtain occupy occur offer
open operate oppose order organize overlook owe own pack paint park participate pass perform permit persuade pick plan plant play praise predict prefer prepare prescribe present preserve
press prevent process produce prohibit promise promote propose protect prove provide publish pull purchase pursue push qualify question quit quote raise reach realize rebuild receive
recognize recommend record recover reduce refer reflect refuse regard register regulate reject release rely remain remember remind remove rename renew renovate rent reopen repair repeat
replace report represent request require rescue reserve resign resist resolve respond rest restart restore restrict result resume retain retire retry return reveal reverse review revive
reward ring rule sail satisfy save scale score search secure seem select serve settle share shift ship shorten show sign slow smell solve sound specify stage start state stay stem stop store
stretch study submit succeed suffer suggest suit supply support suppose surround survive suspect suspend sustain swallow switch symbolize target taste test thank threaten tie touch train
transfer transform translate transmit transport travel treat tremble trigger trust try turn underline unite update urge use vanish vary violate visit vote wait walk want warm warn wash waste
watch weaken weigh welcome widen wish withhold witness work worry yield accelerate accumulate age aim allege bloom bring contract decide deserve dislike eat enforce entitle estimate finalize
flower forecast ignore incur let manage notify occupy opt originate own possess print reckon redeliver refund repay revise round run span specialize start stem suffice tend terminate trade upgrade`;

export interface VerbForms {
  readonly past: boolean;
  readonly participle: boolean;
  readonly ing: boolean;
  /** "designs". */
  readonly third: boolean;
  readonly base: boolean;
}

const bases = new Set<string>();
const pasts = new Set<string>();
const participles = new Set<string>();
for (const line of irregularVerbs.replace(/\n/g, '').split(';')) {
  const [base = '', past = '', participle = ''] = line.split(' ');
  bases.add(base);
  pasts.add(past).add(past === 'was' ? 'were' : past);
  participles.add(participle);
}
for (const verb of regularVerbs.split(/\s+/)) bases.add(verb);

/** Adjectives and nouns in -ed that are not verbs. */
const notPast = new Set(
  'hundred red bed need speed seed feed breed deed weed shed indeed sacred naked kindred united embed aforementioned unrelated unexpected so-called'.split(
    ' ',
  ),
);
const notIng = new Set(
  'according including following regarding king thing something nothing anything everything building evening morning ring spring string wing during ceiling being wedding painting meeting opening housing'.split(
    ' ',
  ),
);

/** The forms that a lower-case word may be; all false if it is not a known verb. */
export function verbFormsOf(lower: string): VerbForms {
  const isRegularPast = lower.length > 3 && lower.endsWith('ed') && !notPast.has(lower) && !lower.startsWith('un');
  return {
    past: isRegularPast || pasts.has(lower),
    participle: isRegularPast || participles.has(lower),
    ing: lower.length > 5 && lower.endsWith('ing') && !notIng.has(lower),
    third: isThird(lower),
    base: bases.has(lower),
  };
}

function isThird(lower: string): boolean {
  if (!lower.endsWith('s') || lower.endsWith('ss')) return false;
  return (
    bases.has(lower.slice(0, -1)) ||
    (lower.endsWith('es') && bases.has(lower.slice(0, -2))) ||
    (lower.endsWith('ies') && bases.has(`${lower.slice(0, -3)}y`))
  );
}

/** Verbs that take the same thing as subject or as object, by stem: "the bridge opened", "they opened the bridge". */
export const labile =
  /^(?:open|close|start|begin|end|chang|increas|decreas|grow|sink|move|stop|break|run|burn|melt|freez|ring|sell|turn|win|fly|sail|play|meet|marri|join|link|connect|equal|double)$/;
