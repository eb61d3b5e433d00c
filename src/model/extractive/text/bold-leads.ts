/**
 * Bold words without an end mark that paragraphs begin with, "**Dogs** Welcome, 18 € per night. Not in the spa.": as a heading does, they
 * name what each sentence of the paragraph is about.
 */
import type { Block, Heading } from './blocks.ts';

/** A block, of a paragraph what comes after such words. */
export interface LedBlock extends Block {
  /** The bold words, as they are written. */
  readonly lead?: string;
}

/** Verbs that a sentence may go on with after its subject. */
const verbs =
  'is|are|was|were|has|have|had|will|would|can|could|may|must|does|did|needs?|offers?|costs|comes|came|went|goes|made|makes|became|began|built|bought|chaired|drew|fell|found|gave|got|grew|held|keeps|kept|knew|led|leads|left|lies|lives|lost|met|opens|paid|plays|ran|runs|said|says|sang|sat|saw|seats|sells|serves|sold|stands|stood|taught|takes|took|won|works|writes|wrote|ist|sind|hat|haben|war|waren|wird|werden|wurden?|kann|darf|muss|bietet|liegt|steht|kostet|öffnet|schließt|führt|gehört|a|ont|est|sont|était|étaient|fut|es|son|está|están|tiene|tienen|era|fue|è|ha|hanno|sono';
/** "**Karl** Jensen founded the mill", "**Der kleine** Saal hat 40 Plätze": the words go on with the bold ones, to a verb. */
const goesOn = String.raw`(?!(?:Not|No|Only|Free|Fully|\p{Lu}\p{Ll}+ly)[ \t])(?:\p{Lu}[\p{L}\p{M}’'.-]*[ \t]+){1,3}(?:${verbs}|\p{Ll}{2,}ed)(?!\p{L})`;
/** Not "**Dogs** are welcome", whose sentence begins with them, nor "**Playground.** …", which is a unit of its own. */
const boldLead = new RegExp(
  [
    String.raw`^(?:\*\*|__)(\p{L}[^*_\n]{1,49})(?<![\s.:?!,;])(?:\*\*|__)[ \t]+`,
    String.raw`(?=[\x60"'“„«‘‚*_[]{0,4}[\p{Lu}\p{N}\p{Sc}]|\([^()\n]{1,60}\)[.!]?[ \t]*(?:$|[\p{Lu}\p{N}\p{Sc}]))`,
    `(?!${goesOn})`,
  ].join(''),
  'gmu',
);
/** How many paragraphs with such words make a text a list of entries. Set by hand. */
const minLeads = 3;
/** "**Keine** Haustiere", "**All** Dogs": words before a noun, which name nothing. Not what a day or a month may be cut to: "Do", "May". */
const beforeNoun =
  /^(?:(?:the|an?|all|no|not|only|each|every|both|any|some|our|your|these|this|please|d(?:er|ie|as|em|ies|iese[nmrs]?)|eine?[nmrs]?|keine?[nmrs]?|alle[nmrs]?|jede[nmrs]?|unsere?[nmrs]?|ihre?[nmrs]?|nur|nicht|bitte|les?|la|une?|des|aucune?|tou(?:s|te|tes)|chaque|nos|vos|el|los|las|una?|ningun[oa]?|ningún|tod[oa]s|cada|nuestr[oa]s|il|lo|gli|uno|ness?un[oa]?|tutt[ei]|ogni|het|een|geen|onze|os|as|uma?|nenhuma?)(?:\s+|$))+$/iu;
const leadsIn = (text: string) => [...text.matchAll(boldLead)].filter(([, lead]) => !beforeNoun.test(lead!));

/** The blocks, with the paragraphs divided where such words begin a line, if several do. */
export function splitAtLeads(text: string, blocks: readonly (Block | Heading)[]): (LedBlock | Heading)[] {
  if (leadsIn(text).length < minLeads) return [...blocks];
  return blocks.flatMap((block): (LedBlock | Heading)[] => {
    if ('heading' in block || block.kind !== 'prose') return [block];
    const leads = leadsIn(text.slice(block.start, block.end));
    const at = leads.map(({ index }) => block.start + index);
    const before = { ...block, end: block.start + text.slice(block.start, at[0] ?? block.end).trimEnd().length };
    const led = leads.map(([written, lead = ''], i): LedBlock => {
      const end = at[i + 1] ?? block.end;
      return { ...block, start: at[i]! + written.length, end: at[i]! + text.slice(at[i]!, end).trimEnd().length, lead };
    });
    return before.end > before.start ? [before, ...led] : led;
  });
}
