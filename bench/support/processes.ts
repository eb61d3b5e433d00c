/**
 * What is measured runs in a separate process, so that its CPU time can be told apart. The parent calls functions of the
 * child by name; both ends share one type of them.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

const typescript = new URL('./typescript.js', import.meta.url).href;

type Functions = Record<string, (...args: never[]) => unknown>;

/** Functions that every process has. */
export interface Vitals {
  /** User and system CPU time so far, µs. */
  cpu(): number;
  /** Resident memory in bytes, after garbage collections if the process was started with --expose-gc. */
  memory(): Promise<number>;
}

type Remote<Api extends Functions> = {
  [Name in keyof Api]: (...args: Parameters<Api[Name]>) => Promise<Awaited<ReturnType<Api[Name]>>>;
};

export type Started<Api extends Functions> = Remote<Api & { [Name in keyof Vitals]: Vitals[Name] }> & {
  readonly pid: number;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
};

type Reply = { readonly id: number; readonly value?: unknown; readonly error?: string };

/** Starts `file`, which must call `serve`, and resolves when it has; `node` are options of Node. Rejects if it ends before. */
export async function start<Api extends Functions>(
  file: URL,
  args: readonly (string | number)[] = [],
  { node = [], env = {} }: { readonly node?: readonly string[]; readonly env?: Record<string, string> } = {},
): Promise<Started<Api>> {
  const child = fork(file, args.map(String), {
    execArgv: ['--import', typescript, ...node],
    env: { ...process.env, ...env },
    serialization: 'advanced',
  });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let calls = 0;
  child.on('message', ({ id, value, error }: Reply) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(error));
  });
  const ended = failOnExit(child, file);
  ended.catch((error) => {
    for (const { reject } of waiting.values()) reject(error);
  });
  const call = (name: string, args: unknown[]) =>
    new Promise((resolve, reject) => {
      calls += 1;
      waiting.set(calls, { resolve, reject });
      child.send({ id: calls, name, args });
    });
  await Promise.race([call('ready', []), ended]);
  const own = {
    pid: child.pid!,
    async stop() {
      const gone = once(child, 'exit');
      child.send({ id: 0, name: 'stop', args: [] });
      await gone;
    },
  };
  return new Proxy(own, {
    get: (target, name: string) => {
      if (name === 'then') return undefined;
      return target[name as keyof typeof own] ?? ((...args: unknown[]) => call(name, args));
    },
  }) as Started<Api>;
}

/** Called by the child: answers the parent's calls to `api`. `stop` runs before the process ends. */
export function serve<Api extends Functions>(api: Api, stop: () => unknown = () => {}): void {
  const vitals: Vitals = {
    cpu() {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    async memory() {
      const { gc } = globalThis as { gc?: () => void };
      // The memory that a collection frees is returned a little later.
      for (let times = 0; gc !== undefined && times < 3; times += 1) {
        gc();
        await sleep(300);
      }
      return process.memoryUsage.rss();
    },
  };
  const functions = { ...vitals, ...api, ready: () => true } as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  >;
  process.on('message', async ({ id, name, args }: { id: number; name: string; args: unknown[] }) => {
    if (name === 'stop') {
      await stop();
      process.exit();
    }
    try {
      process.send!({ id, value: await functions[name]!(...args) });
    } catch (error) {
      process.send!({ id, error: (error as Error).stack ?? String(error) });
    }
  });
  // The parent has ended.
  process.on('disconnect', () => process.exit());
}

async function failOnExit(child: ChildProcess, file: URL): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`${file.pathname} ended with ${code}`);
}

/** Resolves after `ms` milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
