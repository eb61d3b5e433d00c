/**
 * A short text by the model alone, without research: titles and the like, for conversations that applications bring along.
 * Nothing in it is cited.
 */
import { timeLimit, untilAborted } from '../base/abort.ts';
import type { Meter, StageContext } from './ports/model.ts';
import type { TokenCounts } from './ports/token-counts.ts';
import type { EnginePorts } from './ports.ts';

export interface ModelReply {
  readonly text: string;
  readonly tokens: TokenCounts;
}

/** Tokens and ms of one reply; set by hand. */
const maxTokens = 20_000;
const timeoutMs = 20_000;

/** Undefined where no model writes such texts, or all of them fail. Rejects with the signal's reason. */
export async function replyWithModel(
  { model, planner = model, standby }: EnginePorts,
  prompt: string,
  owner: string,
  signal: AbortSignal,
): Promise<ModelReply | undefined> {
  const used = { in: 0, out: 0 };
  const meter: Meter = {
    admit: () => {},
    left: () => maxTokens - used.in - used.out,
    record(tokens) {
      used.in += tokens.in;
      used.out += tokens.out;
    },
  };
  const within = AbortSignal.any([signal, timeLimit(timeoutMs)]);
  const context: StageContext = { signal: within, meter, owner };
  for (const each of new Set([planner, standby])) {
    if (each?.reply === undefined || within.aborted) continue;
    const text = await untilAborted(each.reply(prompt, context), within).catch(() => '');
    signal.throwIfAborted();
    if (text.trim() !== '') return { text: text.trim(), tokens: used };
  }
  return undefined;
}
