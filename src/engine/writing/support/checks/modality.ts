/**
 * How certain a source is, and who says so. "May reduce", "is planned", "critics argue that" and "if the council agrees" do not support
 * a claim that leaves them out; a claim may be more careful than its source.
 */
import type { Alignment } from '../alignment.ts';
import { phraseOf, type Reading } from '../reading/reading.ts';
import { type Check, type Fault, unsupported } from './fault.ts';

const hedges = new Set(
  'may might could perhaps possibly probably likely maybe apparently allegedly reportedly supposedly presumably potentially suspected rumoured rumored speculated seem seems seemed appears unlikely'.split(
    ' ',
  ),
);
const modal =
  /\b(?:may|might|could|can|perhaps|possibl[ey]|probabl[ey]|likely|maybe|apparently|allegedly|reportedly|supposedly|presumably|potential(?:ly)?|suspect\w*|rumou?r\w*|seem\w*|appear\w*|suggest\w*|estimat\w*|believ\w*|think|thinks|thought|expect\w*|forecast\w*|predict\w*|assum\w*|hypothes\w*|unclear|uncertain|allowed|permitted|able|need not|sometimes|about|up to|hope\w*|fear\w*|consider\w*)\b/;
/** Words for what is to come, and for what was meant to. */
const plans =
  /\b(?:will|would|shall|plans? to|plans a|planned|planning|proposed?|proposes|intends?|intended|hopes?|hoped|aims?|scheduled|expected|expects|forecasts?|predicts?|predicted|promised?|promises|pledged|is to|are to|was to|were to|going to|set to|due to (?=open|close|start|begin|be)|agreed to|wants? to|wanted to|tried to|considers?|considering|projected|envisaged)\b/;
const past = /\b(?:was|were|had|has|have|did|been)\b|\b\w{3,}ed\b/;
/** Verbs with which somebody's opinion is reported, and nouns of those who have opinions. */
const opinions =
  /\b(?:argues?|argued|arguing|claims?|claimed|claiming|alleges?|alleged|believes?|believed|thinks?|insists?|insisted|contends?|contended|asserts?|asserted|maintains?|maintained|accuses?|accused|complains?|complained|fears?|feared|doubts?|doubted|suspects?|suspected|hopes?|hoped|predicts?|predicted|warns?|warned|speculates?|speculated|feels?|felt|afraid|worried|worry|worries|suggests?|suggested|denies|denied|criticised|criticized|praised|says|said|say|saying|told|called|calls|describes?|described|considers?|considered|according to|in (?:his|her|their|my) (?:view|opinion)|reckons?|writes that|wrote that|rumou?rs?|legend|opinion|myth|joked|imo|promised|promises|threatened)\b/;
const firstPerson = /\b(?:i think|i believe|i guess|i suspect|i feel|in my opinion|imo|i am not sure|i heard)\b/;
/** A statement by these counts as the page's own. */
const trusted =
  /\b(?:study|studies|report|reports|survey|surveys|census|data|figures|statistics|results|documentation|manual|official|officials|ministry|agency|researchers|researcher|team|authors|scientists|website|inspectors|police|specification|table|law|act|court|company|spokesman|spokeswoman|statement)\b/;
const conditions = new Set(['if', 'unless', 'provided', 'except', 'otherwise', 'excluding', 'lest']);
const restrictions = new Set(['only', 'solely', 'exclusively', 'except', 'unless', 'outside', 'without', 'other']);

/** Looks for what a claim leaves out of a careful source. */
export const checkModality: Check = (claim, source, alignment) => {
  const said = phraseOf(claim.tokens, 0, claim.tokens.length);
  return [
    ...hedged(claim, source, alignment, said),
    ...planned(claim, source, alignment, said),
    ...undone(source, alignment, said),
    ...undecided(source, alignment, said),
    ...attributed(claim, source, alignment, said),
    ...conditional(source, alignment, said),
  ];
};

function hedged(claim: Reading, source: Reading, alignment: Alignment, said: string): Fault[] {
  if (modal.test(said)) return [];
  const at = source.tokens.findIndex(
    ({ lower }, index) => hedges.has(lower) && !isPermission(source, index) && governs(source, index, alignment),
  );
  if (at === -1) return [];
  // "May enter only with consent" and "must not": a rule in other words.
  if (
    /\b(?:only|not|no|never|without|must|limited|maximum|minimum|free|forbidden|prohibited|needs?|requires?)\b/.test(
      said,
    ) &&
    source.tokens[at]!.lower === 'may'
  )
    return [];
  return claim.negations.length > source.negations.length
    ? []
    : [unsupported('hedge', `the source says "${source.tokens[at]!.text}"`)];
}

function isPermission({ tokens }: Reading, at: number): boolean {
  const next = tokens[at + 1]?.lower ?? '';
  return tokens[at]!.lower === 'may' && (next === 'not' || next === 'only' || tokens[at]!.isCapital);
}

function planned(claim: Reading, source: Reading, { matches }: Alignment, said: string): Fault[] {
  const isPast = past.test(said);
  if (
    plans.test(said) ||
    /\b(?:rejected|failed|cancelled|canceled|abandoned|refused|declined|called off|scrapped)\b/.test(said)
  )
    return [];
  for (const [at, { at: to, relation }] of matches) {
    if (
      relation === 'rival' ||
      claim.tokens[at]!.kind !== 'content' ||
      claim.isName[at] ||
      claim.tokens[at - 1]?.lower === 'to'
    )
      continue;
    const clause = source.clauses[to];
    if (/^(?:the|a|an|its|his|her|their|of|in|on|at|for|with|by)$/.test(source.tokens[to - 1]?.lower ?? '')) continue;
    let from = to;
    while (from > 0 && to - from < 4 && source.clauses[from - 1] === clause) from -= 1;
    const cue = plans.exec(phraseOf(source.tokens, from, to))?.[0];
    if (cue !== undefined && (isPast || !/^(?:will|would|shall)$/.test(cue)))
      return [unsupported('plan', `the source says "${cue}"`)];
  }
  // "Was proposed in 2023", of something that the claim says was done.
  const isOpen = claim.words.some(
    (at) => !matches.has(at) && claim.tokens[at]!.kind === 'content' && !claim.isName[at],
  );
  const cue = source.tokens.findIndex(({ lower }) => /^(?:proposed|planned|scheduled|intended|promised)$/.test(lower));
  return isPast &&
    isOpen &&
    cue !== -1 &&
    [...matches.values()].some(({ at }) => source.clauses[at] === source.clauses[cue])
    ? [unsupported('proposal', `the source says "${source.tokens[cue]!.text}"`)]
    : [];
}

/** Words for what is still being done, was only asked for, or was put off. */
const unfinished =
  /^(?:being) (?:developed|built|planned|prepared|considered|negotiated|investigated|discussed|tested|written|constructed)|^in (?:development|preparation|planning)|^under (?:construction|discussion|development|consideration)/;
const requests =
  /^(?:motion|proposal|request|bid|plea|attempt|plan|application|call|demand|petition|recommendation|idea|campaign|offer|threat)s? (?:to|for|that)$/;
const putOff =
  /^(?:postponed|cancelled|canceled|rejected|withdrawn|suspended|abandoned|delayed|shelved|referred|dropped|denied|refused|blocked|stopped|halted)$/;

/** "A motion to make buses free", "the purchase was postponed", "is being developed": nothing of that is done. */
function undone(source: Reading, { matches, reverse }: Alignment, said: string): Fault[] {
  const { tokens, clauses } = source;
  const taken = (from: number, to: number) =>
    [...matches.values()].filter(
      ({ at }) => at >= from && at < to && clauses[at] === clauses[from] && tokens[at]!.kind === 'content',
    ).length;
  for (const [at, { lower }] of tokens.entries()) {
    const two = `${lower} ${tokens[at + 1]?.lower ?? ''}`;
    if (
      unfinished.test(two) &&
      !/\b(?:being|under|develop|plan|prepar|consider)/.test(said) &&
      taken(Math.max(0, at - 10), at) > 0
    )
      return [unsupported('plan', `the source says "${two}"`)];
    if (
      requests.test(two) &&
      !said.includes(lower.replace(/s$/, '')) &&
      taken(at + 2, at + 12) > 0 &&
      !plans.test(said)
    )
      return [unsupported('proposal', `the source says "${two}"`)];
    const isPutOff = putOff.test(lower) && !reverse.has(at) && taken(Math.max(0, at - 12), at) > 0;
    if (isPutOff && !/\b(?:not|no|never|without|wait|until|refus|reject|drop|with(?:drew|draw))/.test(said))
      return [unsupported('proposal', `the source says "${lower}"`)];
  }
  return [];
}

/** "Left open whether" decides nothing. */
function undecided(source: Reading, { matches }: Alignment, said: string): Fault[] {
  if (/\b(?:whether|if|open|unclear|unknown|undecided|uncertain)\b/.test(said)) return [];
  const at = source.tokens.findIndex(({ lower }) => lower === 'whether');
  const isTaken =
    at !== -1 &&
    [...matches.values()].some(
      (match) =>
        match.at > at && source.clauses[match.at] === source.clauses[at] && source.tokens[match.at]!.kind === 'content',
    );
  return isTaken ? [unsupported('undecided', 'the source says "whether"')] : [];
}

function attributed(claim: Reading, source: Reading, alignment: Alignment, said: string): Fault[] {
  const words = phraseOf(source.tokens, 0, source.tokens.length);
  if (firstPerson.test(words) && !opinions.test(said) && !/\buser|one\b/.test(said))
    return [unsupported('first person', 'somebody thinks so')];
  if (opinions.test(said) || /\b(?:would like|wants?|intends?|plans?|aims?)\b/.test(said)) return [];
  const cue = opinions.exec(words);
  if (cue === null) return [];
  const at = words.slice(0, cue.index).split(' ').length - 1;
  const clause = source.clauses[at];
  const before = source.tokens.slice(0, at).filter((_, index) => source.clauses[index] === clause);
  const after = source.tokens
    .slice(at, at + 8)
    .map(({ lower }) => lower)
    .join(' ');
  const speaker = before.map(({ lower }) => lower).join(' ');
  if (
    trusted.test(cue[0] === 'according to' ? after : speaker) &&
    !/^(?:claim|argu|alleg|fear|suspect|hope|doubt)/.test(cue[0])
  )
    return [];
  // Only what the verb introduces is an opinion: "said that …", and what comes before ", he said".
  const isAfter =
    before.length === 0 && cue[0] === 'according to' ? true : !/["”,]/.test(source.tokens[at - 2]?.text ?? '');
  const inside = [...alignment.matches].filter(
    ([index, { at: to }]) =>
      (isAfter ? to > at : to < at) && claim.tokens[index]!.kind === 'content' && !claim.isName[index],
  );
  const outside = [...alignment.matches].filter(
    ([index, { at: to }]) =>
      (isAfter ? to < at : to > at) && claim.tokens[index]!.kind === 'content' && !claim.isName[index],
  );
  return inside.length > 0 && inside.length > outside.length
    ? [unsupported('opinion', `somebody's opinion: "${cue[0]}"`)]
    : [];
}

function conditional(source: Reading, { matches }: Alignment, said: string): Fault[] {
  const faults: Fault[] = [];
  const hasOwn =
    /\b(?:if|unless|provided|except|when|whenever|without|only|as long as|outside|other than|requires?|needs?|must|in case|should|would|depends?|otherwise|but|with)\b/.test(
      said,
    );
  for (const [at, { lower }] of source.tokens.entries()) {
    const isCondition = conditions.has(lower) || (lower === 'when' && at > 0 && !past.test(clauseText(source, at)));
    const isRestriction = restrictions.has(lower) && !isCondition;
    if (!isCondition && !isRestriction) continue;
    const clause = source.clauses[at]!;
    const own = source.words.filter(
      (index) => index > at && source.clauses[index] === clause && source.tokens[index]!.kind === 'content',
    );
    const taken = own.filter((index) => [...matches.values()].some((match) => match.at === index));
    const main = [...matches.values()].filter(
      (match) => !own.includes(match.at) && source.tokens[match.at]!.kind === 'content',
    );
    if ((own.length === 0 && !isCondition) || main.length === 0 || taken.length > 0) {
      // "Only" itself: a claim may leave out those that it excludes, but never say "all".
      if (
        isRestriction &&
        lower === 'only' &&
        taken.length > 0 &&
        main.length > 0 &&
        /\b(?:all|every|any|always)\b/.test(said)
      )
        faults.push(unsupported('restriction', 'only'));
      continue;
    }
    const near = main.some(
      (match) => Math.abs(source.clauses[match.at]! - clause) <= 1 && !isParted(source, match.at, at),
    );
    if (!hasOwn && near && !(isRestriction && lower === 'other'))
      faults.push(unsupported(isCondition ? 'condition' : 'restriction', `the source says "${lower} …"`));
  }
  return faults;
}

/** Whether a semicolon or a full stop is between two tokens. */
function isParted({ tokens }: Reading, one: number, other: number): boolean {
  return tokens.slice(Math.min(one, other), Math.max(one, other)).some(({ text }) => text === ';' || text === '.');
}

function clauseText({ tokens, clauses }: Reading, at: number): string {
  return tokens
    .filter((_, index) => clauses[index] === clauses[at])
    .map(({ lower }) => lower)
    .join(' ');
}

/** Whether a word of the claim follows the cue in its clause. */
function governs(source: Reading, cue: number, { matches }: Alignment): boolean {
  return [...matches.values()].some(
    ({ at }) =>
      at > cue &&
      at <= cue + 12 &&
      source.clauses[at]! - source.clauses[cue]! <= 1 &&
      source.tokens[at]!.kind === 'content',
  );
}
