/**
 * Learns how much words say about whether a block is content, in tenths of log odds: words of class names and the like, of short
 * blocks, and of headings. Every host has one vote per word, split like its blocks, so that one large site does not decide; a
 * word needs votes of a few hosts. For training, a host's own votes are subtracted: otherwise the forest would trust the
 * lexicon too much on unseen pages.
 */
import type { LabelWords } from '../../../src/web/extract/classify/label-words.ts';
import {
  type Lexicon,
  namedAncestors,
  namesOf,
  type WordScores,
  wordsIn,
} from '../../../src/web/extract/classify/lexicon.ts';
import type { HtmlElement } from '../../../src/web/extract/html/html-tree.ts';

export interface NamedExample {
  readonly host: string;
  readonly element: HtmlElement;
  readonly labels: LabelWords;
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
/** Min. hosts for words of names, and for words of text. */
const minHosts = { names: 4, text: 8 };
/** Pseudo-counts at the general rate of content. */
const prior = { on: 0.5, off: 1.5 };
const none: Votes = { on: 0, off: 0, hosts: 0 };

/** The lexicon of all examples, and one without a host's own votes. */
export function learnLexicon(examples: readonly NamedExample[]): { whole: Lexicon; without(host: string): WordScores } {
  const byHost = votesByHost(examples);
  const total = new Map<string, Votes>();
  for (const votes of byHost.values()) {
    for (const [word, vote] of votes) {
      const sum = total.get(word) ?? { ...none };
      total.set(word, sum);
      const share = oneVote(vote);
      sum.on += share.on;
      sum.off += share.off;
      sum.hosts += 1;
    }
  }
  const scoreOf = (word: string, own: Votes | undefined): number | undefined => {
    const sum = total.get(word);
    if (sum === undefined) return undefined;
    const taken = own === undefined ? none : { ...oneVote(own), hosts: 1 };
    if (sum.hosts - taken.hosts < (word.includes(':') ? minHosts.text : minHosts.names)) return undefined;
    const odds = (sum.on - taken.on + prior.on) / (sum.off - taken.off + prior.off);
    return Math.round(10 * Math.log((odds * prior.off) / prior.on));
  };
  const whole: Record<string, number> = {};
  for (const word of [...total.keys()].sort()) {
    const score = scoreOf(word, undefined);
    if (score !== undefined) whole[word] = score;
  }
  return { whole, without: (host) => ({ get: (word) => scoreOf(word, byHost.get(host)?.get(word)) }) };
}

function votesByHost(examples: readonly NamedExample[]): Map<string, Map<string, Votes>> {
  const byHost = new Map<string, Map<string, Votes>>();
  const wordsOf = new Map<HtmlElement, readonly string[]>();
  const named = (element: HtmlElement) => {
    let words = wordsOf.get(element);
    if (words === undefined) {
      words = wordsIn(namesOf(element));
      wordsOf.set(element, words);
    }
    return words;
  };
  for (const { host, element, labels, words, label } of examples) {
    const votes = byHost.get(host) ?? new Map<string, Votes>();
    byHost.set(host, votes);
    const weight = Math.sqrt(words + 0.3);
    for (const word of new Set([...namedAncestors(element).flatMap(named), ...labels.own, ...labels.under])) {
      const vote = votes.get(word) ?? { on: 0, off: 0, hosts: 1 };
      votes.set(word, vote);
      vote.on += weight * label;
      vote.off += weight * (1 - label);
    }
  }
  return byHost;
}

/** The vote of a host; with little text below a name it is less than a whole one. */
function oneVote({ on, off }: Votes): { on: number; off: number } {
  const sum = on + off;
  const vote = Math.min(1, sum / 3);
  return { on: (vote * on) / sum, off: (vote * off) / sum };
}
