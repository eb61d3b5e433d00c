/**
 * Learns how much the words of class names and ids say about whether a block is content, in tenths of log odds. Every host
 * has one vote per word, split like its blocks, so that one large site does not decide; a word needs votes of a few hosts.
 * For training, a host's own votes are subtracted: otherwise the forest would trust the lexicon too much on unseen pages.
 */
import { type Lexicon, wordsIn } from '../../src/web/extract/classify/class-lexicon.ts';
import { type HtmlElement, nameOf } from '../../src/web/extract/html/html-tree.ts';

export interface NamedExample {
  readonly host: string;
  readonly element: HtmlElement;
  readonly words: number;
  /** The share that is content. */
  readonly label: number;
}

interface Votes {
  on: number;
  off: number;
  hosts: number;
}

// Set by hand.
/** Elements, from a block upwards, whose names count. */
const levels = 8;
const minHosts = 3;
/** Pseudo-counts at the general rate of content. */
const prior = { on: 0.5, off: 1.5 };

/** The lexicon of all examples, and one without a host's own votes. */
export function learnLexicon(examples: readonly NamedExample[]): { whole: Lexicon; without(host: string): Lexicon } {
  const byHost = new Map<string, Map<string, Votes>>();
  for (const { host, element, words, label } of examples) {
    const votes = byHost.get(host) ?? new Map<string, Votes>();
    byHost.set(host, votes);
    const weight = Math.sqrt(words + 0.3);
    for (const word of namesAbove(element)) {
      const vote = votes.get(word) ?? { on: 0, off: 0, hosts: 1 };
      votes.set(word, vote);
      vote.on += weight * label;
      vote.off += weight * (1 - label);
    }
  }
  const total = new Map<string, Votes>();
  for (const votes of byHost.values()) {
    for (const [word, vote] of votes) {
      const sum = total.get(word) ?? { on: 0, off: 0, hosts: 0 };
      total.set(word, sum);
      const share = oneVote(vote);
      sum.on += share.on;
      sum.off += share.off;
      sum.hosts += 1;
    }
  }
  const lexiconOf = (own: ReadonlyMap<string, Votes> | undefined): Lexicon => {
    const scores: Record<string, number> = {};
    for (const [word, sum] of [...total].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const vote = own?.get(word);
      const taken = vote === undefined ? { on: 0, off: 0, hosts: 0 } : { ...oneVote(vote), hosts: 1 };
      if (sum.hosts - taken.hosts < minHosts) continue;
      const odds = (sum.on - taken.on + prior.on) / (sum.off - taken.off + prior.off);
      scores[word] = Math.round(10 * Math.log((odds * prior.off) / prior.on));
    }
    return scores;
  };
  return { whole: lexiconOf(undefined), without: (host) => lexiconOf(byHost.get(host)) };
}

/** The vote of a host; with little text below a name it is less than a whole one. */
function oneVote({ on, off }: Votes): { on: number; off: number } {
  const sum = on + off;
  const vote = Math.min(1, sum / 3);
  return { on: (vote * on) / sum, off: (vote * off) / sum };
}

function namesAbove(element: HtmlElement): Set<string> {
  const names = new Set<string>();
  let at: HtmlElement | undefined = element;
  for (let up = 0; up < levels && at !== undefined && at.name !== 'body' && at.name !== 'html'; up += 1, at = at.parent)
    for (const word of wordsIn(nameOf(at))) names.add(word);
  return names;
}
