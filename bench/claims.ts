/**
 * Whether the check of claims keeps the true ones and drops the false ones, without a model: `npm run bench -- claims [--wrong]`, on
 * each part of questions/claims and in folds over all that the model learns from, by the way in which a claim is true or false, and the
 * time that a claim takes. `--wrong` prints what was wrong in the parts that are learned; nobody tunes on the others.
 */
import { readFileSync } from 'node:fs';
import { checkClaim, readSource } from '../src/engine/writing/support/check-claim.ts';
import type { SourceText } from '../src/engine/writing/support/closest-sentences.ts';
import type { ClaimVerdict } from '../src/engine/writing/support/judgement/judge-claim.ts';
import { type ClaimLine, heldOutSplits, learnedSplits, readClaims, type Split } from './questions/claims.ts';
import { formatTable } from './support/table.ts';

interface Scored extends ClaimLine {
  readonly isRight: boolean;
  readonly verdict: ClaimVerdict | 'none';
  readonly found: string;
}

/** Prints a table for each part. */
export default async function claims(words: string[]): Promise<void> {
  const heldOut: Scored[] = [];
  for (const split of [...learnedSplits, ...heldOutSplits]) {
    const scored = score(split);
    if (!isLearned(split)) heldOut.push(...scored);
    process.stdout.write(`\n${split}\n\n${formatScores(scored)}\n`);
    if (!isLearned(split) || !words.includes('--wrong')) continue;
    for (const { page, true: isTrue, way, claim, found } of scored.filter(({ isRight }) => !isRight))
      process.stdout.write(`\n${isTrue ? 'lost' : 'cited'} (${page}, ${way}): ${claim}\n  ${found}\n`);
  }
  process.stdout.write(
    `\nverdicts on all that is held out; with a model, "partly" and "unclear" are judged by it\n\n${formatVerdicts(heldOut)}\n`,
  );
  process.stdout.write(
    `\nin folds, by models that had not seen the page (tools/training/claims/train-claims.ts)\n\n${formatFolds()}\n`,
  );
  process.stdout.write(
    `\n${(100 * citedElsewhere()).toFixed(1)} % of the learned claims are cited beside another page\n`,
  );
  process.stdout.write(
    `\n${microseconds().toFixed(0)} µs a claim, its page read before, after one round over all claims\n`,
  );
}

/** Checks every claim of a part. */
export function score(split: Split): Scored[] {
  const check = createChecker();
  return readClaims(split).map((line) => {
    const checked = check(line);
    const found =
      checked === undefined
        ? 'nothing about it'
        : `${checked.verdict} ${checked.score.toFixed(2)} ${checked.faults.join('; ')}`;
    const isRight = (checked?.isCitable ?? false) === line.true;
    return { ...line, isRight, verdict: checked?.verdict ?? 'none', found };
  });
}

/** The share of the true claims, or of the false ones, that were decided rightly, 0 to 1. */
export function shareRight(scored: readonly Scored[], isTrue: boolean): number {
  const those = scored.filter((line) => line.true === isTrue);
  return those.filter(({ isRight }) => isRight).length / those.length;
}

/** Whether the model learns from a part and people may look at what it gets wrong there. */
function isLearned(split: Split): boolean {
  return (learnedSplits as readonly Split[]).includes(split);
}

function formatScores(scored: readonly Scored[]): string {
  const rows = [true, false].flatMap((isTrue) => {
    const those = scored.filter((line) => line.true === isTrue);
    const ways = [...new Set(those.map(({ way }) => way))].sort();
    return ['all', ...ways].map((way) => {
      const some = way === 'all' ? those : those.filter((line) => line.way === way);
      const share = `${(100 * shareRight(some, isTrue)).toFixed(1)} %`;
      return [isTrue ? 'true' : 'false', way, some.length, isTrue ? share : '', isTrue ? '' : share];
    });
  });
  return formatTable(['claims', 'way', 'number', 'kept', 'not cited'], rows);
}

/** What the check says of true and of false claims. */
function formatVerdicts(scored: readonly Scored[]): string {
  const rows = (['supported', 'partly', 'unclear', 'contradicted', 'none'] as const).map((verdict) => {
    const shares = [true, false].map((isTrue) => {
      const those = scored.filter((line) => line.true === isTrue);
      return `${((100 * those.filter((line) => line.verdict === verdict).length) / those.length).toFixed(1)} %`;
    });
    return [verdict, ...shares];
  });
  return formatTable(['verdict', 'true claims', 'false claims'], rows);
}

interface FoldScore {
  readonly set: string;
  readonly way: string;
  readonly isTrue: boolean;
  readonly number: number;
  /** 0 to 1. */
  readonly right: number;
}

/** What the training saved: claims of the articles, and of the development part, that each fold had not seen. */
function formatFolds(): string {
  const text = readFileSync(new URL('./results/claim-folds.json', import.meta.url), 'utf8');
  const rows = (JSON.parse(text) as FoldScore[]).map(({ set, way, isTrue, number, right }) => {
    const share = `${(100 * right).toFixed(1)} %`;
    return [set, isTrue ? 'true' : 'false', way, number, isTrue ? share : '', isTrue ? '' : share];
  });
  return formatTable(['pairs', 'claims', 'way', 'number', 'kept', 'not cited'], rows);
}

function createChecker() {
  const sources = new Map<string, SourceText>();
  return ({ claim, about: { id, text, title } }: ReturnType<typeof readClaims>[number]) => {
    const source = sources.get(id) ?? readSource(text, title, '');
    sources.set(id, source);
    return checkClaim(claim, source);
  };
}

/** The share of every third learned claim that is cited where its page is replaced by one about something else, 0 to 1. */
function citedElsewhere(): number {
  const lines = learnedSplits.flatMap((split) => readClaims(split)).filter((_, at) => at % 3 === 0);
  const pages = [...new Map(lines.map(({ about }) => [about.id, about])).values()];
  const check = createChecker();
  const cited = lines.filter((line, at) => {
    const own = pages.findIndex(({ id }) => id === line.about.id);
    const about = pages[(own + 1 + (at % 5)) % pages.length]!;
    return check({ ...line, about })?.isCitable ?? false;
  });
  return cited.length / lines.length;
}

function microseconds(): number {
  const lines = readClaims('development');
  const check = createChecker();
  for (const line of lines) check(line);
  const before = process.cpuUsage();
  for (const line of lines) check(line);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / lines.length;
}
