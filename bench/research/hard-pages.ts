/**
 * Pages for the harder questions: counts of a town's inhabitants, each on a page of its own; news that report the staff of a
 * company every few months, so that only the newest is right; a forum that tells the length of a bridge from hearsay.
 */
import { drawBelow, type Random } from '../support/random.ts';
import { facts, type PageWriter } from './page-writer.ts';
import type { Relation } from './relations.ts';

/** What the harder questions are about. */
export interface HardNames {
  /** Towns whose inhabitants were counted every five years, each count on a page of its own. */
  readonly counted: readonly string[];
  /** Companies whose staff the news report every few months. */
  readonly reported: readonly string[];
  /** Bridges whose length a forum tells otherwise than the guide. */
  readonly rumoured: readonly string[];
}

interface Names {
  readonly size: number;
  readonly towns: readonly string[];
  readonly bridges: readonly string[];
  readonly companies: readonly string[];
}

/** Shares of the pages; set by hand. */
const shares = { counted: 0.008, reported: 0.002, rumoured: 0.02 };
/** Reports on a company, one of each half-year from 2019 on. */
const reports = 14;

/** Writes them, and returns what they are about. */
export function writeHardPages(
  { write }: PageWriter,
  random: Random,
  { size, towns, bridges, companies }: Names,
): HardNames {
  const below = drawBelow(random);
  const count = (least: number, range: number) => (least + below(range)).toLocaleString('en');
  const some = (of: readonly string[], share: number) => of.slice(0, Math.max(1, Math.round(share * size)));
  const counted = some(towns, shares.counted);
  const reported = some(companies, shares.reported);
  // Not those that others dispute, or that are gone.
  const rumoured = some(
    bridges.filter((_, at) => at % 5 === 3),
    shares.rumoured,
  );
  for (const name of counted) {
    for (const year of [2010, 2015, 2020] as const) {
      const said = facts(name)(`population${year}`, count(2_000, 60_000));
      const title = `Yearbook of ${name}, ${year}`;
      write({ site: 'almanac', title, published: `${year + 1}-02-03`, isGone: false }, [said], `The year ${year}.`);
    }
  }
  for (const name of reported) {
    for (let at = 0; at < reports; at += 1) {
      const published = `${2019 + (at >> 1)}-${at % 2 === 0 ? '03' : '09'}-${String(1 + below(28)).padStart(2, '0')}`;
      const relation: Relation = 'staffToday';
      const said = facts(name)(relation, count(20, 4_000));
      const site = at % 3 === 0 ? 'gazette' : 'courier';
      write({ site, title: `News from ${name}`, published, isGone: false }, [said], 'From our own correspondent.');
    }
  }
  for (const name of rumoured) {
    const said = facts(name)('length', count(40, 1_900));
    const title = `How long is ${name}?`;
    write({ site: 'forum', title, isGone: false }, [said], 'A guest writes, without saying where it is from:');
  }
  return { counted, reported, rumoured };
}
