/**
 * Before a design is published, its examples are run the way its callers will run it. All of them are tried, so that the
 * author sees every failure; a single failure prevents publication.
 */
import type {
  CompletedEvent,
  Design,
  IssueType,
  TerminalEvent,
  ValidationError,
  VersionPublished,
} from '../../protocol/index.ts';
import { AppError, invalidAt } from '../base/errors.ts';
import { type ApiRun, buildApiRun } from './api-run.ts';
import { shapeMismatch } from './shape-mismatch.ts';

/**
 * Runs a request to its end. If it rejects, publishing rejects with the same error, and `signal` fires: what of the other
 * examples is running is cancelled.
 */
export type RunExample = (
  apiRun: ApiRun,
  signal: AbortSignal,
) => Promise<{ search_id: string; terminal: TerminalEvent }>;

type ExampleRuns = VersionPublished['examples'];

/** Examples that run in parallel; every plan allows this many searches. */
const concurrency = 2;

/**
 * The runs of the examples, in the same order. Rejects with a 422 whose `loc` names fields of the design, such as `["body",
 * "examples", 0, "inputs", "topic"]`, and with what `run` rejects with; no other example is begun then.
 */
export async function runExamples(design: Design, run: RunExample): Promise<ExampleRuns> {
  const { apiRuns, issues } = readExamples(design);
  if (issues.length > 0) throw invalidAt(issues);
  const runs: ExampleRuns = [];
  const failures: ValidationError[] = [];
  const waiting = apiRuns.entries();
  const failed = new AbortController();
  const work = async () => {
    for (const [at, apiRun] of waiting) {
      if (failed.signal.aborted) return;
      const { search_id, terminal } = await run(apiRun, failed.signal);
      const failure = failureOf(design, terminal);
      if (failure !== undefined) failures.push({ loc: ['body', 'examples', at], ...failure });
      else if (terminal.type === 'search.completed') {
        runs[at] = { inputs: design.examples[at]!.inputs, search_id, status: terminal.status };
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  if (failures.length > 0) throw invalidAt(failures.sort((a, b) => Number(a.loc[2]) - Number(b.loc[2])));
  return runs;
}

function readExamples(design: Design): { apiRuns: ApiRun[]; issues: ValidationError[] } {
  const apiRuns: ApiRun[] = [];
  const issues: ValidationError[] = [];
  for (const [at, { inputs }] of design.examples.entries()) {
    try {
      apiRuns.push(buildApiRun(design, { api_stub: design.api_stub }, inputs, ['body', 'examples', at, 'inputs']));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      issues.push(...(error.details.issues ?? []));
    }
  }
  return { apiRuns, issues };
}

function failureOf({ output_format }: Design, terminal: TerminalEvent): Omit<ValidationError, 'loc'> | undefined {
  const type = 'example_failed' satisfies IssueType;
  if (terminal.type === 'search.cancelled')
    return { msg: `expected an answer; its run was cancelled by ${terminal.by}`, type };
  if (terminal.type === 'search.failed') {
    const { code, message } = terminal.error;
    return { msg: `expected an answer; its run failed with ${code}: ${message}`, type };
  }
  const place = output_format === undefined ? textMismatch(terminal) : shapeMismatch(output_format, terminal.result);
  return place === undefined
    ? undefined
    : { msg: `expected the shape of output_format; got a different one at "${place}"`, type };
}

function textMismatch({ result }: CompletedEvent): string | undefined {
  return typeof (result as { answer?: unknown }).answer === 'string' ? undefined : '/answer';
}
