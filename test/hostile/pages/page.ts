/** A hostile page, and how reading it should end: `read`, or the code of a PageError. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

export interface HostilePage {
  readonly answer: Answer;
  readonly ends: RegExp;
  /** It ends only once a time limit has passed: ten seconds and more on a server. */
  readonly isSlow?: boolean;
}

export type HostilePages = Readonly<Record<string, HostilePage>>;

export const megabyte = 1024 * 1024;
export const letters = 'a'.repeat(megabyte);
/** Ten times what a page may have, once unpacked. */
export const zeros = Buffer.alloc(50 * megabyte);

/** Reads, or gives up in time: for pages that are as heavy as may be. */
export const readOrNot = /^(read|timeout|parse_failed)$/;
export const read = /^read$/;

/** An answer with that body, as HTML unless the headers say otherwise. */
export function html(body: string | Buffer, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
}

/** An answer of another type. A function makes its body when it is asked for. */
export function file(type: string, body: string | Buffer | (() => string | Buffer | Promise<Buffer>)): Answer {
  return async (response) => {
    const made = typeof body === 'function' ? await body() : body;
    response.writeHead(200, { 'content-type': type }).end(made);
  };
}
