/** The words of a field's name: those that say something, with others for the same. */
import { closeSynonyms } from '../match/synonyms.ts';
import { stopStems, weightOf } from '../question/analyse.ts';
import { readWords, stemOf } from '../text/words.ts';

/** A word of a field's name. */
export interface FieldWord {
  readonly stem: string;
  /** Stems that mean nearly the same. */
  readonly alternatives: ReadonlySet<string>;
  /** How much the word says, 0 to 1. */
  readonly weight: number;
}

/** Stems of names that say nothing about a value, or only what kind it is. */
const genericStems = new Set(
  'is are has have was can does do the of a an value result number count total amount per in on at to for with by and or from as any string iso'
    .split(' ')
    .map(stemOf),
);

/** Words of fields and of sentences that state them, by hand; the first word's link with the others goes both ways. */
const fieldSynonyms = readGroups(`
height tall high;weight weigh heavy;length long;width wide;depth deep;duration take last length run;age old;speed fast;size large big
discount off reduction;author write wrote written;email mail;phone telephone tel call;start begin commence;end expire finish close until
licence license;colour color;chair chaired chairman chairwoman preside;price cost charge;fee charge cost;founder found;owner own;builder build built
monthly month;weekly week;daily day;yearly year annual;annual year yearly;hourly hour;opening open;closing close;engineer design
landlord lessor;tenant lessee;child children kid;adult adults;guarantee warranty;expiry expire valid validity;validity valid;retry retries
interval every;frequency every;notice announce ahead advance;default standard;location located;decision decide;vote votes;refundable refund;returnable return
reservable reserve;bookable book;cancellable cancel;wifi wi-fi wireless;lift elevator;leaves departs departure depart;arrives arrival arrive
heat heating;retention keep kept retain store stored;lifetime valid validity expire last;wifi wi;rating rated;capacity hold;tank reservoir;deadline due;venue place;participant present attendee;attendee present`);

function readGroups(text: string): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const group of text.trim().split(/[;\n]/)) {
    const [head = '', ...others] = group.trim().split(' ').map(stemOf);
    for (const other of others) {
      groups.set(head, (groups.get(head) ?? new Set()).add(other));
      groups.set(other, (groups.get(other) ?? new Set()).add(head));
    }
  }
  return groups;
}

/** Names of fields whose column may be headed by a word for the same. */
const columnNames = ['date day when', 'place location venue where', 'notes note remarks remark comments comment'].map(
  (names) => names.split(' '),
);

/** Words of the heading of a column that has the values of a field; `own` are those of its name. */
export function columnWordsOf(names: readonly string[], own: readonly FieldWord[]): readonly FieldWord[] {
  const [name = ''] = names;
  if (names.length !== 1) return own;
  const same = columnNames.find((each) => each.includes(name.toLowerCase()));
  if (same === undefined) return own;
  const [stem = '', ...others] = same.map(stemOf);
  return [{ stem, alternatives: new Set(others), weight: 1 }];
}

/** The words of names that say something, each once. */
export function fieldWordsOf(names: readonly string[]): FieldWord[] {
  const kept = names.filter(
    (name, i) => isParticle(names[i - 1], name) || !(isFiller(name) || (i > 0 && /^(?:pro|par|por)$/i.test(name))),
  );
  return [...new Set(readWords(kept.join(' ')).map(({ stem }) => stem))].map((stem) =>
    isRated(names, stem) ? { ...toWord(stem), alternatives: fieldSynonyms.get(stem) ?? new Set() } : toWord(stem),
  );
}

/** Whether a word is what an amount is per: "hours per week" are not said by a number of days. */
function isRated(names: readonly string[], stem: string): boolean {
  return names.some((name, i) => /^(?:per|pro|par|por)$/i.test(names[i - 1] ?? '') && stemOf(name) === stem);
}

/** Whether a word says nothing about a value, or only what kind it is. */
export function isFiller(name: string): boolean {
  const stem = stemOf(name);
  return genericStems.has(stem) || stopStems.has(stem);
}

/** Whether a preposition is part of a noun: "check-in", "drop-off". */
function isParticle(before: string | undefined, name: string): boolean {
  return /^(?:check|sign|log|opt|drop|pick|turn)$/i.test(before ?? '') && /^(?:in|out|off|up|on)$/i.test(name);
}

/** A stem with those that mean nearly the same. */
export function toWord(stem: string): FieldWord {
  return {
    stem,
    alternatives: new Set([...(closeSynonyms.get(stem) ?? []), ...(fieldSynonyms.get(stem) ?? [])]),
    weight: Math.max(0.2, weightOf(stem)),
  };
}
