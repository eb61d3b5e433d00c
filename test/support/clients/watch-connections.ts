/** Records every address to which this process tries to open a TCP connection, until `stop`. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

export interface WatchedConnections {
  /** `address:port`, in order; IPv6 without brackets. */
  readonly addresses: readonly string[];
  stop(): void;
}

export function watchConnections(): WatchedConnections {
  const addresses: string[] = [];
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address: string, port: number) => addresses.push(`${address}:${port}`));
  };
  subscribe('net.client.socket', onSocket);
  return { addresses, stop: () => void unsubscribe('net.client.socket', onSocket) };
}
