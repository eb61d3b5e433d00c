/**
 * Notified of each outgoing call of a search, when it begins and when it ends: the log has the stages of a search, not
 * their calls. Absent unless traces are exported. Never notified of single tokens.
 */
import type { TokenCounts } from './token-counts.ts';

/**
 * The start of a call. Fields that may hold words of the question (`text`, `url`) are exported only if the operator asks
 * for them.
 */
export type WatchedCall =
  | {
      readonly kind: 'model';
      readonly model: string;
      /** Whose protocol the endpoint speaks, by the name that the GenAI conventions give it. */
      readonly provider: string;
      readonly baseUrl: string;
    }
  /** `source` is `corpus` or the name of a search provider. */
  | { readonly kind: 'query'; readonly source: string; readonly text: string; readonly limit: number }
  | { readonly kind: 'page'; readonly url: string };

export interface OpenCall {
  /** Headers for the requests of the call. */
  readonly headers: Readonly<Record<string, string>>;
  /** The call is over, with its error if it failed. Only the first time counts. */
  end(outcome?: CallOutcome): void;
}

export interface CallOutcome {
  readonly error?: unknown;
  /** For a call to a model. */
  readonly tokens?: TokenCounts | undefined;
  /** The number of results of a query. */
  readonly found?: number;
}

export interface CallWatch {
  begin(call: WatchedCall): OpenCall;
}

/** Runs `work` and notifies the watch, if there is one; `describe` gives the outcome. */
export async function watchCall<Result>(
  watch: CallWatch | undefined,
  call: WatchedCall,
  work: (headers?: OpenCall['headers']) => Promise<Result>,
  describe: (result: Result) => CallOutcome = () => ({}),
): Promise<Result> {
  if (watch === undefined) return work();
  const open = watch.begin(call);
  try {
    const result = await work(open.headers);
    open.end(describe(result));
    return result;
  } catch (error) {
    open.end({ error });
    throw error;
  }
}
