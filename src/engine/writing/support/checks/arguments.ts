/**
 * Who acts and on whom, verb by verb: the agent of the claim's verb must not be what the source acts on or gives to, nor may the
 * source name another agent. And of two that are compared, the one after "than" must stay there.
 */
import type { Reading } from '../reading/reading.ts';
import { labile } from '../structure/verb-forms.ts';
import { type Check, contradicted, type Fault } from './fault.ts';
import { isPassive, isVerb } from './roles.ts';

interface Arguments {
  readonly agent: readonly number[];
  readonly patient: readonly number[];
  /** In a phrase with "to" or "from". */
  readonly other: readonly number[];
}

/** Looks for verbs whose agent or object differs. */
export const checkArguments: Check = (claim, source, { matches, reverse }, { headings, before }) => {
  const faults: Fault[] = [];
  for (const [at, { at: to, relation }] of matches) {
    if (relation !== 'same' || claim.isName[at] || claim.tokens[at]!.kind !== 'content') continue;
    if (claim.tokens[at]!.stem !== source.tokens[to]!.stem || !isVerb(claim, at) || !isVerb(source, to)) continue;
    const [said, found] = [argumentsOf(claim, at), argumentsOf(source, to)];
    const inSource = (indices: readonly number[]) => indices.flatMap((index) => matches.get(index)?.at ?? []);
    const agents = inSource(said.agent);
    const moved = agents.filter((index) => !found.agent.includes(index) && source.isName[index]);
    const isOther = moved.length > 0 && found.agent.some((index) => source.isName[index] && !reverse.has(index));
    const isShared = !isOther && agents.some((index) => found.agent.includes(index));
    const verb = claim.tokens[at]!.text;
    if (
      !isShared &&
      agents.some((index) => found.patient.includes(index) || found.other.includes(index)) &&
      said.patient.length > 0
    )
      faults.push(contradicted('agent', `agent of "${verb}"`));
    else if (
      inSource(said.patient).some((index) => found.agent.includes(index)) &&
      (isPassive(claim, at) || isNamedPatient(said, found, at))
    )
      faults.push(contradicted('object', `object of "${verb}"`));
    else if (!isShared && isAnother(said.agent, found.agent))
      faults.push(contradicted('other agent', `another agent of "${verb}"`));
  }
  return [...faults, ...checkComparison(), ...checkIdentity(), ...checkReplacement()];

  /** "Replaced the gas lamps with electric ones" is not the other way round. */
  function checkReplacement(): Fault[] {
    const [said, found] = [replacementIn(claim), replacementIn(source)];
    if (said === undefined || found === undefined) return [];
    const isIn = (indices: readonly number[], side: readonly number[]) =>
      indices.some((index) => side.includes(matches.get(index)?.at ?? -1));
    const isSwapped = isIn(said.old, found.fresh) || isIn(said.fresh, found.old);
    const isStraight = isIn(said.old, found.old) || isIn(said.fresh, found.fresh);
    return isSwapped && !isStraight ? [contradicted('roles', 'replaced the other way round')] : [];
  }

  /** Whether the claim acts on somebody who acts in the source: not "opened the bridge", of a bridge that opened. */
  function isNamedPatient(said: Arguments, found: Arguments, verb: number): boolean {
    const first = said.patient.find((index) => claim.isName[index]);
    return (
      first !== undefined &&
      said.agent.length > 0 &&
      !labile.test(claim.tokens[verb]!.stem) &&
      !isPassive(source, matches.get(verb)!.at) &&
      found.agent.includes(matches.get(first)?.at ?? -1) &&
      said.agent.every((index) => !found.agent.includes(matches.get(index)?.at ?? -1))
    );
  }

  /** Whether both name an agent, but not the same one, and each is mentioned elsewhere. */
  function isAnother(said: readonly number[], found: readonly number[]): boolean {
    if (said.length === 0 || found.length === 0) return false;
    const isKnown = said.some(
      (index) =>
        matches.has(index) ||
        (claim.isName[index] && (headings.has(claim.tokens[index]!.stem) || before.has(claim.tokens[index]!.stem))),
    );
    const isNamed = found.some((index) => source.isName[index]) && said.some((index) => claim.isName[index]);
    const isSaid = found.every((index) => reverse.has(index));
    return isKnown && (isNamed || (isSaid && said.every((index) => matches.has(index))));
  }

  /** "X is an architect", where the page says that of another by name: "the architect Paul Sorel". */
  function checkIdentity(): Fault[] {
    for (const [at, { at: to, relation }] of matches) {
      if (relation !== 'same' || claim.isName[at] || !/^(?:an?|the)$/.test(claim.tokens[at - 1]?.lower ?? '')) continue;
      const isSaid =
        /^(?:is|was)$/.test(claim.tokens[at - 2]?.lower ?? '') && claim.isName.slice(0, at - 2).some(Boolean);
      if (isSaid && source.isName[to + 1] && !reverse.has(to + 1))
        return [contradicted('identity', `${source.tokens[to + 1]!.text} is the ${source.tokens[to]!.text}`)];
    }
    return [];
  }

  function checkComparison(): Fault[] {
    const than = claim.tokens.findIndex(({ lower }) => lower === 'than');
    const other = source.tokens.findIndex(({ lower }) => lower === 'than');
    if (than === -1 || other === -1 || [...matches.values()].some(({ relation }) => relation === 'opposite')) return [];
    if (claim.isFigure[than + 1] || source.isFigure[other + 1]) return [];
    for (const [at, { at: to }] of matches) {
      const isSwapped = at < than && to > other && to <= other + 4 && source.clauses[to] === source.clauses[other];
      const { stem, kind } = source.tokens[to]!;
      const isTwice = source.words.some((index) => index < other && source.tokens[index]!.stem === stem);
      const isTooLater = claim.words.some((index) => index > than && claim.tokens[index]!.stem === stem);
      if (isSwapped && kind === 'content' && !isTwice && !isTooLater && claim.clauses[at] === claim.clauses[than])
        return [contradicted('comparison', 'compared the other way round')];
    }
    return [];
  }
};

/** What is replaced, and what comes in its place; undefined if nothing is. */
function replacementIn(reading: Reading): { readonly old: number[]; readonly fresh: number[] } | undefined {
  const { tokens, words, clauses } = reading;
  const verb = tokens.findIndex(({ stem }) => stem === 'replac');
  if (verb === -1) return undefined;
  const own = words.filter((at) => at !== verb && clauses[at] === clauses[verb]);
  const by = tokens.findIndex(({ lower }, at) => at > verb && (lower === 'with' || lower === 'by'));
  const [left, right] = [own.filter((at) => at < verb), own.filter((at) => at > verb)];
  if (by === -1 || clauses[by] !== clauses[verb]) return { old: right, fresh: left };
  const fresh = right.filter((at) => at > by);
  return isPassive(reading, verb) ? { old: left, fresh } : { old: right.filter((at) => at < by), fresh };
}

function argumentsOf(reading: Reading, verb: number): Arguments {
  const { tokens, clauses, words } = reading;
  const own = words.filter(
    (at) => clauses[at] === clauses[verb] && at !== verb && (tokens[at]!.kind === 'content' || reading.isName[at]),
  );
  const left = own.filter(
    (at) => at < verb && phraseOf(reading, at, verb) === '' && !tokens.slice(at, verb).some(({ text }) => text === ','),
  );
  const right = own.filter((at) => at > verb && at < verb + 10);
  const inPhrase = (names: readonly string[]) => right.filter((at) => names.includes(phraseOf(reading, at, verb)));
  // A second "by" names somebody else: "was withdrawn by the office after protests by residents".
  const bys = tokens.flatMap(({ lower }, at) => (at > verb && lower === 'by' ? [at] : []));
  const agent = inPhrase(['by']).filter((at) => bys[1] === undefined || at < bys[1]);
  if (isPassive(reading, verb)) return { agent, patient: left, other: inPhrase(['to']) };
  return { agent: left, patient: inPhrase(['']), other: inPhrase(['to']) };
}

const prepositions = new Set(
  'by to from in on at during since until after before for with without within under over per near because about into through against between among as'.split(
    ' ',
  ),
);

/** The preposition that governs a word, on its side of the verb; '' if none does. "Of" is passed over. */
function phraseOf({ tokens }: Reading, at: number, verb: number): string {
  for (let index = at - 1; index >= 0 && index !== verb; index -= 1) {
    const { lower, kind } = tokens[index]!;
    if (prepositions.has(lower)) return lower;
    if (kind === 'mark' && lower !== '-') return '';
  }
  return '';
}
