/** The AI SDK over Node's HTTP, as in its guide for servers without a framework. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';
import { question, type StartRelay } from '../support/relay.ts';

const startAiSdk: StartRelay = async (upstream) => {
  const provider = createOpenAICompatible({ name: 'paced', baseURL: upstream });
  const server = createServer((_, response) => {
    const result = streamText({ model: provider(question.model), prompt: question.prompt });
    result.pipeUIMessageStreamToResponse(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, protocol: 'sse', close: () => server.closeAllConnections() };
};
export default startAiSdk;
