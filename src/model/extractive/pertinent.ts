/**
 * In documentation much stands beside the point: how to install the package, who made it, where to report a bug. Here it
 * is told from what is to the point, by how much of the question a unit says. An encyclopedia's sentences answer in other
 * words than the question's, so of prose nothing is left out.
 */
import type { Question } from './analyse.ts';
import type { Ranked } from './rank.ts';

/** The least that a unit says, as a share of what any of the likeliest says. */
const least = 0.4;
const likeliest = 8;
/** What counts of a word that only the title or a heading says. */
const aside = 0.35;

/**
 * The best of them and what is to the point; none where the best is not. A page's subject is not the point, for all of
 * the page is about that; but where the question names a subject, others count only as far as they name it too.
 */
export function pertinent(ranked: readonly Ranked[], { terms, byStem }: Question): readonly Ranked[] {
  const [best] = ranked;
  if (best === undefined || !isDocumentation(ranked)) return ranked;
  if (terms.every(({ stem }) => best.passage.subjectStems.has(stem))) return ranked;

  const strength = ({ own, around }: Ranked, term: number) => Math.max(own[term]!, aside * around[term]!);
  const saysOf = (each: Ranked) =>
    terms.reduce((sum, { stem, weight }, term) => {
      return sum + (each.passage.subjectStems.has(stem) ? 0 : weight * strength(each, term));
    }, 0);
  if (saysOf(best) === 0) return [];

  const subjects = ranked.map(({ passage }) => [...passage.subjectStems]);
  const asked = subjects.filter((stems) => stems.length > 0 && stems.every((stem) => byStem.has(stem)));
  const names = (each: Ranked, stems: readonly string[]) =>
    terms.every(({ stem }, term) => !stems.includes(stem) || strength(each, term) > 0);
  const isOfSubject = (each: Ranked) => asked.length === 0 || asked.some((stems) => names(each, stems));
  const enough = least * Math.max(...ranked.slice(0, likeliest).map(saysOf));
  return ranked.filter((each) => each === best || (saysOf(each) >= enough && isOfSubject(each)));
}

/** Whether most of the passages show code. */
function isDocumentation(ranked: readonly Ranked[]): boolean {
  const passages = [...new Set(ranked.map(({ passage }) => passage))];
  return passages.filter(({ technical }) => technical).length > passages.length / 2;
}
