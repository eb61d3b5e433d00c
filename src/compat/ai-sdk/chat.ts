/**
 * `useChat` of the AI SDK: a turn of a chat is a search, which continues when its reader leaves. A chat is named by its client
 * and known only to its account; the store keeps its last search, so any process can resume or stop it.
 */
import { LRUCache } from 'lru-cache';
import { ChatId, ChatRequest, isTerminal } from '../../../protocol/index.ts';
import { parse } from '../../base/errors.ts';
import type { Run } from '../../runs/run.ts';
import type { SearchInput } from '../../service/calls.ts';
import type { Service } from '../../service/service.ts';
import type { Context } from '../../transport/http/context.ts';
import type { Doors } from '../../transport/http/door.ts';
import { beginAnswer, parseIdempotencyKey, withReader, withStream } from '../../transport/http/searches.ts';
import { answerWithEvents, type EventStream } from '../../transport/http/sse.ts';
import { createMessageParts } from './message-parts.ts';
import { type ChatTurn, readChat } from './read-chat.ts';

/** Who has read the message of a search. */
interface Readers {
  /** Whether the last part has gone out to one of them. */
  isDelivered: boolean;
  /** How many left before that, and have not come back. */
  left: number;
}

/** As many as ended runs whose logs are kept. */
const maxSearches = 2_000;

/** The handlers of the routes of chats. */
export function aiChatHandlers(service: Service) {
  const readers = new LRUCache<string, Readers>({ max: maxSearches });

  async function send(ctx: Context, run: Run): Promise<void> {
    const read = readers.get(run.search_id) ?? { isDelivered: false, left: 0 };
    readers.set(run.search_id, read);
    beginAnswer(ctx, run);
    await withReader(service, run, () => answerWithEvents(ctx, run, messageStream(run)));
    if (run.log.terminal() === undefined || ctx.signal.aborted) read.left += 1;
    else read.isDelivered = true;
  }

  async function findRun(ctx: Context, chat_id: string): Promise<Run | undefined> {
    const id = parse(ChatId, chat_id, 'path');
    return (await service.findChat(ctx.call, id))?.run;
  }

  return {
    start_chat: (ctx) =>
      withStream(service, ctx, async () => {
        let chat_id = '';
        const input = async (): Promise<SearchInput> => {
          const asked = parse(ChatRequest, await ctx.call.body());
          chat_id = asked.id;
          return followUp(service, ctx, chat_id, readChat(asked));
        };
        const how = { door: 'ai-sdk', streamed: true, on_disconnect: 'continue' } as const;
        const idempotency_key = parseIdempotencyKey(ctx.request);
        const { run } = await service.search({ ...ctx.call, ...how, input, idempotency_key });
        // A chat that cannot be kept can still be read; it only cannot be resumed.
        await service.continueChat(ctx.call, chat_id, run.search_id).catch(() => {});
        await send(ctx, run);
      }),

    /** The whole message from its start while it is written, and for those who left before its end; else 204. */
    async resume_chat(ctx, { chat_id }) {
      const run = await findRun(ctx, chat_id);
      const read = run && readers.get(run.search_id);
      const isWaitedFor = run?.state() === 'running' || read?.isDelivered !== true || read.left > 0;
      if (run === undefined || !isWaitedFor) return ctx.send(204, {}, '');
      if (read !== undefined) read.left = Math.max(0, read.left - 1);
      await withStream(service, ctx, () => send(ctx, run));
    },

    async stop_chat(ctx, { chat_id }) {
      const run = await findRun(ctx, chat_id);
      if (run?.state() !== 'running') return ctx.send(204, {}, '');
      ctx.json(202, await service.cancel(ctx.call, run.search_id));
    },
  } satisfies Partial<Doors['handlers']>;
}

function messageStream({ search_id }: Run): EventStream {
  const parts = createMessageParts(search_id);
  return {
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
    format({ event }) {
      const frames = parts(event).map((part) => `data: ${JSON.stringify(part)}\n\n`);
      return frames.join('') + (isTerminal(event) ? 'data: [DONE]\n\n' : '');
    },
  };
}

/**
 * The search of a turn, after the one it follows up on, if that is known: it remembers the whole conversation, and its answer
 * without markers. Else after what the client repeats of the conversation.
 */
async function followUp(service: Service, ctx: Context, chat_id: string, turn: ChatTurn): Promise<SearchInput> {
  const { request, prompts, answer, answerId, follows } = turn;
  if (follows === 'answer') {
    const known = answerId !== undefined && /^s_[\w-]{22,40}$/.test(answerId);
    const before = known ? await service.find(ctx.call, answerId).catch(() => undefined) : undefined;
    if (before !== undefined) return { request: { ...request, previous_search_id: answerId } };
    return { request, previous: { prompts, ...(answer === undefined ? {} : { answer }) } };
  }
  const last = await service.findChat(ctx.call, chat_id);
  if (last === undefined) return { request };
  const { search_id, prompts: asked } = last.run ?? last.record;
  if (follows === 'last search') return { request: { ...request, previous_search_id: search_id } };
  return { request, previous: { prompts: asked.slice(0, -1) } };
}
