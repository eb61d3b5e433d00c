/**
 * The header `traceparent` of W3C Trace Context, level 1: `00-<trace id>-<span id>-<flags>`. It names the trace that a call
 * belongs to and the span that made it.
 */
import { randomBytes } from 'node:crypto';

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly trace_id: string;
  /** 16 of them. */
  readonly span_id: string;
  /** Whether the spans of the trace are recorded. */
  readonly sampled: boolean;
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Above what a later version of the header could need; set by hand. */
const maxCharacters = 200;

/** Undefined for what is not a valid header: the caller's trace is then not continued. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  if (header === undefined || header.length > maxCharacters) return undefined;
  const [, version, trace_id = '', span_id = '', flags = '', more] = pattern.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(trace_id) || /^0+$/.test(span_id)) return undefined;
  return { trace_id, span_id, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The header of a context. */
export function formatTraceparent({ trace_id, span_id, sampled }: TraceContext): string {
  return `00-${trace_id}-${span_id}-${sampled ? '01' : '00'}`;
}

/** The trace that a header names, for a line of the log. */
export function traceIdOf(header: string | undefined): string | undefined {
  return parseTraceparent(header)?.trace_id;
}

/** 128 random bits. */
export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

/** 64 random bits. */
export function newSpanId(): string {
  return randomBytes(8).toString('hex');
}
