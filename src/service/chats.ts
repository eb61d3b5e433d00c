/**
 * What chat applications ask for besides searches: the last search of a chat, answers to their side prompts, suggestions,
 * what to ask next, and what a search can choose from.
 */
import type { Capabilities, FollowUps, Suggestions, Usage } from '../../protocol/index.ts';
import { privateName } from '../access/restriction.ts';
import { checkScope } from '../access/scopes.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Engine } from '../engine/engine.ts';
import type { RunRecords } from '../runs/records/run-records.ts';
import type { Registry } from '../runs/registry.ts';
import type { Call, CallAccess } from './calls.ts';
import { createCallerCounter } from './count-caller.ts';
import { createTokenAllowance } from './searches/count-search.ts';
import type { FoundLog } from './searches/describe-search.ts';
import { findOwn, noSearch } from './searches/own-searches.ts';
import { textResultOf } from './searches/previous-search.ts';
import type { FollowUpMaker } from './suggestions/follow-ups.ts';
import type { SuggestionMaker } from './suggestions/suggestions.ts';

/** A text by the model alone, and the tokens that it took. */
export interface TextReply {
  readonly text: string;
  readonly usage: Pick<Usage, 'tokens_in' | 'tokens_out'>;
}

export interface ChatCalls {
  /** The names of the models that a search can choose from, as in `Engine`. */
  readonly models: readonly string[];
  /** The last search of one of the caller's chats; undefined if there is none, or it is no longer kept. */
  findChat(call: Call, chat_id: string): Promise<FoundLog | undefined>;
  /** Makes one of the caller's searches the last one of a chat. The id of the chat is the account's own name for it. */
  continueChat(call: Call, chat_id: string, search_id: string): Promise<void>;
  /**
   * A short text by the model alone, undefined where there is none or the account has no tokens left: no search, and counted with the
   * reads. Rejects with 401, 403, 429 or 503.
   */
  reply(call: Call, prompt: string): Promise<TextReply | undefined>;
  /**
   * Questions that the index answers; none for a key that is restricted to collections. Counted with the reads. Rejects with
   * 401, 403 or 429.
   */
  suggestions(call: Call): Promise<Suggestions>;
  /** Questions to ask after a search. Counted with the reads. Rejects with 401, 403, 404 or 429. */
  followUps(call: Call, search_id: string): Promise<FollowUps>;
  /** What a search can choose from. Counted with the reads. Rejects with 401, 403 or 429. */
  capabilities(call: Call): Promise<Capabilities>;
}

export interface ChatParts {
  readonly access: CallAccess;
  readonly metrics: Metrics;
  readonly runs: Registry;
  readonly records: RunRecords;
  readonly engine: Engine;
  readonly suggestions: SuggestionMaker;
  readonly followUps: FollowUpMaker;
}

/** `parts` are opened and closed by the caller. */
export function createChatCalls(parts: ChatParts): ChatCalls {
  const { access, runs, records, engine, suggestions, followUps } = parts;

  const countCaller = createCallerCounter(access, (caller) => checkScope(caller, 'search'));

  return {
    models: engine.models.map(({ name }) => name),

    async findChat(call, chat_id) {
      const caller = await access.identify(call.from);
      const search_id = await records.lastOfChat(caller.account_id, privateName(caller, chat_id));
      if (search_id === undefined) return undefined;
      const { run, record } = await findOwn(runs, caller, search_id);
      return run !== undefined ? { run } : record && { record };
    },

    async continueChat(call, chat_id, search_id) {
      const caller = await access.identify(call.from);
      await records.continueChat(caller.account_id, privateName(caller, chat_id), search_id);
    },

    async reply(call, prompt) {
      const caller = await countCaller(call, 'reads');
      const tokens = createTokenAllowance(parts, caller);
      if (!(await tokens.hasAny())) return undefined;
      const permit = await access.admission.admit(caller, {}, call.signal);
      try {
        const reply = await engine.reply(prompt, caller.account_id, call.signal);
        if (reply === undefined) return undefined;
        tokens.spend(reply.tokens);
        return { text: reply.text, usage: { tokens_in: reply.tokens.in, tokens_out: reply.tokens.out } };
      } finally {
        permit.release();
      }
    },

    async suggestions(call) {
      const caller = await countCaller(call, 'reads');
      const { has_model, ...known } = await suggestions.current(caller.account_id);
      // They are made from more than the key may see.
      return caller.collections === undefined ? { ...known, has_model } : { questions: [], has_model };
    },

    async followUps(call, search_id) {
      const caller = await countCaller(call, 'reads');
      const { account_id } = caller;
      const { run, record, waiting } = await findOwn(runs, caller, search_id);
      const found = run ?? record;
      if (found === undefined && waiting === undefined) throw noSearch(search_id);
      const result = textResultOf(run?.log.terminal() ?? record?.terminal);
      if (found === undefined || result === undefined) return { questions: [] };
      const search = { search_id, account_id, prompts: found.prompts, result };
      const tokens = createTokenAllowance(parts, caller);
      return { questions: [...(await followUps.after(search, tokens, call.signal))] };
    },

    async capabilities(call) {
      await countCaller(call, 'reads');
      const last = engine.models.length - 1;
      const models = engine.models.map(async ({ name, describeImage, hasVision = async () => true }, at) => ({
        name,
        kind: at === last ? ('extractive' as const) : ('language' as const),
        images: describeImage !== undefined && (await hasVision()),
      }));
      return { models: await Promise.all(models) };
    },
  };
}
