/** Negations added to a true sentence or left out, and opposite words. */
import { readFileSync } from 'node:fs';
import { type Change, once, replaceAt } from './change.ts';

const negatable =
  /\b(is|are|was|were|has|had|have|can|could|will|would|may|might|must|should)\b(?! (?:not|no|never|also not)\b)/g;

/** "Not" or "never" after one of the first two auxiliary verbs, or "never" before a verb in the past. */
export const negated: Change = (sentence, _, random) => {
  const found = [...sentence.matchAll(negatable)]
    .slice(0, 2)
    .flatMap(({ 0: word, index }) =>
      once(
        'negation',
        sentence,
        replaceAt(sentence, index, word.length, `${word} ${random() < 0.8 ? 'not' : 'never'}`),
      ),
    );
  const past = /\b([a-z]{3,}(?:ted|ned|led|red|ged|ked|sed|ied|ced|ved))\b(?! (?:by|in the|as|to be))/.exec(sentence);
  const before = past === null ? '' : sentence.slice(0, past.index);
  if (
    past !== null &&
    /\b[\p{L}]+ $/u.test(before) &&
    !/\b(?:is|are|was|were|be|been|being|has|have|had|the|a|an|of|and|by|not|never|also|it|which|who) $/i.test(
      before,
    ) &&
    before.split(' ').length < 8
  )
    found.push(...once('negation', sentence, replaceAt(sentence, past.index, 0, 'never ')));
  return found;
};

/** What is negated, said as if it were not. */
export const affirmed: Change = (sentence) => {
  const not =
    /\b(?:did not|does not|do not|(?<=\b(?:is|are|was|were|can|could|will|would|had|has|have|should|must|may) )not|(?<=can)not|never)\b ?/.exec(
      sentence,
    );
  if (not === null || /^not (?:only|just|until)/.test(sentence.slice(not.index))) return [];
  return once('negation', sentence, replaceAt(sentence, not.index, not[0].length, ''));
};

const opposites = readOpposites();

/** A word exchanged for its opposite. */
export const antonym: Change = (sentence) =>
  [...sentence.matchAll(/\b[a-z]{3,}\b/g)].flatMap(({ 0: word, index }) => {
    const others = opposites.get(word) ?? [];
    return others
      .slice(0, 1)
      .flatMap((other) => once('antonym', sentence, replaceAt(sentence, index, word.length, other)));
  });

/** Pairs of whole words: those of the hand-written list and their regular past. */
function readOpposites(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const put = (one: string, other: string) => found.set(one, [...(found.get(one) ?? []), other]);
  const text = readFileSync(
    new URL('../../../src/engine/writing/support/reading/relations-by-hand.txt', import.meta.url),
    'utf8',
  );
  const extra =
    'accepted rejected;won lost;increased decreased;rose fell;largest smallest;first last;more less;higher lower;north south;east west;northern southern;eastern western;before after;early late;began ended;opened closed;best worst;oldest youngest;longest shortest;highest lowest;most least;major minor;male female;public private;old new;indoor outdoor;positive negative;supported opposed;included excluded;allowed banned;majority minority;success failure;above below;rural urban;many few;successful unsuccessful;increase decrease;gained lost;bought sold;arrived left;legal illegal;strong weak;rich poor;inside outside;win lose;always never;with without;good bad;cold hot;dry wet;summer winter;upper lower;inner outer;left right;same different;common rare;larger smaller;better worse;greater lesser;faster slower;married divorced;domestic foreign;temporary permanent;modern ancient;internal external';
  for (const line of [...extra.split(';').map((pair) => pair.replace(' ', ' <> ')), ...text.split('\n')]) {
    const pair = /^([a-z]{3,}) <> ([a-z]{3,})$/.exec(line);
    if (pair === null || /^(?:may|can|will|no|not|all|some|free)$/.test(pair[1]!)) continue;
    put(pair[1]!, pair[2]!);
    put(pair[2]!, pair[1]!);
    const past = (word: string) =>
      /e$/.test(word) ? `${word}d` : /[a-z][^aeiouyd]$/.test(word) ? `${word}ed` : undefined;
    const [one, other] = [past(pair[1]!), past(pair[2]!)];
    if (one !== undefined && other !== undefined && !found.has(one)) {
      put(one, other);
      put(other, one);
    }
  }
  return found;
}
