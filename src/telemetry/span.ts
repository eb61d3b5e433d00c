/**
 * A span, and how OTLP writes it as JSON. Our own because of what the official packages would bring along: the SDK, its
 * exporter and the transformer are eight packages with a context manager and a codec of their own, to make spans as work
 * goes on; here spans are made afterwards, with times and ids that are known, and the body of an export is the JSON below
 * (opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding").
 */

/** A value of an attribute; undefined ones are left out. */
export type AttributeValue = string | number | boolean | readonly string[] | undefined;
export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface Span {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_id: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970, like `end`. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events?: readonly { readonly name: string; readonly at: number; readonly attributes: Attributes }[];
  readonly isError?: boolean;
}

/** SpanKind of OTLP. */
const kinds = { internal: 1, server: 2, client: 3 } as const;
export type SpanKind = keyof typeof kinds;

/** Status codes of OTLP. */
const statusError = 2;

/** Longest text of an attribute, in UTF-16 code units: the texts of a search are longer than most backends keep. Set by hand. */
const maxCharacters = 16_000;

/** The body of an export, as JSON text. `resource` and `version` say who exports. */
export function otlpBody(spans: readonly Span[], resource: Attributes, version: string): string {
  const scopeSpans = [{ scope: { name: 'citewire', version }, spans: spans.map(toOtlp) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] });
}

function toOtlp({ trace_id, span_id, parent_id, name, kind, start, end, attributes, events, isError }: Span) {
  return {
    traceId: trace_id,
    spanId: span_id,
    ...(parent_id === undefined ? {} : { parentSpanId: parent_id }),
    flags: 1,
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: attributesOf(attributes),
    ...(events === undefined || events.length === 0
      ? {}
      : {
          events: events.map((event) => ({
            name: event.name,
            timeUnixNano: nanoseconds(event.at),
            attributes: attributesOf(event.attributes),
          })),
        }),
    ...(isError === true ? { status: { code: statusError } } : {}),
  };
}

/** 64-bit numbers are text in the JSON of OTLP. */
function nanoseconds(ms: number): string {
  return `${ms.toFixed(3).replace('.', '')}000`;
}

function attributesOf(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: otlpValue(value) }],
  );
}

function otlpValue(value: Exclude<AttributeValue, undefined>): object {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (typeof value === 'string') return { stringValue: value.slice(0, maxCharacters).toWellFormed() };
  return { arrayValue: { values: value.map(otlpValue) } };
}
