/**
 * One question and its answer, as the page holds them. Events go into the state once a frame of the screen, however many
 * came; the state is the client's own, so what is shown after a cut line is what the server has.
 */
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type { SearchFrame } from '../../../../protocol/index.ts';
import {
  CitewireError,
  type Client,
  emptySearch,
  reduceSearch,
  type SearchInput,
  type SearchState,
  type SearchStream,
} from '../../../client/client.ts';

export interface Turn {
  /** Tells the turns of a page apart. */
  readonly key: number;
  /** Empty until the record of a search that was opened is there. */
  readonly prompt: ReadonlySignal<string>;
  /** Undefined for a search that was opened. */
  readonly request: SearchInput | undefined;
  readonly search: ReadonlySignal<SearchState>;
  /** Why nothing comes for the moment; the client tries again by itself. */
  readonly pause: ReadonlySignal<Pause | undefined>;
  /** Why there is no answer, where the search itself does not say. */
  readonly failure: ReadonlySignal<CitewireError | undefined>;
  /** Ends the search. */
  stop(): void;
  /** Stops reading; the search goes on. */
  leave(): void;
}

export interface Pause {
  readonly why: CitewireError;
  /** By `Date.now()`, when it may go on at the earliest. */
  readonly until: number | undefined;
}

let turns = 0;

/** Asks. */
export function askTurn(client: Client, request: SearchInput): Turn {
  const pause = signal<Pause | undefined>(undefined);
  const stream = client.search(request, { onPause: (why) => setPause(pause, why) }) as SearchStream<unknown>;
  return readTurn({ stream: async () => stream, prompt: signal(request.prompt), request, pause });
}

/** Opens a search that was asked before: one that runs is followed, of one that has ended there is all that is kept. */
export function openTurn(client: Client, search_id: string): Turn {
  const prompt = signal('');
  const pause = signal<Pause | undefined>(undefined);
  const stream = async () => {
    const record = await client.getSearch(search_id);
    prompt.value = record.prompt;
    // Reading what has ended costs nothing over HTTP; a WebSocket would.
    const transport = record.state === 'running' ? 'auto' : 'sse';
    return client.follow(search_id, { transport, onPause: (why) => setPause(pause, why) });
  };
  return readTurn({ stream, prompt, request: undefined, pause });
}

export function isRunning({ search, failure }: Turn): boolean {
  return failure.value === undefined && (search.value.state === 'waiting' || search.value.state === 'running');
}

type Parts = Pick<Turn, 'prompt' | 'request'> & {
  readonly stream: () => Promise<SearchStream<unknown>>;
  readonly pause: ReturnType<typeof signal<Pause | undefined>>;
};

function readTurn({ stream, prompt, request, pause }: Parts): Turn {
  const search = signal<SearchState>(emptySearch);
  const failure = signal<CitewireError | undefined>(undefined);
  let opened: SearchStream<unknown> | undefined;
  let isLeft = false;
  let isStopped = false;
  let waiting: SearchFrame[] = [];

  function flush(): void {
    const frames = waiting;
    waiting = [];
    if (frames.length > 0) search.value = frames.reduce(reduceSearch, search.value);
  }

  async function read(): Promise<void> {
    try {
      opened = await stream();
      if (isStopped) void opened.cancel();
      for await (const frame of opened) {
        if (isLeft) return;
        waiting.push(frame);
        if (waiting.length === 1) onNextFrame(flush);
      }
      end(undefined);
    } catch (error) {
      const isKnown = error instanceof CitewireError;
      end(isKnown ? error : new CitewireError('bad_answer', String(error), { cause: error }));
    }
  }

  function end(error: CitewireError | undefined): void {
    batch(() => {
      flush();
      pause.value = undefined;
      failure.value = error;
    });
  }

  void read();
  return {
    key: (turns += 1),
    prompt,
    request,
    search,
    pause,
    failure,
    stop() {
      isStopped = true;
      void opened?.cancel();
    },
    leave() {
      isLeft = true;
    },
  };
}

/** A page that is not seen gets no frames. */
function onNextFrame(act: () => void): void {
  if (document.hidden) setTimeout(act, 100);
  else requestAnimationFrame(act);
}

function setPause(pause: Parts['pause'], why: CitewireError | undefined): void {
  const wait = why?.retry_after_ms;
  pause.value = why && { why, until: wait === undefined ? undefined : Date.now() + wait };
}
