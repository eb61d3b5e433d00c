/**
 * Which way words point, whatever they are: for or against, on or over, up or down, good or bad, bound or free, sure or in doubt. "Remained
 * unmarried" and "never married" have no word in common, and "will be dropped" and "stays" none that a list has as opposites; both of the former
 * point one way, and the latter two do not.
 */
import type { Reading } from '../reading/reading.ts';
import { formOf } from '../reading/word-forms.ts';

/** Each axis with the words of its two ends; a word may be on several. Written by hand from general English. */
const axes: readonly (readonly [string, string])[] = [
  [
    `allow permit accept approve agree support favour favor welcome endorse back confirm grant admit let authorise authorize legal eligible entitled open include
    invite praise adopt ratify vote defend`,
    `forbid prohibit ban reject refuse deny oppose against exclude veto dismiss block bar contradict dispute object decline banned illegal closed resist protest
    criticise criticize condemn overturn overrule quash refute rule reluctant contest`,
  ],
  [
    `keep kept remain stay stays continue retain still survive last lasting preserve begin began start open introduce launch add install build create found
    establish resume return restore reopen exist available present alive hold held persist`,
    `stop end cease close shut remove abolish drop scrap cancel withdraw abandon discontinue lose lost lack miss missing without leave left gone disappear vanish
    die died demolish destroy dismantle suspend postpone delay absent dead extinct former empty replace quit resign retire expire finish`,
  ],
  [
    `rise rose risen increase grow grew grown higher more gain expand extend raise boost double triple faster longer larger bigger greater exceed above climb
    strengthen lengthen accelerate dearer many high long large majority most`,
    `fall fell fallen decrease shrink shrank decline lower less fewer reduce cut halve drop slow slower shorter smaller below shorten weaken cheaper few low short
    small minority least diminish lessen`,
  ],
  [
    `good better best safe healthy useful effective clean work works worked right correct reliable benefit help helped improve succeed success successful win won
    pleased satisfied praise protect prevent heal recover solve repair fix suitable easy comfortable intact pass passed manage achieve`,
    `bad worse worst dangerous harm harmful useless ineffective dirty broken wrong false unreliable damage hurt worsen fail failed failure lose lost disappointed
    complain complaint problem suffer error fault unsuitable hard difficult uncomfortable crash spoil risk threat ruin blame`,
  ],
  [
    `must need require necessary obligatory compulsory mandatory obliged have owe essential shall duty only charge pay fee`,
    `may can free optional voluntary unnecessary waive exempt choose choice possible spare needless superfluous`,
  ],
  [
    `prove proof show shown demonstrate confirm establish certain clear known know evidence sure definite fact official verify settle decide discover`,
    `unknown unclear uncertain doubt question dispute unproven rumour rumor myth supposed suspect might perhaps maybe possibly probably guess believe speculate
    allege undecided open apparently seem appear legend hypothesis theory assume`,
  ],
];

const ends = new Map<string, readonly (readonly [axis: number, sign: 1 | -1])[]>();
for (const [axis, words] of axes.entries())
  for (const [end, list] of words.entries())
    for (const word of new Set(list.split(/\s+/).map((each) => formOf(each).stem)))
      ends.set(word, [...(ends.get(word) ?? []), [axis, end === 0 ? 1 : -1]]);

/**
 * For each axis, how many of the words that only the claim has point to either end, and how many of those that only the
 * source has. Then how many of each point to a worse end or are negated, in total, and whether one total is even and the
 * other odd. `isNear` are the tokens of the source that are beside what the claim has of it.
 */
export function stanceFeatures(claim: Reading, source: Reading, isNear: (at: number) => boolean): number[] {
  const stems = (reading: Reading, isOwn: (at: number) => boolean) =>
    new Set(reading.tokens.flatMap(({ stem }, at) => (isOwn(at) ? [stem] : [])));
  const said = stanceOf(claim, () => true, stems(source, isNear));
  const found = stanceOf(
    source,
    isNear,
    stems(claim, () => true),
  );
  return [...said.own, ...found.own, said.against, found.against, Math.abs(said.against - found.against) % 2];
}

function stanceOf({ tokens, negations, isName }: Reading, isOwn: (at: number) => boolean, others: ReadonlySet<string>) {
  const own = new Array<number>(2 * axes.length).fill(0);
  let against = 0;
  const heads = new Set(negations.flatMap(({ at, head }) => (isOwn(at) && head !== undefined ? [head] : [])));
  for (const [at, { stem }] of tokens.entries()) {
    if (!isOwn(at) || isName[at]) continue;
    const points = ends.get(stem) ?? [];
    const turn = heads.has(at) ? -1 : 1;
    const isBad = points.some(([axis, sign]) => axis < 2 && sign < 0);
    if (isBad !== heads.has(at)) against += 1;
    if (others.has(stem)) continue;
    for (const [axis, sign] of points) own[2 * axis + (sign * turn > 0 ? 0 : 1)]! += 1;
  }
  return { own, against };
}
