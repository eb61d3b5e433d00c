/** Chat completions, at the paths of OpenAI and of Perplexity. */
import { ChatCompletionRequest } from '../../../../protocol/index.ts';
import { parse } from '../../../base/errors.ts';
import type { Service } from '../../../service/service.ts';
import { eventStreamHeaders } from '../../../transport/event-stream.ts';
import type { Context } from '../../../transport/http/context.ts';
import type { Doors } from '../../../transport/http/door.ts';
import { answerAtDoor, type DoorSearch } from '../../../transport/http/searches.ts';
import { warningsIn } from '../../warnings.ts';
import { openaiError, perplexityError } from '../errors.ts';
import { type ForcedFunction, forcedFunction } from '../forced-function.ts';
import { inFormat, type SideFormat, sideFormat, withFormat } from '../side-format.ts';
import { replyFromText, sidePromptOf } from '../side-prompts.ts';
import { completionOf } from './answer.ts';
import { chatEvents } from './events.ts';
import { replyChunks, replyOf } from './reply.ts';
import { searchOf } from './request.ts';

type Door = 'openai' | 'perplexity';

/** The handlers of the routes of chat completions. */
export function chatHandlers(service: Service) {
  async function answer(ctx: Context, door: Door): Promise<void> {
    const call = await service.authenticate(ctx.call);
    // A body that cannot be read is charged like any other.
    const read = await call.body().then(
      (body) => () => parse(ChatCompletionRequest, body),
      (error: unknown) => () => {
        throw error;
      },
    );
    const side = sideOf(read);
    if (side !== undefined) return answerSidePrompt(service, ctx, side);
    await answerAtDoor(service, ctx, door, async () => chatSearch(ctx, door, read(), service.models));
  }

  return {
    chat_completions: (ctx) => answer(ctx, 'openai'),
    perplexity_chat: (ctx) => answer(ctx, 'perplexity'),
  } satisfies Partial<Doors['handlers']>;
}

interface Side {
  readonly request: ChatCompletionRequest;
  readonly prompt: string;
  readonly forced: ForcedFunction | undefined;
  readonly format: SideFormat | undefined;
}

function sideOf(read: () => ChatCompletionRequest): Side | undefined {
  try {
    const request = read();
    const prompt = sidePromptOf(request);
    if (prompt === undefined) return undefined;
    const forced = forcedFunction(request);
    return { request, prompt, forced, format: sideFormat(request, forced) };
  } catch {
    // It is read again, and refused, once it was charged.
    return undefined;
  }
}

async function answerSidePrompt(service: Service, ctx: Context, { request, prompt, forced, format }: Side) {
  const unused = { tokens_in: 0, tokens_out: 0 };
  const said = (await service.reply(ctx.call, withFormat(prompt, format))) ?? {
    text: replyFromText(prompt),
    usage: unused,
  };
  const reply = { ...said, text: inFormat(said.text, format) };
  const asked = { model: request.model, usage: asksForUsage(request), call: forced };
  const about = { search_id: ctx.request.id, created_at: new Date().toISOString() };
  if (request.stream !== true) return ctx.json(200, replyOf(about, asked, reply));
  const stream = ctx.stream(eventStreamHeaders);
  stream.cork(() => stream.write(replyChunks(about, asked, reply)));
  stream.end();
}

function chatSearch(ctx: Context, door: Door, request: ChatCompletionRequest, models: readonly string[]): DoorSearch {
  const { model, stream, citewire } = request;
  const asked = {
    model,
    sources: citewire?.sources === true,
    usage: asksForUsage(request),
    status: citewire?.status ?? ctx.request.headers.has('x-openwebui-chat-id'),
    call: forcedFunction(request),
  };
  const refuse = door === 'openai' ? openaiError : perplexityError;
  return {
    input: searchOf(request, models),
    events: stream === true ? (run) => ({ format: chatEvents(run, asked, refuse) }) : undefined,
    result: (run, ended) => completionOf(run, asked, ended, warningsIn(run.log)),
  };
}

function asksForUsage({ stream_options }: ChatCompletionRequest): boolean {
  return stream_options?.include_usage === true;
}
