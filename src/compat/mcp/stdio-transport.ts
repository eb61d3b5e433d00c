/**
 * MCP over two streams, one message a line. A line that is too long, too deep, no JSON or no message is answered with an error
 * and skipped, so that nothing a client sends ends the connection; memory is bounded by the longest line.
 */
import { StringDecoder } from 'node:string_decoder';
import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { checkJsonLimits, limitsOfBody } from '../../transport/json-limits.ts';

export interface StdioStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** A transport that is not started yet; it closes when its input ends. */
export function createStdioTransport({ input, output }: StdioStreams): Transport {
  const limits = limitsOfBody('McpMessage');
  const decoder = new StringDecoder('utf8');
  let line = '';
  let isTooLong = false;
  let hasEnded = false;
  let isClosed = false;

  const transport: Transport = {
    async start() {
      input.on('data', read);
      input.on('end', end);
      input.on('close', () => {
        if (!hasEnded) close();
      });
      input.on('error', close);
    },
    async send(message) {
      if (!isClosed) output.write(serializeMessage(message as JSONRPCMessage));
    },
    close: async () => close(),
  };

  /** The last line may have no line break; what answers it at once is still written. */
  function end(): void {
    hasEnded = true;
    keep(decoder.end());
    take();
    setImmediate(close);
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    input.off('data', read);
    input.pause();
    transport.onclose?.();
  }

  function read(chunk: Buffer | string): void {
    const lines = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n');
    const last = lines.pop() ?? '';
    for (const part of lines) {
      keep(part);
      take();
    }
    keep(last);
  }

  function keep(part: string): void {
    if (isTooLong) return;
    isTooLong = line.length + part.length > limits.bytes;
    line = isTooLong ? '' : line + part;
  }

  function take(): void {
    const text = line.trim();
    const wasTooLong = isTooLong;
    line = '';
    isTooLong = false;
    if (wasTooLong)
      return refuse(ProtocolErrorCode.InvalidRequest, `Expected a message of at most ${limits.bytes} bytes.`);
    if (text === '') return;
    const excess = checkJsonLimits(text, text.length, limits);
    if (excess !== undefined) {
      return refuse(
        ProtocolErrorCode.InvalidRequest,
        `Expected a message within the limits; got one that exceeds them (${excess.what}).`,
      );
    }
    const message = parse(text);
    if (message !== undefined) transport.onmessage?.(message);
  }

  function parse(text: string): JSONRPCMessage | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      refuse(ProtocolErrorCode.ParseError, 'Expected JSON; got something else.');
      return undefined;
    }
    try {
      return parseJSONRPCMessage(value);
    } catch {
      refuse(ProtocolErrorCode.InvalidRequest, 'Expected one JSON-RPC message; got something else.');
      return undefined;
    }
  }

  /** The id is that of no request: what could not be read has none. */
  function refuse(code: number, message: string): void {
    const response = { jsonrpc: '2.0', id: null, error: { code, message } } as unknown as JSONRPCErrorResponse;
    if (!isClosed) output.write(`${JSON.stringify(response)}\n`);
  }

  return transport;
}
