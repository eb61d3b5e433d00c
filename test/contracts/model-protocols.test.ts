/** One row for each protocol that models are reached by. */
import { anthropic } from '../support/dialects/anthropic.ts';
import { chat } from '../support/dialects/chat.ts';
import { gemini } from '../support/dialects/gemini.ts';
import { ollama } from '../support/dialects/ollama.ts';
import { responses } from '../support/dialects/responses.ts';
import { obeysModelProtocol } from './model-protocols.ts';

obeysModelProtocol(chat);
obeysModelProtocol(responses);
obeysModelProtocol(anthropic);
obeysModelProtocol(gemini);
obeysModelProtocol(ollama, { canRefuse: false });
