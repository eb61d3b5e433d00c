/** What makes the weights of the extraction: labels from texts, trees from labels, and a forest that predicts what it learned. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from '../../../bench/scores/bootstrap.ts';
import { createRandom } from '../../../bench/support/random.ts';
import { logOddsOf } from '../../../src/base/learned/boosted-trees.ts';
import { bin } from '../../../tools/training/bins.ts';
import { boost } from '../../../tools/training/boost.ts';
import { alignedIn, sharesIn } from '../../../tools/training/labels.ts';
import { foldsOf } from '../../../tools/training/train-model.ts';

const word = fc.constantFrom('a', 'tide', 'of', 'the', 'sea', 'harbour', 'menu', 'login');

describe('labels', () => {
  it('labels every word of a text that the page contains in order, whatever is between them', () => {
    const page = fc.array(fc.record({ word, isGold: fc.boolean() }), { maxLength: 120 });
    fc.assert(
      fc.property(page, (words) => {
        const gold = words.filter(({ isGold }) => isGold).map(({ word: text }) => text);
        const found = alignedIn(
          words.map(({ word: text }) => text),
          gold,
        );
        expect(found.reduce((sum, hit) => sum + hit, 0)).toBe(gold.length);
      }),
    );
  });

  it('never labels more words than the page or the text has', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), fc.array(word, { maxLength: 80 }), (page, gold) => {
        const hits = alignedIn(page, gold).reduce((sum, hit) => sum + hit, 0);
        expect(hits).toBeLessThanOrEqual(Math.min(page.length, gold.length));
      }),
    );
  });

  it('labels only the right blocks of a long page, by runs of words that occur once', () => {
    const random = createRandom(3);
    const words = (count: number) => Array.from({ length: count }, () => `w${Math.floor(random() * 5_000)}`);
    const blocks = [words(300), words(40), words(400), words(40), words(500)];
    const gold = [...blocks[0]!, ...blocks[2]!, ...blocks[4]!];
    const shares = sharesIn(blocks, gold);
    for (const at of [0, 2, 4]) expect(shares[at]).toBe(1);
    for (const at of [1, 3]) expect(shares[at]).toBeLessThan(0.3);
  });
});

describe('the forest', () => {
  const options = {
    trees: 40,
    leaves: 8,
    rate: 0.3,
    leafWeight: 1,
    l2: 1,
    groupShare: 0.8,
    featureShare: 0.9,
    seed: 5,
  };
  /** Content where the two numbers are on different sides of a half: no single feature decides. */
  const random = createRandom(11);
  const rows = Array.from({ length: 600 }, () => Float64Array.of(random(), random(), random()));
  const isContent = (row: Float64Array) => row[0]! > 0.5 !== row[1]! > 0.5;
  const examples = {
    labels: rows.map((row) => (isContent(row) ? 1 : 0)),
    weights: rows.map(() => 1),
    groups: rows.map((_, at) => at % 20),
  };
  const binned = bin(3, rows.length, (row, feature) => rows[row]![feature]!);
  const train = Uint32Array.from(rows.keys()).filter((row) => row % 3 > 0);
  const { forest, scores } = boost(binned, examples, train, options);

  it('learns what no single feature shows, and predicts it for unseen rows', () => {
    const unseen = rows.filter((_, row) => row % 3 === 0);
    const right = unseen.filter((row) => logOddsOf(forest, row) > 0 === isContent(row));
    expect(right.length / unseen.length).toBeGreaterThan(0.9);
  });

  it('returns the same score for a row as the training did', () => {
    for (const [at, row] of rows.entries()) expect(logOddsOf(forest, row)).toBeCloseTo(scores[at]!, 9);
  });

  it('trains the same forest from the same seed, and a different one from another seed', () => {
    expect(boost(binned, examples, train, options).forest).toEqual(forest);
    expect(boost(binned, examples, train, { ...options, seed: 6 }).forest).not.toEqual(forest);
  });
});

describe('a forest that ranks', () => {
  const random = createRandom(7);
  /** Of ten rows the one that lacks least is right, however much all of them have: only rows of one group compare. */
  const groups = Array.from({ length: 80 }, () => {
    const level = 10 * random();
    return Array.from({ length: 10 }, () => Float64Array.of(level, random()));
  });
  const rightOf = (group: readonly Float64Array[]) => Math.max(...group.map((row) => row[1]!));
  const rows = groups.flat();
  const labels = groups.flatMap((group) => group.map((row) => (row[1] === rightOf(group) ? 1 : 0)));
  const examples = { labels, weights: rows.map(() => 1), groups: rows.map((_, at) => Math.floor(at / 10)) };
  const binned = bin(2, rows.length, (row, feature) => rows[row]![feature]!);
  const train = Uint32Array.from(rows.keys()).filter((row) => row < 600);
  const options = {
    trees: 40,
    leaves: 8,
    rate: 0.3,
    leafWeight: 0.5,
    l2: 1,
    groupShare: 0.8,
    featureShare: 1,
    seed: 5,
  };

  it('ranks the right row of an unseen group first', () => {
    const { forest } = boost(binned, { ...examples, ranked: true }, train, options);
    const best = (group: readonly Float64Array[]) => {
      return group.reduce((top, row) => (logOddsOf(forest, row) > logOddsOf(forest, top) ? row : top));
    };
    const unseen = groups.slice(60);
    const right = unseen.filter((group) => rightOf(group) - best(group)[1]! < 0.05);
    expect(right.length / unseen.length).toBeGreaterThan(0.9);
  });
});

describe('folds', () => {
  it('keeps the pages of a host in one fold, and makes folds of about equal size', () => {
    fc.assert(
      fc.property(fc.array(fc.webAuthority(), { minLength: 10, maxLength: 60 }), (hosts) => {
        const folds = foldsOf(hosts, 5);
        for (const [at, host] of hosts.entries()) expect(folds[hosts.indexOf(host)]).toBe(folds[at]);
        const sizes = [0, 1, 2, 3, 4].map((fold) => new Set(hosts.filter((_, at) => folds[at] === fold)).size);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('a bootstrap interval', () => {
  const random = createRandom(7);
  const meanOf = (values: readonly number[]) => (pages: readonly number[]) =>
    pages.reduce((sum, page) => sum + values[page]!, 0) / pages.length;

  it('covers the true mean about as often as the interval states', () => {
    const hosts = Array.from({ length: 60 }, (_, at) => `${at}.test`);
    const trials = Array.from({ length: 60 }, () => {
      const [low, high] = bootstrapInterval(hosts, meanOf(hosts.map(() => random() - 0.5)));
      return low <= 0 && 0 <= high;
    });
    const held = trials.filter((holds) => holds).length;
    expect(held).toBeGreaterThanOrEqual(51);
    expect(held).toBeLessThan(60);
  });

  it('counts identical pages of one host as one page', () => {
    const values = Array.from({ length: 30 }, () => random());
    const hosts = values.map((_, at) => `${at}.test`);
    const [low, high] = bootstrapInterval(hosts, meanOf(values));
    const [lowTwice, highTwice] = bootstrapInterval([...hosts, ...hosts], meanOf([...values, ...values]));
    expect(lowTwice).toBeCloseTo(low, 9);
    expect(highTwice).toBeCloseTo(high, 9);
  });
});
