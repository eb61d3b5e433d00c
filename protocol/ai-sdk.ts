/**
 * What `useChat` of the AI SDK sends. Only the fields in use are checked; the messages come back from clients with parts of
 * every kind, also those of other servers. Fields of a search can be added to the body (`body` of the AI SDK's transport).
 */
import * as z from 'zod';
import { SearchRequest } from './requests.ts';

export const ChatPart = z
  .object({
    type: z.string(),
    text: z.string().optional().describe('Of a part `text`.'),
    mediaType: z.string().optional().describe('Of a part `file`; only images are used.'),
    url: z.string().optional().describe('Of a part `file`: a data URL or the URL of the image.'),
  })
  .meta({ id: 'ChatPart' });
export type ChatPart = z.infer<typeof ChatPart>;

export const ChatMessage = z
  .object({
    id: z.string().optional(),
    role: z.enum(['system', 'user', 'assistant']),
    parts: z.array(ChatPart),
  })
  .meta({ id: 'ChatMessage' });
export type ChatMessage = z.infer<typeof ChatMessage>;

/** Of the account; long enough for every generator of ids. Set by hand. */
export const ChatId = z.string().min(1).max(200);

const ofSearch = SearchRequest.shape;

/** Body of POST /v1/ai/chat. */
export const ChatRequest = z
  .object({
    id: ChatId.describe('The id of the chat, chosen by the client; each account has its own.'),
    messages: z
      .array(ChatMessage)
      .optional()
      .describe('The whole conversation. The last message of the user is the prompt.'),
    message: ChatMessage.optional().describe('Instead of `messages`: only the newest message, of the user.'),
    trigger: z.string().optional().describe('`submit-message` or `regenerate-message`.'),
    messageId: z.string().nullish().describe('With `regenerate-message`: the message that is to be replaced.'),
    source_whitelist: ofSearch.source_whitelist,
    source_blacklist: ofSearch.source_blacklist,
    collections: ofSearch.collections,
    output_format: ofSearch.output_format,
    max: ofSearch.max,
    from: ofSearch.from,
    to: ofSearch.to,
    language: ofSearch.language,
    effort: ofSearch.effort.removeDefault().optional(),
  })
  .meta({ id: 'ChatRequest' });
export type ChatRequest = z.infer<typeof ChatRequest>;
