/** The benchmark of research measures what it says: its web is repeatable, its questions can be answered, its score is exact. */
import { describe, expect, it } from 'vitest';
import { factsAlong } from '../../../bench/research/chains.ts';
import type { Page } from '../../../bench/research/page.ts';
import type { Question } from '../../../bench/research/question.ts';
import { createQuestions } from '../../../bench/research/questions.ts';
import { score } from '../../../bench/research/score.ts';
import { createWorld } from '../../../bench/research/world.ts';

const world = createWorld(300);
const questions = createQuestions(world, 0.2);
const urlOf = ({ path }: Page) => path;
const textOf = ({ paragraphs }: Page) => paragraphs.join('\n');

describe('the generated web', () => {
  it('is the same each time, and as large as requested', () => {
    expect(JSON.stringify(createWorld(300).pages)).toBe(JSON.stringify(world.pages));
    expect(JSON.stringify(createQuestions(createWorld(300), 0.2))).toBe(JSON.stringify(questions));
    expect(world.pages).toHaveLength(300);
    expect(createWorld(3_000).pages).toHaveLength(3_000);
    expect(createQuestions(createWorld(3_000))).toHaveLength(160);
  });

  it('says each fact of a question on a page that can be read', () => {
    for (const { facts, text } of questions) {
      for (const { value, pages } of facts) {
        expect(pages.length, text).toBeGreaterThan(0);
        for (const page of pages) expect(textOf(page), text).toContain(value);
        expect(pages.some(({ isGone }) => isGone)).toBe(false);
      }
    }
  });

  it('has pages that are gone, and stories that two sites tell', () => {
    expect(world.pages.some(({ isGone }) => isGone)).toBe(true);
    const stories = (site: string) =>
      world.pages
        .filter((page) => page.site === site && /in figures|What is new/.test(page.title))
        .map((page) => page.paragraphs[1]);
    expect(stories('courier').length).toBeGreaterThan(10);
    expect(stories('courier')).toEqual(stories('gazette'));
  });
});

describe('the score', () => {
  const question = questions.find(({ kind }) => kind === 'comparison')!;
  const [a, b] = question.facts as [Question['facts'][number], Question['facts'][number]];
  const cite = ({ value, pages }: typeof a) => ({ quote: `It says ${value}.`, url: urlOf(pages[0]!) });
  const scored = (text: string, citations: { quote: string; url: string }[], of = question) =>
    score(of, { text, citations, status: 'answered', previous: '' }, urlOf);

  it('needs all facts, and a quote of each from a page that says it', () => {
    const text = `**${a.value}** [1] and ${b.value}. [2]`;
    expect(scored(text, [cite(a), cite(b)])).toMatchObject({ right: true, cited: true, refused: false, complete: 1 });
    expect(scored(text, [cite(a)])).toMatchObject({ right: true, cited: false, complete: 0.5 });
    expect(scored(text, [cite(a), { ...cite(b), url: '/elsewhere' }])).toMatchObject({ right: true, cited: false });
    expect(scored(`${a.value}`, [cite(a), cite(b)])).toMatchObject({ right: false, cited: false });
  });

  it('lets what is outdated or hearsay stand only after the facts', () => {
    const of = { ...question, facts: [a], later: [b.value] };
    expect(scored(`${a.value}, not ${b.value}.`, [cite(a)], of).right).toBe(true);
    expect(scored(`${b.value}, or ${a.value}.`, [cite(a)], of).right).toBe(false);
  });

  it('finds no value inside a longer one', () => {
    const of = { ...question, facts: [{ ...a, value: '8 May 1971' }] };
    expect(scored('On 18 May 1971.', [], of).right).toBe(false);
    expect(scored('On 8 May 1971.', [], of).right).toBe(true);
  });

  it('has ten names in a comparison of ten, and every fact of a report at the end of a chain', () => {
    const kinds = (kind: string) => questions.filter((each) => each.kind === kind);
    for (const { facts, chains } of kinds('ten compared')) expect([facts.length, chains.length]).toEqual([10, 10]);
    for (const { facts, chains } of kinds('report'))
      expect(facts).toEqual(chains.flatMap((chain) => factsAlong(world, chain)));
  });

  it('counts a refusal as right only where nobody says it', () => {
    const unsaid = questions.find(({ kind }) => kind === 'not said')!;
    const refused = { text: '', citations: [], status: 'not_found', previous: '' };
    expect(score(unsaid, refused, urlOf)).toMatchObject({ right: true, cited: true, refused: true });
    expect(score(question, refused, urlOf)).toMatchObject({ right: false, cited: false, refused: true });
  });

  it('takes the second of the names in the order of the answer before', () => {
    const follow = questions.find(({ kind }) => kind === 'follow-up')!;
    const names = follow.previous!.names;
    const previous = [...names].reverse().join(' and ');
    const second = follow.facts[names.length - 2]!;
    const said = { text: `On ${second.value}.`, citations: [cite(second)], status: 'answered', previous };
    expect(score(follow, said, urlOf)).toMatchObject({ right: true, cited: true });
    expect(score(follow, { ...said, text: `On ${follow.facts.at(-1)!.value}.` }, urlOf).right).toBe(names.length === 1);
  });
});
