/** `citewire mcp`: an MCP server on standard input and output, for agents that start it themselves. */
import type { Config } from '../../base/config.ts';
import { createLog } from '../../base/log.ts';
import { serveMcp } from '../../compat/mcp/stdio.ts';

export interface McpOptions {
  readonly server?: string;
  readonly key?: string;
}

/**
 * Serves until standard input ends and resolves with the exit code. Nothing but messages goes to standard output; the log
 * goes to standard error.
 */
export async function mcp({ server, key }: McpOptions, config: Config): Promise<number> {
  const log = createLog(config.logLevel, { format: config.logFormat });
  const onFault = (err: unknown) => log.error({ err }, 'unexpected error');
  const onUnlisted = (why: string) => log.warn(`published APIs of the server are not listed: ${why}`);
  process.on('unhandledRejection', onFault);
  const { backend, close } =
    server === undefined
      ? (await import('./mcp-local.ts')).createLocalBackend(config, onFault)
      : (await import('./mcp-remote.ts')).createRemoteBackend(server, key, { onFault, onUnlisted });
  await serveMcp({ backend, onFault, input: process.stdin, output: process.stdout });
  await close();
  return 0;
}
