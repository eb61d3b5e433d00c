/**
 * The items of a list of tasks, "- [ ] Order mattresses", that are open or done: "What still has to be done before the season?" As
 * with rows, each of them is as good as the others.
 */
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { type ReadUnit, readPassage, type Source } from '../../text/passages.ts';
import { boxOf } from '../../text/sentences.ts';
import type { WritablePiece } from '../write-pieces.ts';

/** Items that an answer shows. Set by hand. */
const maxItems = 12;
const asksForItems =
  /^\P{L}*(?:and )?(?:what|which|(?:is|are) there (?:any|some|anything|something)|list|show me|was|welche[rs]?|que|qu['’]est-ce|quelles?|qué|cuáles)(?!\p{L})/iu;
/** A page may have a list of tasks and be about hours, too: "What time is the pool open?" */
const ofTasks =
  /(?<!\p{L})(?:tasks?|to[- ]dos?|to do|done|finished|completed|ticked off|(?:open|outstanding|remaining) (?:items?|points?|jobs?)|outstanding|pending|unfinished|Aufgaben?|erledig(?:t|en)|(?:zu|noch) (?:tun|machen)|tâches?|(?:à|reste à) faire|faites?|tareas?|por hacer|hech[oa]s?|pendientes?)(?!\p{L})/iu;
const asksForOpen =
  /(?<!\p{L})(?:still|left|open|outstanding|remain(?:s|ing)?|pending|unfinished|to be|to do|not|\p{L}+n['’]t|noch|nicht|offene?[nrs]?|reste(?:nt)?|pas|falta[n]?|por hacer|pendientes?)(?!\p{L})/iu;
const asksForDone =
  /(?<!\p{L})(?:done|finished|completed|ticked off|already|erledigt|fertig|schon|faites?|déjà|hech[oa]s?|ya)(?!\p{L})/iu;

interface Item {
  readonly source: Source;
  readonly unit: ReadUnit;
}

/** Such items of the list that the question names, or of the only one there is; none for other questions. */
export function quoteCheckedItems(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece[] {
  const { asked, language } = question;
  if (!asksForItems.test(asked) || !ofTasks.test(asked)) return [];
  const isForOpen = asksForOpen.test(asked) || !asksForDone.test(asked);
  const lists = new Map<string, Item[]>();
  for (const source of sources) {
    for (const unit of readPassage(source, language).units) {
      if (unit.kind !== 'item' || boxOf(unit) === undefined) continue;
      const name = `${source.url}\n${unit.section}`;
      lists.set(name, [...(lists.get(name) ?? []), { source, unit }]);
    }
  }
  const all = [...lists.values()];
  const named = all.filter(([first]) => question.terms.some(({ stem }) => first!.unit.sectionStems.has(stem)));
  const [list] = all.length === 1 ? all : named;
  if (list === undefined || (all.length > 1 && named.length > 1)) return [];
  const meant = list.filter(({ unit }) => (boxOf(unit) === 'open') === isForOpen);
  return meant.length > maxItems ? [] : meant.map(({ source, unit }) => ({ source, units: [unit] }));
}
