/** Settings of traces: the variables that every program with OpenTelemetry reads, with the same values. */
import * as z from 'zod';
import { headerName, headerValue, httpUrl } from './setting-values.ts';

const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplerNames)[number];

/** How spans are exported, and which. */
export interface TelemetryConfig {
  /** Where spans are posted. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sampler: SamplerName;
  /** From 0 to 1. */
  readonly ratio: number;
  /** How long spans wait for others, ms. */
  readonly delayMs: number;
  /** The attributes of the resource: `service.name` and what the operator adds. */
  readonly resource: Readonly<Record<string, string>>;
  /** Whether questions, answers and addresses of pages are in spans. */
  readonly hasContent: boolean;
}

/** `a=1,b=2`, percent-encoded, as W3C Baggage writes it. */
const pairs = z
  .string()
  .default('')
  .transform((text, context) => {
    const entries = text.split(',').filter((entry) => entry.trim() !== '');
    try {
      return Object.fromEntries(entries.map(readPair));
    } catch {
      context.addIssue({ code: 'custom', message: 'expected pairs' });
      return z.NEVER;
    }
  });

/** Whether and where traces are exported. */
export const traceTargetSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional().describe('a URL such as http://127.0.0.1:4318'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional().describe('a URL such as http://127.0.0.1:4318/v1/traces'),
  OTEL_SDK_DISABLED: z
    .string()
    .default('false')
    .transform((text) => text.toLowerCase() === 'true')
    .describe('true or false'),
};

/** How they are exported. */
export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/json').default('http/json').describe('http/json'),
  OTEL_EXPORTER_OTLP_HEADERS: pairs
    .pipe(z.record(headerName, headerValue))
    .describe('HTTP headers as pairs such as api-key=secret,tenant=one'),
  OTEL_SERVICE_NAME: z.string().optional().describe('a name'),
  OTEL_RESOURCE_ATTRIBUTES: pairs.describe('pairs such as deployment.environment.name=production'),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames)
    .default('parentbased_always_on')
    .describe(samplerNames.join(', ').replace(/, (\w+)$/, ' or $1')),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1).describe('a number from 0 to 1'),
  OTEL_BSP_SCHEDULE_DELAY: z.coerce
    .number()
    .int()
    .min(1)
    .max(600_000)
    .default(5_000)
    .describe('milliseconds from 1 to 600,000'),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: z
    .string()
    .default('false')
    .transform((text) => text.toLowerCase())
    .refine((text) => ['true', 'false', 'span_only', 'no_content'].includes(text))
    .describe('true, false, span_only or no_content'),
};

type ValuesOf<Part extends Record<string, z.ZodType>> = { readonly [Name in keyof Part]: z.infer<Part[Name]> };

/** Undefined where nothing is to be exported; `how` is not read then, as it may be meant for other programs. */
export function readTelemetryConfig(
  target: ValuesOf<typeof traceTargetSettings>,
  how: () => ValuesOf<typeof telemetrySettings>,
): TelemetryConfig | undefined {
  const base = target.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = target.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/$/, '')}/v1/traces`);
  if (url === undefined || target.OTEL_SDK_DISABLED) return undefined;
  const values = how();
  const given = values.OTEL_RESOURCE_ATTRIBUTES;
  return {
    url,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
    resource: { 'service.name': 'citewire', ...given, ...serviceOf(values.OTEL_SERVICE_NAME) },
    hasContent: ['true', 'span_only'].includes(values.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT),
  };
}

function serviceOf(name: string | undefined): Record<string, string> {
  return name === undefined ? {} : { 'service.name': name };
}

/** Throws an Error for what is not a pair. */
function readPair(entry: string): [string, string] {
  const at = entry.indexOf('=');
  const [name, value] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
  if (at < 1 || name === '') throw new Error('expected a name and a value');
  return [name, decodeURIComponent(value)];
}
