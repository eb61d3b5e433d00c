/**
 * What to look for next: the names that the first hop's best sentences bring in, and the names of the question that no
 * page of the evidence is about ("Were A and B of the same nationality?"). Each with what is still missing.
 */
import type { Question } from './analyse.ts';
import { coverage } from './features.ts';
import type { Source } from './passages.ts';
import type { Ranked } from './rank.ts';

const maxQueries = 4;
/** A page that says this much of the question needs no second hop. */
const covered = 0.85;

export function bridgeQueries(question: Question, ranked: readonly Ranked[], sources: readonly Source[]): string[] {
  if (question.terms.length < 3 || ranked.length === 0) return [];
  const cover = coverage(question.terms.map((term) => term.weight));
  const top = ranked.slice(0, 4);
  if (top.some((unit) => cover(unit.own, unit.around) >= covered)) return [];
  const titles = new Set(sources.map((source) => source.title.toLowerCase()));
  const asked = question.text.toLowerCase();
  const missing = question.terms.filter((_, term) =>
    top.every((unit) => unit.own[term] === 0 && unit.around[term] === 0),
  );
  const rest = missing.map((term) => question.text.slice(0, 0) + term.stem).join(' ');
  const queries: string[] = [];
  const add = (name: string, more: string) => {
    const query = `${name} ${more}`.trim();
    if (name !== '' && !queries.includes(query)) queries.push(query);
  };
  for (const name of question.names) if (!titles.has(name.toLowerCase()) && question.names.length > 1) add(name, '');
  for (const unit of top) {
    for (const name of namesOf(unit)) {
      if (!titles.has(name.toLowerCase()) && !asked.includes(name.toLowerCase())) add(name, rest);
    }
  }
  return queries.slice(0, maxQueries);
}

/** Runs of capitalised words within a unit, the longest first. */
function namesOf({ unit }: Ranked): string[] {
  const found = unit.text.matchAll(
    /\p{Lu}[\p{L}\p{N}'’.-]*(?:\s+(?:(?:of|the|and|de|van|von)\s+)?\p{Lu}[\p{L}\p{N}'’.-]*)+/gu,
  );
  return [...new Set([...found].map((match) => match[0].replace(/[.'’-]+$/, '')))]
    .sort((a, b) => b.length - a.length)
    .slice(0, 3);
}
