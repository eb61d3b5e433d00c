/** The words of English that join others and say little by themselves, in lower case. */
import type { Token } from '../reading/read-text.ts';
import type { Modality } from './phrase.ts';

const set = (words: string) => new Set(words.split(' '));
export const be = set('is are was were be been being am');
export const have = set('has have had having');
export const does = set('does do did');
export const modals: ReadonlyMap<string, Modality> = new Map([
  ...['may', 'might', 'could', 'can', 'would'].map((word): [string, Modality] => [word, 'possible']),
  ...['will', 'shall'].map((word): [string, Modality] => [word, 'planned']),
  ...['must', 'should', 'ought', 'need'].map((word): [string, Modality] => [word, 'required']),
]);
export const negative = set('not never neither nor hardly barely scarcely rarely seldom');
const adverbs = set(
  'also still already first last then now soon again once twice just only even ever always often usually sometimes initially originally later earlier finally both all together himself herself itself themselves not never hardly barely scarcely rarely seldom therefore thus instead there so yet too well currently however almost nearly at least',
);
export const determiners = set(
  'the a an this that these those his her its their our my your some any no every each all both many most several few much another such either neither',
);
export const pronouns = set(
  'he she it they we you i who him them us everyone everybody nobody someone anyone none one',
);
export const subjects = set('he she it they we you i');
/** Before a number these are part of it. */
export const bounds = set('about around over under above below');
export const prepositions = set(
  'in on at by to from for with of during since until till after before into onto under over between against through as about than within without across along among near towards toward behind beyond beside besides despite per via inside outside around above below off up down out upon throughout because like unlike due following including except',
);
export const subordinators = set('if unless although though while whereas when whenever because provided whether once');
/** Prepositions that begin a clause where a subject and a verb follow. */
export const clausal = set('after before since until till as because');
export const relatives = set('who which that whom whose where');
export const coordinators = set('and or but nor yet');

/** Whether a word says how, when or how often. */
export function isAdverb(token: Token | undefined): boolean {
  return token !== undefined && (adverbs.has(token.lower) || (/ly$/.test(token.lower) && token.lower.length > 4));
}
