/**
 * A generated web of invented facts, the same for the same size. Guides describe towns, people, bridges and companies; news
 * tells the same story on two sites; a second guide and a forum contradict the first; directories repeat names and say
 * nothing. Some pages are gone, and are on the second guide instead.
 */
import { createRandom, drawBelow, type Random } from '../support/random.ts';
import { type HardNames, writeHardPages } from './hard-pages.ts';
import { createNames } from './names.ts';
import type { Page, Statement } from './page.ts';
import { createPageWriter, facts, fillers, type Said, shuffle } from './page-writer.ts';
import { type Relation, sentenceOf } from './relations.ts';

export interface World extends HardNames {
  readonly pages: readonly Page[];
  /** What readable pages say. */
  statements(subject: string, relation: Relation): readonly Statement[];
  readonly towns: readonly string[];
  readonly people: readonly string[];
  readonly bridges: readonly string[];
  readonly companies: readonly string[];
  readonly rivers: readonly string[];
  /** Bridges about whose opening two pages disagree. */
  readonly disputed: readonly string[];
  /** Designers of many bridges. */
  readonly prolific: readonly string[];
}

/** Shares of the pages; set by hand. What is left are directories. */
const shares = { towns: 0.15, people: 0.24, bridges: 0.15, companies: 0.12, news: 0.16, disputes: 0.03 };
const months = 'January February March April May June July August September October November December'.split(' ');

/** About `size` pages. */
export function createWorld(size: number): World {
  const random = createRandom(size);
  const below = drawBelow(random);
  const any = <Value>(values: readonly Value[]) => values[below(values.length)]!;
  const names = createNames(random);
  const many = (share: number, name: () => string) => Array.from({ length: Math.round(share * size) }, name);
  const towns = many(shares.towns, names.town);
  const people = many(shares.people, names.person);
  const bridges = many(shares.bridges, names.bridge);
  const companies = many(shares.companies, names.company);
  const rivers = many(shares.bridges / 3, names.river);
  const disputed = bridges.filter((_, at) => at % 5 === 2);
  const writer = createPageWriter(random);
  const { pages, write, add, describe } = writer;

  const day = (from: number, years: number) => `${1 + below(28)} ${any(months)} ${from + below(years)}`;
  const count = (least: number, range: number) => (least + below(range)).toLocaleString('en');

  for (const [at, name] of towns.entries()) {
    const say = facts(name);
    const found = [
      say('founded', String(1100 + below(700))),
      say('river', rivers[at % rivers.length]!),
      say('mayor', any(people)),
      say('populationBefore', count(2_000, 60_000)),
    ];
    describe(name, found, `${name} is a town with a market, a mill and ${3 + below(20)} wells.`);
  }
  for (const name of people) {
    const say = facts(name);
    const trade = any(['engineer', 'glassmaker', 'surveyor', 'merchant', 'printer']);
    const found = [
      say('born', day(1930, 50)),
      say('birthplace', any(towns)),
      say('teacher', any(people.filter((other) => other !== name))),
      ...(random() < 0.8 ? [say('spouse', any(people.filter((other) => other !== name)))] : []),
    ];
    describe(
      name,
      found,
      `${name} is known as ${/^[aeiou]/.test(trade) ? 'an' : 'a'} ${trade} with a liking for maps.`,
    );
  }
  // Few designers, so that each has several bridges, and a few of them with many.
  const designers = people.filter((_, at) => at % 5 === 0);
  const prolific = designers.slice(0, Math.max(1, Math.round(bridges.length / 50)));
  for (const [at, name] of bridges.entries()) {
    const say = facts(name);
    const river = rivers[at % rivers.length]!;
    const found = [
      say(
        'designer',
        (at % 5 === 4 ? prolific[Math.floor(at / 5) % prolific.length] : designers[at % designers.length])!,
      ),
      say('opened', day(1960, 40)),
      say('length', count(40, 1_900)),
      say('place', any(towns)),
      { subject: river, relation: 'spannedBy' as const, value: name },
      ...(random() < 0.6 ? [say('cost', count(10_000, 900_000))] : []),
    ];
    describe(name, found, `${name} carries a road and a footpath.`);
  }
  for (const name of companies) {
    const say = facts(name);
    const found = [say('founder', any(people)), say('seat', any(towns)), say('staffBefore', count(20, 4_000))];
    describe(name, found, `${name} is a company that makes things few people have seen.`);
  }

  const subjects = shuffle([...companies, ...towns], random);
  for (let at = 0; at < Math.floor((shares.news * size) / 2); at += 1) {
    const name = subjects[at % subjects.length]!;
    const fact = companies.includes(name)
      ? facts(name)('staffNow', count(20, 4_000))
      : facts(name)('populationNow', count(2_000, 60_000));
    const published = `2025-${String(1 + below(12)).padStart(2, '0')}-${String(1 + below(28)).padStart(2, '0')}`;
    const seed = below(1_000_000);
    for (const site of ['courier', 'gazette'] as const) {
      // The same story: an agency wrote it, and each paper puts its own line before it.
      const story = storyOf(fact, createRandom(seed));
      const lead = site === 'courier' ? `Our readers asked for news of ${name}.` : `${name} was in the news this week.`;
      const page: Page = {
        site,
        title: site === 'courier' ? `${name} in figures` : `What is new in ${name}`,
        published,
        path: `/${site}/${pages.length}`,
        paragraphs: [lead, ...story.paragraphs],
        isGone: false,
      };
      pages.push(page);
      add({ ...fact, sentence: story.sentence, page });
    }
  }
  for (const name of disputed.slice(0, Math.round(shares.disputes * size))) {
    const page = {
      site: 'almanac' as const,
      title: `${name}, a short history`,
      published: '2019-05-20',
      isGone: false,
    };
    write(page, [facts(name)('opened', day(1960, 40))], `A short history of ${name}, from the papers of the builders.`);
  }
  const hard = writeHardPages(writer, random, { size, towns, bridges, companies });
  while (pages.length < size) {
    const listed = [any(towns), any(people), any(bridges), any(companies), any(towns)];
    const title = any([
      `Hotels near ${listed[0]}`,
      `Postcards of ${listed[2]}`,
      `${listed[1]}: namesakes`,
      `${listed[3]} jobs`,
    ]);
    const page = { site: random() < 0.3 ? ('forum' as const) : ('directory' as const), title, isGone: false };
    write(
      page,
      [],
      `Listed here, in no order: ${listed.join(', ')}. Ask at the desk for maps, tickets and opening hours.`,
    );
  }
  return {
    pages,
    towns,
    people,
    bridges,
    companies,
    rivers,
    disputed,
    prolific,
    ...hard,
    statements: writer.statements,
  };
}

function storyOf({ subject, relation, value }: Said, random: Random): { sentence: string; paragraphs: string[] } {
  const sentence = sentenceOf(relation, Math.floor(random() * 2), subject, value);
  const more = shuffle(fillers, random).map((text) => text.replace('{n}', String(3 + Math.floor(random() * 90))));
  return { sentence, paragraphs: [[more[0], sentence, more[1], more[2]].join(' '), more.slice(3, 7).join(' ')] };
}
