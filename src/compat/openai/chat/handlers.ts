/** POST /v1/chat/completions. */
import { ChatCompletionRequest } from '../../../../protocol/index.ts';
import { parse } from '../../../base/errors.ts';
import type { Service } from '../../../service/service.ts';
import type { Context } from '../../../transport/http/context.ts';
import type { Doors } from '../../../transport/http/door.ts';
import { answerAtDoor, type DoorSearch } from '../../../transport/http/searches.ts';
import { completionOf } from './answer.ts';
import { chatEvents } from './events.ts';
import { searchOf } from './request.ts';

/** The handlers of the routes of chat completions. */
export function chatHandlers(service: Service) {
  return {
    chat_completions: (ctx) =>
      answerAtDoor(service, ctx, 'openai', async () =>
        chatSearch(ctx, parse(ChatCompletionRequest, await ctx.call.body())),
      ),
  } satisfies Partial<Doors['handlers']>;
}

function chatSearch(ctx: Context, request: ChatCompletionRequest): DoorSearch {
  const { model, stream, stream_options, citewire } = request;
  const asked = {
    model,
    sources: citewire?.sources === true,
    usage: stream_options?.include_usage === true,
    status: citewire?.status ?? ctx.request.headers.has('x-openwebui-chat-id'),
  };
  return {
    input: searchOf(request),
    streamed: stream === true,
    events: (run) => ({ format: chatEvents(run, asked) }),
    result: (run, ended) => completionOf(run, asked, ended),
  };
}
