/** Messages from whoever pushes to the one who pulls, in order; what was pushed before an end or a failure still comes. */
export interface Queue<Message> {
  push(message: Message): void;
  end(): void;
  fail(error: unknown): void;
  [Symbol.asyncIterator](): AsyncIterator<Message, undefined>;
}

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
