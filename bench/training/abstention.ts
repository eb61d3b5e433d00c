/**
 * Whether the evidence answers at all, learned from questions with what is found for them, from some of the same with
 * their article taken away, and from questions that none of the pages answers.
 */
import { type Network, runNetwork } from '../../src/model/extractive/network.ts';
import { learnOdds, type Yesno } from './network.ts';
import type { Trial } from './trial.ts';

/** The share of questions with an answer that may be refused. */
const refusable = 0.025;
const lesson = { hidden: 16, epochs: 8, seed: 0, decay: 0.001 };
const weightOfAway = 2;
const weightOfOthers = 2.5;

/** Log odds, moved so that 0 refuses just as many as may be. */
export function learnAbstention(trials: readonly Trial[]): Network {
  const examples = trials.flatMap(({ answerable, signs, away }): Yesno[] => [
    ...(signs === undefined ? [] : [{ row: signs, yes: answerable, weight: answerable ? 1 : weightOfOthers }]),
    ...(away === undefined ? [] : [{ row: away, yes: false, weight: weightOfAway }]),
  ]);
  const network = learnOdds(examples, lesson);
  const odds = examples.filter(({ yes }) => yes).map(({ row }) => runNetwork(network, row));
  const least = odds.sort((a, b) => a - b)[Math.floor(refusable * odds.length)]!;
  const last = network.layers.at(-1)!;
  return { ...network, layers: [...network.layers.slice(0, -1), { ...last, bias: [last.bias[0]! - least] }] };
}
