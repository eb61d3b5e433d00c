/**
 * The extractive answer to a prompt: the selected pieces as Markdown with citation markers, or nothing where the evidence
 * does not answer; and the queries to search for next.
 */

import { hasSymbol, symbolsAsked } from '../../../base/text/names/symbol-names.ts';
import { isPointingList } from '../../../base/text/pointing-lists.ts';
import type { PassageSpan } from '../../../engine/ports/model.ts';
import { isDocumentation } from '../documentation/documentation-features.ts';
import { quoteHowTo } from '../documentation/how-to.ts';
import { inNamedFolders } from '../documentation/named-folder.ts';
import { correctSpelling } from '../match/spelling.ts';
import { withAccents } from '../question/accents.ts';
import { type AnalysedQuestion, analyse } from '../question/analyse.ts';
import { type Aspect, aspectsOf } from '../question/aspects.ts';
import { bridgeQueries } from '../question/bridge.ts';
import { withContext } from '../question/context.ts';
import { type QuestionPart, splitQuestion } from '../question/parts.ts';
import { isAnswerable } from '../rank/answerability.ts';
import { hasFewPages, readsAsFewPages } from '../rank/few-pages/few-pages.ts';
import { lacksAmongRivals } from '../rank/few-pages/rivals.ts';
import { lacksAskedThing } from '../rank/lacking.ts';
import { newestFirst } from '../rank/newest-first.ts';
import { type RankedUnit, rankUnits } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { answerFollowUp, answerInTurn } from './answer-in-turn.ts';
import { answerOne } from './answer-one.ts';
import { answerParts } from './answer-parts.ts';
import { compose } from './compose.ts';
import { excerptSpans } from './excerpts.ts';
import { answerFromDocumentation, isOfPackage } from './from-documentation.ts';
import { listPieces, listQueries } from './list-answer.ts';
import { createPieces } from './piece.ts';
import { quoteDirectly } from './quote-directly.ts';
import { type ResolvedDescriptions, resolveDescriptions } from './resolve-descriptions.ts';
import { quoteAskedItems } from './rows/asked-items.ts';
import { quoteAskedRows } from './rows/asked-rows.ts';
import { quoteCheckedItems } from './rows/checked-items.ts';
import { quoteDatedHeading } from './rows/dated-heading.ts';
import { quoteDatedItems } from './rows/dated-items.ts';
import { quoteEachRow } from './rows/each-row.ts';
import { quoteExtremeRows } from './rows/extreme-rows.ts';
import { quoteHours } from './rows/hours.ts';
import { quoteRoleHolder } from './rows/role-holder.ts';
import { weighSources } from './weigh-sources.ts';
import { writePieces } from './write-pieces.ts';

/** Sources that are ranked for the question as a whole; set by hand. */
const maxRanked = 24;

export interface Answer {
  /** Markdown; each string is one piece with its citation marker. Empty when the evidence does not answer. */
  readonly pieces: readonly string[];
  /** What to search for next; empty unless the question needs a further page (see question/bridge.ts). */
  readonly queries: readonly string[];
  /** `partial` if the pieces lead to what is asked without saying it, or lack some of its parts; `conflicting` if pages differ. */
  readonly status?: 'partial' | 'conflicting';
  /** The best stretch of each page, whether or not there is an answer; see excerpts.ts. */
  readonly excerpts: readonly PassageSpan[];
}

export interface AnswerOptions {
  /** Whether the answer may be long; otherwise it stops after what was asked. */
  readonly deep?: boolean;
}

/** Answers a prompt from the evidence; `found` are numbered by their `n` in the markers. */
export function answer(typed: string, found: readonly Source[], { deep = false }: AnswerOptions = {}): Answer {
  const prompt = withAccents(typed, found);
  const question = analyse(prompt);
  // Packages have rules of their own.
  const sources = found.some(isOfPackage) ? found : inNamedFolders(question, withoutIndexes(found));
  const symbols = symbolsAsked(question.text);
  const isSaid = (text: string) => symbols.length === 0 || symbols.some((name) => hasSymbol(text, name));
  const saying = sources.filter(({ text }) => isSaid(text));
  const written = answerAsSpelt(prompt, question, saying.length === 0 ? sources : saying, deep);
  // What does not say the name that is asked about, "<<<", is about something else.
  if (written.pieces.length === 0 || isSaid(written.pieces.join('\n'))) return written;
  return { pieces: [], queries: [], excerpts: written.excerpts };
}

/**
 * In a few pages, a question may be misspelt: it is answered with its spelling corrected, or as written where that has no answer.
 */
function answerAsSpelt(prompt: string, question: AnalysedQuestion, sources: readonly Source[], deep: boolean): Answer {
  const isRead = question.language === undefined && readsAsFewPages(sources);
  const corrected = isRead ? correctSpelling(prompt, sources) : prompt;
  const meant = corrected === prompt ? undefined : answerFrom(corrected, analyse(corrected), sources, deep);
  return meant !== undefined && meant.pieces.length > 0 ? meant : answerFrom(prompt, question, sources, deep);
}

/** What an answer is made of, besides the question and the sources. */
interface How {
  /** Empty if it asks for one thing. */
  readonly parts: readonly QuestionPart[];
  /** Whether the sources read as a few pages. */
  readonly isSmall: boolean;
  readonly deep: boolean;
}

function answerFrom(prompt: string, question: AnalysedQuestion, sources: readonly Source[], deep: boolean): Answer {
  if (isDocumentation(sources) && (!hasFewPages(sources) || sources.some(isOfPackage))) {
    return { ...answerFromDocumentation(question, sources), queries: [] };
  }
  const isSmall = readsAsFewPages(sources);
  const ranked = rankUnits(question, sources.slice(0, maxRanked));
  const excerpts = excerptSpans(question, ranked);
  if (isSmall && (lacksAskedThing(question, sources) || lacksAmongRivals(question, sources)))
    return { pieces: [], queries: [], excerpts };
  const how = { parts: splitQuestion(prompt), isSmall, deep };
  const byRule = answerByRule(prompt, question, sources, how);
  if (byRule !== undefined) return { ...byRule, queries: [], excerpts };
  const resolved = resolveDescriptions(question.text, sources);
  if (resolved.pieces.length > 0) return { ...answerResolved(resolved, sources, deep), excerpts };
  const inParts = answerParts(aspectsIn(question.text, sources, deep), sources, deep);
  const queries = [...new Set([...resolved.missing, ...inParts.missing, ...bridgeQueries(question, ranked, sources)])];
  if (inParts.pieces.length > 0) return { pieces: inParts.pieces, queries, excerpts };
  const inTurn = answerInTurn(isSmall ? how.parts : [], sources, { deep });
  if (inTurn.pieces.length > 0) {
    const status = inTurn.isPartial ? ({ status: 'partial' } as const) : {};
    return { pieces: writePieces(inTurn.pieces), queries, excerpts, ...status };
  }
  const { queries: more = [], ...best } = answerFromRanked(question, ranked, sources, how);
  return { ...best, queries: [...queries, ...more], excerpts };
}

/** What is quoted without a ranking, mostly of a few pages; undefined if no rule applies. */
function answerByRule(
  prompt: string,
  question: AnalysedQuestion,
  sources: readonly Source[],
  { parts, isSmall, deep }: How,
): Pick<Answer, 'pieces' | 'status'> | undefined {
  const followUp = isSmall ? answerFollowUp(prompt, sources, { deep }) : [];
  if (followUp.length > 0) return { pieces: writePieces(followUp) };
  const isSingle = isSmall && parts.length === 0;
  const rows = isSingle
    ? (quoteExtremeRows(question, sources) ?? quoteEachRow(question, sources) ?? quoteAskedRows(question, sources))
    : undefined;
  if (rows !== undefined) return { pieces: writePieces(rows.pieces), ...(rows.isWhole ? {} : { status: 'partial' }) };
  const dated = isSingle ? quoteDatedItems(question, sources) : [];
  if (dated.length > 0) return { pieces: writePieces(dated) };
  const line = isSingle
    ? (quoteHours(question, sources) ?? quoteRoleHolder(question, sources) ?? quoteDatedHeading(question, sources))
    : undefined;
  const tasks = isSingle ? quoteCheckedItems(question, sources) : [];
  if (tasks.length > 0) return { pieces: writePieces(tasks) };
  const direct = line ?? (isSmall && !isSingle ? undefined : quoteDirectly(question, sources));
  if (direct !== undefined) return { pieces: writePieces([direct]) };
  const items = isSingle ? quoteAskedItems(question, sources) : [];
  return items.length > 0 ? { pieces: writePieces(items) } : undefined;
}

/** The units that answer most likely; no pieces if even the best one does not. */
function answerFromRanked(
  question: AnalysedQuestion,
  ranked: readonly RankedUnit[],
  sources: readonly Source[],
  { parts, isSmall, deep }: How,
): Pick<Answer, 'pieces' | 'status'> & Partial<Pick<Answer, 'queries'>> {
  const listed = listPieces(question, deep ? rankUnits(question, sources) : ranked, deep);
  if (listed.length > 0) {
    return { pieces: writePieces(listed), queries: deep ? listQueries(question, listed) : [] };
  }
  const weighed = weighSources(question, ranked);
  if (weighed.ranked.length === 0 || !isAnswerable(question, ranked, sources)) return { pieces: [] };
  const newest = isSmall && weighed.others.length === 0 ? newestFirst(question, weighed.ranked) : weighed;
  const further = [...newest.others, ...bestForParts(parts, sources)];
  const howTo = deep || further.length > 0 ? [] : quoteHowTo(question, newest.ranked, sources);
  const pieces = howTo.length > 0 ? writePieces(howTo, '\n\n') : compose(question, newest.ranked, { deep, further });
  return { pieces, ...(newest.others.length === 0 ? {} : { status: 'conflicting' }) };
}

/** The steps that were taken, and after the last of them what is asked in the end. */
function answerResolved(
  { text, name, pieces: steps, missing }: ResolvedDescriptions,
  sources: readonly Source[],
  deep: boolean,
): Pick<Answer, 'pieces' | 'queries' | 'status'> {
  const first = writePieces(steps);
  if (missing.length > 0) return { pieces: first, queries: missing, status: 'partial' };
  const aspects = aspectsIn(text, sources, deep);
  if (aspects.length > 0) {
    const { pieces, missing: queries } = answerParts(aspects, sources, deep);
    const answered = pieces.length === 0 ? [] : following(pieces, deep ? '\n\n' : ' ');
    return { pieces: [...first, ...answered], queries, ...(queries.length === 0 ? {} : { status: 'partial' }) };
  }
  const { question, ranked, fitting, isAnswerable: isAnswered } = answerOne(text, sources, name);
  const [best] = fitting;
  if (best === undefined || !isAnswered) return { pieces: first, queries: [text], status: 'partial' };
  const last = createPieces(question, ranked)(best);
  const isNew = !steps.some(({ units }) => last.units.every((unit) => units.includes(unit)));
  return { pieces: isNew ? writePieces([...steps, last]) : first, queries: [] };
}

/** Pieces after others. */
function following([first = '', ...rest]: readonly string[], gap: string): string[] {
  return [`${gap}${first}`, ...rest];
}

function aspectsIn(text: string, sources: readonly Source[], deep: boolean): Aspect[] {
  return aspectsOf(text, deep ? sources.map((source) => source.text) : []);
}

/** Passages without those that only say where to read, unless there are no others. */
function withoutIndexes(found: readonly Source[]): readonly Source[] {
  const saying = found.filter((source) => !isPointingList(source));
  return saying.length === 0 ? found : saying;
}

/** The best unit for each part of a question after the first, where the evidence answers that part. */
function bestForParts(parts: readonly QuestionPart[], sources: readonly Source[]): RankedUnit[] {
  return parts.flatMap(({ part, context }) => {
    const question = analyse(withContext(part, context));
    const ranked = rankUnits(question, sources);
    return isAnswerable(question, ranked, sources) ? ranked.slice(0, 1) : [];
  });
}
