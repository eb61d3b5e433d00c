/**
 * One question and its answer. Events are applied once per animation frame, however many arrived. The client's reducer
 * builds the state, so after a lost connection the page shows exactly what the server has.
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
  /** Unique on the page. */
  readonly key: number;
  /** Empty while the record of an opened search is loading. */
  readonly prompt: ReadonlySignal<string>;
  /** Undefined for a search that was opened by its id alone. */
  readonly request: SearchInput | undefined;
  /** Whether its thread names it: a search that was deleted is in none. */
  readonly isOfThread: boolean;
  readonly search: ReadonlySignal<SearchState>;
  /** Whether it was running on this page: not one that had ended when it was opened. */
  wasRunning(): boolean;
  /** Why there are no events at the moment; the client retries by itself. */
  readonly pause: ReadonlySignal<Pause | undefined>;
  /** Whether it was stopped here and the server has not confirmed it yet. */
  readonly isStopping: ReadonlySignal<boolean>;
  /** Why there is no answer, if the search has no error of its own. */
  readonly failure: ReadonlySignal<CitewireError | undefined>;
  /** Cancels the search. */
  stop(): void;
  /** Stops reading; the search continues on the server. */
  leave(): void;
}

export interface Pause {
  readonly why: CitewireError;
  /** Earliest time of the next attempt, as `Date.now()` counts. */
  readonly until: number | undefined;
}

/** The browser has lost its network. A server on the same machine is still reached: its next event ends this pause. */
const offline: Pause = { why: new CitewireError('connection_failed', 'Could not reach the server.'), until: undefined };

/** For how long a connection without a network may be silent after an event, which was on its way already, ms; set by hand. */
const silenceMs = 1_500;

let turns = 0;

/** Starts a search, or reads the one that was started under this idempotency key. */
export function startTurn(client: Client, request: SearchInput, idempotencyKey: string): Turn {
  const pause = signal<Pause | undefined>(undefined);
  const options = { idempotencyKey, onPause: (why: CitewireError | undefined) => setPause(pause, why) };
  const stream = client.search(request, options) as SearchStream<unknown>;
  return readTurn({
    stream: async () => stream,
    prompt: signal(request.prompt),
    request,
    isOfThread: false,
    wasRunning: () => true,
    pause,
  });
}

/** Opens an existing search: follows it if it is running, otherwise shows what the server has stored. */
export function openTurn(client: Client, search_id: string, request: SearchInput | undefined): Turn {
  const prompt = signal(request?.prompt ?? '');
  const pause = signal<Pause | undefined>(undefined);
  let wasRunning = false;
  const stream = async () => {
    const record = await client.getSearch(search_id);
    prompt.value = record.prompt;
    wasRunning = record.state === 'running';
    // A finished search is one HTTP request; opening a WebSocket for it would cost more.
    const transport = wasRunning ? 'auto' : 'sse';
    return client.follow(search_id, { transport, onPause: (why) => setPause(pause, why) });
  };
  const isOfThread = request !== undefined;
  return readTurn({ stream, prompt, request, isOfThread, wasRunning: () => wasRunning, pause });
}

export function isRunning({ search, failure }: Turn): boolean {
  return failure.value === undefined && (search.value.state === 'waiting' || search.value.state === 'running');
}

/** Whether it was stopped, also where the server has not confirmed it. */
export function isStopped({ isStopping, failure, search }: Turn): boolean {
  return isStopping.value || failure.value?.code === 'cancelled' || search.value.state === 'cancelled';
}

/** Whether it has no answer because nobody is signed in any more. */
export function isSignedOut({ failure }: Turn): boolean {
  return failure.value?.code === 'unauthorized';
}

type Parts = Pick<Turn, 'prompt' | 'request' | 'isOfThread' | 'wasRunning'> & {
  readonly stream: () => Promise<SearchStream<unknown>>;
  readonly pause: ReturnType<typeof signal<Pause | undefined>>;
};

function readTurn({ stream, prompt, request, isOfThread, wasRunning, pause }: Parts): Turn {
  const search = signal<SearchState>(emptySearch);
  const failure = signal<CitewireError | undefined>(undefined);
  let opened: SearchStream<unknown> | undefined;
  let isLeft = false;
  const isStopping = signal(false);
  let waiting: SearchFrame[] = [];
  let silence: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    const frames = waiting;
    waiting = [];
    if (frames.length === 0) return;
    search.value = frames.reduce(reduceSearch, search.value);
    if (pause.value !== offline) return;
    pause.value = undefined;
    clearTimeout(silence);
    silence = setTimeout(onOffline, silenceMs);
  }

  /** Without a network, a connection is only silent, and the client finds it dead after half a minute. */
  function onOffline(): void {
    if (!navigator.onLine) pause.value ??= offline;
  }

  function stopListening(): void {
    clearTimeout(silence);
    removeEventListener('offline', onOffline);
  }

  async function read(): Promise<void> {
    try {
      opened = await stream();
      if (isStopping.value) void opened.cancel();
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
      isStopping.value = false;
      failure.value = error;
    });
    stopListening();
  }

  addEventListener('offline', onOffline);
  void read();
  return {
    key: (turns += 1),
    prompt,
    request,
    isOfThread,
    wasRunning,
    search,
    pause,
    isStopping,
    failure,
    stop() {
      isStopping.value = true;
      void opened?.cancel();
    },
    leave() {
      isLeft = true;
      stopListening();
    },
  };
}

/** Hidden pages get no animation frames. */
function onNextFrame(act: () => void): void {
  if (document.hidden) setTimeout(act, 100);
  else requestAnimationFrame(act);
}

function setPause(pause: Parts['pause'], why: CitewireError | undefined): void {
  const wait = why?.retry_after_ms;
  pause.value = why && { why, until: wait === undefined ? undefined : Date.now() + wait };
}
