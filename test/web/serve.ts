/** A web server on loopback for one test: it counts who connects, answers as the test says, and goes away with it. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';

export interface TestSite {
  readonly port: number;
  /** `http://127.0.0.1:port` */
  readonly base: string;
  readonly connections: () => number;
  close(): Promise<void>;
}

/** `/robots.txt` is answered 404 unless the listener is set to handle it. */
export async function serveSite(
  listener: RequestListener,
  options: { readonly robots?: boolean } = {},
): Promise<TestSite> {
  const server = createServer((request, response) => {
    response.on('error', () => {});
    if (request.url === '/robots.txt' && options.robots !== true) response.writeHead(404).end();
    else listener(request, response);
  });
  return listen(server);
}

/** For answers that are not HTTP. */
export async function serveSocket(onSocket: (socket: Socket) => void): Promise<TestSite> {
  return listen(
    createTcpServer((socket) => {
      socket.on('error', () => {});
      onSocket(socket);
    }),
  );
}

async function listen(server: Server | TcpServer): Promise<TestSite> {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    base: `http://127.0.0.1:${port}`,
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
