/** A relaying server of bench/peers: where it listens, and how its clients read. */
export interface Relay {
  readonly url: string;
  readonly protocol: 'ws' | 'sse' | 'socket.io';
  /** The JSON body of a reader's request; of SSE alone. */
  readonly body?: string;
  /** Keys to use in turn, where it needs any. */
  readonly keys?: readonly string[];
  close(): unknown;
}

/** `upstream` is the address of an OpenAI-compatible endpoint; `streams` how many readers there will be. */
export type StartRelay = (upstream: string, streams: number) => Promise<Relay>;

/** What each of them sends to its model. */
export const question = { model: 'paced', prompt: 'How tall is the Heron Point Lighthouse?' } as const;

export const request = {
  model: question.model,
  stream: true as const,
  messages: [{ role: 'user' as const, content: question.prompt }],
};
