/** `citewire mcp`: serves one client over two streams until its input ends. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { neverAborted } from '../../base/abort.ts';
import type { OnFault } from '../../base/errors.ts';
import type { Backend } from './backend.ts';
import { createMcpServer } from './mcp-server.ts';
import { createStdioTransport, type StdioStreams } from './stdio-transport.ts';

export interface StdioOptions extends StdioStreams {
  readonly backend: Backend;
  readonly onFault: OnFault;
  /** How often it looks for newly published APIs; a minute by default, set by hand. */
  readonly lookMs?: number;
}

/** Resolves once the input has ended; searches that clients were waiting for are cancelled by then. */
export async function serveMcp({ backend, onFault, lookMs = 60_000, ...streams }: StdioOptions): Promise<void> {
  let notify = () => {};
  const transport = createStdioTransport(streams);
  serveStdio(
    () => {
      const server = createMcpServer({ backend, request_id: 'stdio', onFault });
      notify = () => void server.sendToolListChanged().catch(() => {});
      return server;
    },
    { transport },
  );
  const looking = watchApis(backend, lookMs, () => notify());
  await new Promise<void>((resolve) => {
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      resolve();
    };
  });
  clearInterval(looking);
}

/** Calls `onChange` when the newest published APIs are others than before. A look that fails is skipped. */
function watchApis(backend: Backend, everyMs: number, onChange: () => void): NodeJS.Timeout {
  let before: string | undefined;
  const look = async () => {
    const { items } = await backend.apis(undefined, neverAborted);
    const now = items.map(({ api_stub, version }) => `${api_stub}@${version}`).join();
    if (before !== undefined && before !== now) onChange();
    before = now;
  };
  const timer = setInterval(() => void look().catch(() => {}), everyMs);
  look().catch(() => {});
  return timer.unref();
}
