/**
 * The doors: one folder a protocol that clients already speak. Each is a pure mapper (the request to a search, the events of
 * the log to the frames of the wire, the end of a search to a body, an error to the protocol's own) and thin handlers over
 * `Context` and `Service`. Keys, limits, admission, idempotency, metrics and records are those of every search; replay and
 * checked citations come with the log.
 *
 * To add a door: name it in `protocol/doors.ts`, with the schema of its errors; add its routes to `protocol/door-routes.ts`, or
 * to `protocol/search-service-routes.ts` if it is a search service, and a row each to PROTOCOL.md; write its mappers in a folder
 * of its own, tested from the logs in `test/compat/logs`; have its handlers call `answerAtDoor` for whatever starts a search; add
 * the handlers and, if it has one, the form of its errors to `createDoors`. OpenAPI, metrics, limits and the hostile tests follow
 * from the rows.
 */
import type { Service } from '../service/service.ts';
import type { Doors } from '../transport/http/door.ts';
import { aiChatHandlers } from './ai-sdk/chat.ts';
import { exaError } from './exa/errors.ts';
import { exaHandlers } from './exa/handlers.ts';
import { mcpError } from './mcp/errors.ts';
import { createMcpDoor, type McpDoorOptions } from './mcp/http.ts';
import { openWebuiHandlers } from './open-webui/handlers.ts';
import { chatHandlers } from './openai/chat/handlers.ts';
import { openaiError, perplexityError, responseError } from './openai/errors.ts';
import { modelHandlers } from './openai/models.ts';
import { perplexityAsyncHandlers } from './openai/perplexity/async.ts';
import { perplexitySearchHandlers } from './openai/perplexity/search.ts';
import { responseHandlers } from './openai/responses/handlers.ts';
import { parallelError } from './parallel/errors.ts';
import { parallelHandlers } from './parallel/handlers.ts';
import { searxngHandlers } from './searxng/handlers.ts';
import { tavilyError } from './tavily/errors.ts';
import { tavilyHandlers } from './tavily/handlers.ts';

/** The handlers and errors of every door, for the transport. */
export function createDoors(service: Service, options: McpDoorOptions): Doors {
  const mcp = createMcpDoor(service, options);
  return {
    handlers: {
      ...modelHandlers(service),
      ...chatHandlers(service),
      ...responseHandlers(service),
      ...aiChatHandlers(service),
      ...tavilyHandlers(service),
      ...exaHandlers(service),
      ...parallelHandlers(service),
      ...perplexityAsyncHandlers(service),
      ...perplexitySearchHandlers(service),
      ...openWebuiHandlers(service),
      ...searxngHandlers(service),
      ...mcp.handlers,
    },
    errors: {
      openai: openaiError,
      responses: responseError,
      tavily: tavilyError,
      exa: exaError,
      parallel: parallelError,
      perplexity: perplexityError,
      mcp: mcpError,
    },
    drain: mcp.drain,
  };
}
