/**
 * The Model over any endpoint that serves language models. Each stage is one call: JSON for plan and reflection, a
 * stream for answers. Answers are validated before anything is passed on: a plan without queries, an empty answer or
 * invalid JSON is a failure of the stage, which the fallback then handles.
 */
import * as z from 'zod';
import type { OutputFormat } from '../../../protocol/index.ts';
import { defined } from '../../base/values/defined.ts';
import { maxQueryLength } from '../../base/values/query-length.ts';
import type { Image } from '../../engine/ports/images.ts';
import type { Brief, Meter, Model, StageContext } from '../../engine/ports/model.ts';
import type { Evidence } from '../../engine/ports/snapshot.ts';
import { type Call, type CallSchema, createCall } from '../endpoint/call.ts';
import type { EndpointClient } from '../endpoint/endpoint-client.ts';
import { ModelError } from '../model-error.ts';
import { fillWithModel } from './fill.ts';
import { judgeCall, Verdicts, verdictsFor } from './judge.ts';
import { parseLoosely } from './loose-json.ts';
import { numberIn } from './number-in.ts';
import { fenceOf, prompts, replyRules, showEvidence, showQuestion, visible } from './prompts.ts';
import { objectSchema } from './template-schema.ts';
import { thinksUnopened, withoutThoughts } from './thoughts.ts';
import { readVerdict } from './verdict.ts';

/** Longest answers; set by hand. */
const maxTokens = { plan: 600, reflect: 500, write: 1_800, describe: 500, reply: 400 } as const;
/** A deep search takes notes, about thirty at a time, and its answer has sections: about 3,000 words. */
const deepTokens: Partial<Record<keyof typeof maxTokens, number>> = { plan: 900, reflect: 2_500, write: 4_500 };
/** Queries of a plan and of a reflection. */
const maxQueries = { plan: 4, reflect: 3 };
const deepQueries = { plan: 6, reflect: 5 };

const strings = { type: 'array', items: { type: 'string' } };
const nullableString = { type: ['string', 'null'] };
const planSchema: CallSchema = {
  name: 'plan',
  isOurs: true,
  schema: objectSchema({
    queries: strings,
    from: nullableString,
    to: nullableString,
    language: nullableString,
    only: strings,
    never: strings,
  }),
};
const deepPlanSchema: CallSchema = {
  ...planSchema,
  schema: objectSchema({ ...(planSchema.schema.properties as Record<string, object>), questions: strings } as never),
};
const reflectionSchema: CallSchema = {
  name: 'reflection',
  isOurs: true,
  schema: objectSchema({ enough: { type: 'boolean' }, queries: strings }),
};
const deepReflectionSchema: CallSchema = {
  ...reflectionSchema,
  schema: objectSchema({
    notes: {
      type: 'array',
      items: objectSchema({ evidence: { type: 'integer' }, fact: { type: 'string' }, quote: { type: 'string' } }),
    },
    ...(reflectionSchema.schema.properties as Record<string, object>),
  } as never),
};

const Queries = z
  .unknown()
  .catch([])
  .transform((given) => tidyQueries(textsIn(given)));
const Day = z.iso.date().optional().catch(undefined);
const Hosts = z
  .array(
    z
      .string()
      .regex(/^[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/)
      .optional()
      .catch(undefined),
  )
  .catch([])
  .transform((hosts) => hosts.filter((host) => host !== undefined).slice(0, 10));
const PlanFields = z.object({
  queries: Queries,
  questions: Queries,
  from: Day,
  to: Day,
  language: z
    .string()
    .regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})*$/)
    .max(35)
    .optional()
    .catch(undefined),
  only: Hosts,
  never: Hosts,
});
/** Some models return the queries alone, one as `query`, or a list with the plan alone. */
const PlanAnswer = z.preprocess((answer) => {
  if (Array.isArray(answer)) return answer.every((each) => typeof each === 'string') ? { queries: answer } : answer[0];
  const { query, queries = query } = Object(answer) as { query?: unknown; queries?: unknown };
  return typeof answer === 'object' && answer !== null ? { ...answer, queries } : answer;
}, PlanFields);
const NoteAnswer = z.object({
  evidence: z.unknown().transform(numberIn).pipe(z.number()),
  fact: z.string().catch(''),
  quote: z.string(),
});
const Notes = z
  .array(NoteAnswer.optional().catch(undefined))
  .catch([])
  .transform((notes) => notes.filter((note) => note !== undefined));
/** Some models write it as a word. */
const isYes = (given: unknown) => given === true || (typeof given === 'string' && /^\s*(?:true|yes)\b/i.test(given));
const ReflectionAnswer = z.object({ enough: z.unknown().optional().transform(isYes), queries: Queries, notes: Notes });

/** The model that `client` reaches. `name` is shown in `usage.models`. */
export function createLanguageModel(name: string, client: EndpointClient): Model {
  /** The meters of searches in which the model showed thoughts that nothing opened: its answer may begin with some, too. */
  const thinkers = new WeakSet<Meter>();

  /** A call of one stage: its task after what all calls of the search have in common. */
  function callOf(
    stage: 'plan' | 'reflect' | 'write' | 'describe',
    brief: Brief,
    evidence: readonly Evidence[],
    context: StageContext,
    more: Pick<Call, 'schema' | 'accepts' | 'image'> = {},
  ): Call {
    const fence = fenceOf(context);
    return createCall({
      task: prompts[stage](brief),
      rules: fence.rule,
      evidence: showEvidence(evidence, fence),
      question: showQuestion(brief, fence),
      maxTokens: (brief.effort === 'deep' ? deepTokens[stage] : undefined) ?? maxTokens[stage],
      // A reflection comes before another one, or before the answer; a fast search has none.
      isReused: stage === 'reflect' || (stage === 'write' && brief.effort !== 'fast'),
      ...more,
    });
  }

  async function completeJson<Schema extends z.ZodType>(
    schema: Schema,
    call: (accepts: (text: string) => boolean) => Call,
    context: StageContext,
  ): Promise<z.infer<Schema>> {
    const read = (text: string) => {
      if (thinksUnopened(text)) thinkers.add(context.meter);
      const answer = parseLoosely(withoutThoughts(text));
      const parsed = schema.safeParse(answer);
      return !parsed.success && Array.isArray(answer) ? schema.safeParse(answer[0]) : parsed;
    };
    const parsed = read(
      await client.complete(
        call((text) => read(text).success),
        context,
      ),
    );
    if (!parsed.success) throw new ModelError('it did not return JSON of the requested shape.');
    return parsed.data;
  }

  return {
    name,

    async plan(brief, context) {
      const schema = brief.effort === 'deep' ? deepPlanSchema : planSchema;
      const call = (accepts: Call['accepts']) => callOf('plan', brief, [], context, { schema, accepts });
      const { queries, questions, only, never, from, to, language } = await completeJson(PlanAnswer, call, context);
      if (queries.length === 0) throw new ModelError('its plan had no queries.');
      return {
        // The question itself is added: even with a bad plan, the search finds what was asked for.
        queries: tidyQueries([...queries.slice(0, limitOf('plan', brief)), brief.question]),
        ...(questions.length === 0 ? {} : { parts: questions }),
        only,
        never,
        ...defined({ from, to, language }),
      };
    },

    async reflect(brief, evidence, context) {
      const schema = brief.effort === 'deep' ? deepReflectionSchema : reflectionSchema;
      const call = (accepts: Call['accepts']) => callOf('reflect', brief, evidence, context, { schema, accepts });
      const { enough, queries, notes } = await completeJson(ReflectionAnswer, call, context);
      return { enough, queries: enough ? [] : queries.slice(0, limitOf('reflect', brief)), notes };
    },

    write(brief, evidence, context) {
      if (evidence.length === 0) return noText();
      return readVerdict(
        client.stream(callOf('write', brief, evidence, context), context),
        thinkers.has(context.meter),
      );
    },

    async *fill(brief, leaves, evidence, context) {
      if (evidence.length === 0 || brief.template === undefined) return;
      yield* fillWithModel(client, brief as Brief & { template: OutputFormat }, leaves, evidence, context);
    },

    async judgeClaims(brief, claims, context) {
      const call = (accepts: Call['accepts']) => judgeCall(brief, claims, fenceOf(context), accepts);
      return verdictsFor(await completeJson(Verdicts, call, context), claims);
    },

    async reply(prompt, context) {
      const question = visible(prompt);
      const call = createCall({
        task: '',
        rules: replyRules,
        evidence: [],
        question,
        maxTokens: maxTokens.reply,
      });
      return withoutThoughts(await client.complete(call, context));
    },

    hasVision: () => client.hasVision(),

    describeImage: async (image: Image, brief: Brief, context: StageContext) =>
      withoutThoughts(await client.complete(callOf('describe', brief, [], context, { image }), context)),
  };
}

function limitOf(stage: keyof typeof maxQueries, { effort }: Brief): number {
  return (effort === 'deep' ? deepQueries : maxQueries)[stage];
}

async function* noText(): AsyncGenerator<string, void> {}

/** What models write instead of an empty list. */
const isNone = /^\s*(?:none|null|n\/?a|nothing)\.?\s*$/i;

/** The texts of a list, of which models also write one alone, or each in an object: `[{"query": "…"}]`. */
function textsIn(given: unknown): string[] {
  return (Array.isArray(given) ? given : [given]).map((each) => {
    const held: unknown = typeof each === 'object' && each !== null ? Object.values(each) : [each];
    const text = (held as unknown[]).find((part) => typeof part === 'string') as string | undefined;
    return text === undefined || isNone.test(text) ? '' : text;
  });
}

/** Usable queries: one line each, of limited length, without duplicates. */
function tidyQueries(queries: readonly string[]): string[] {
  const lines = queries.map((query) => query.replace(/\s+/g, ' ').trim().slice(0, maxQueryLength).toWellFormed());
  return [...new Set(lines.filter((query) => /[\p{L}\p{N}]/u.test(query)))];
}
