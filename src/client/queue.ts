/** An asynchronous queue for one consumer. Messages that were pushed before `end` or `fail` are still delivered. */
export interface Queue<Message> {
  push(message: Message): void;
  end(): void;
  fail(error: unknown): void;
  [Symbol.asyncIterator](): AsyncIterator<Message, undefined>;
}

/** An empty queue; leaving the iteration ends it and drops what is left. */
export function createQueue<Message>(): Queue<Message> {
  const messages: Message[] = [];
  let ending: (() => IteratorResult<Message, undefined>) | undefined;
  let wake = () => {};

  function finish(how: () => IteratorResult<Message, undefined>): void {
    ending ??= how;
    wake();
  }

  async function next(): Promise<IteratorResult<Message, undefined>> {
    for (;;) {
      if (messages.length > 0) return { done: false, value: messages.shift()! };
      if (ending !== undefined) return ending();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    push(message) {
      if (ending === undefined) messages.push(message);
      wake();
    },
    end: () => finish(() => ({ done: true, value: undefined })),
    fail: (error) =>
      finish(() => {
        throw error;
      }),
    [Symbol.asyncIterator]: () => ({
      next,
      async return() {
        finish(() => ({ done: true, value: undefined }));
        messages.length = 0;
        return { done: true, value: undefined };
      },
    }),
  };
}
