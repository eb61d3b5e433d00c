/**
 * What authors of APIs send: a design is a prompt with typed inputs, the shape of its answers and how to research them.
 * A stored design is always consistent: each `{{name}}` in the prompt has an input, and each input is used in the
 * prompt.
 */
import * as z from 'zod';
import { CollectionNames } from './collections.ts';
import { Whole, WholeText } from './common-fields.ts';
import type { IssueType } from './issue-types.ts';
import { OutputFormat } from './output-format.ts';
import { inputNamePattern, inputsIn, readPromptTemplate } from './prompt-template.ts';
import { Budget, efforts, ModelName, PageQuery, Prompt, SourceList, sourceListsIssue } from './requests.ts';

/** Set by hand. */
export const designLimits = {
  per_account: 500,
  /** Published APIs, also those whose designs were deleted or whose versions are retired: versions are never deleted. */
  published_per_account: 1_000,
  name_characters: 100,
  description_characters: 2_000,
  stub_characters: 64,
  inputs: 50,
  input_characters: 20_000,
  enum_values: 100,
  examples: 5,
} as const;

/** The last part of an API's path. */
export const ApiStub = z
  .string()
  .max(designLimits.stub_characters)
  .regex(
    /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/,
    'expected lower-case letters and digits, separated by single "-" or "_", such as company-profile',
  )
  .describe("The last part of the API's path.");

/** `api_` and 128 random bits. */
export const ApiId = z
  .string()
  .regex(/^api_[A-Za-z0-9_-]{22}$/, 'expected "api_" followed by 22 letters, digits, "-" or "_"');

const Description = z.string().min(1).max(designLimits.description_characters);
const Length = Whole.min(0).max(designLimits.input_characters);
/** As runs may send it. */
const Text = z
  .string()
  .min(1)
  .max(designLimits.input_characters)
  .refine((text) => text.trim() !== '', {
    error: 'expected text; got an empty string',
    params: { type: 'string_too_short' satisfies IssueType },
  });

const commonFields = {
  required: z
    .boolean()
    .optional()
    .describe(
      'Whether runs must provide it; true unless there is a `default`. An omitted optional input without a default is empty.',
    ),
  description: Description.optional(),
};

const StringInput = z.strictObject({
  type: z.literal('string'),
  ...commonFields,
  default: Text.optional(),
  enum: z.array(Text).min(1).max(designLimits.enum_values).optional().describe('The allowed values.'),
  min: Length.optional().describe('Minimum length in UTF-16 code units.'),
  max: Length.min(1).optional().describe('Maximum length in UTF-16 code units.'),
});

const NumberInput = z.strictObject({
  type: z.literal('number'),
  ...commonFields,
  default: z.number().optional(),
  enum: z.array(z.number()).min(1).max(designLimits.enum_values).optional().describe('The allowed values.'),
  min: z.number().optional().describe('Minimum value.'),
  max: z.number().optional().describe('Maximum value.'),
});

const BooleanInput = z.strictObject({ type: z.literal('boolean'), ...commonFields, default: z.boolean().optional() });

/** An input of a designed API. `min` and `max` of a string limit its length. */
export const DesignInput = z
  .discriminatedUnion('type', [StringInput, NumberInput, BooleanInput], {
    error: 'expected an input of type "string", "number" or "boolean"',
  })
  .superRefine((input, context) => {
    for (const { path, message } of inputIssues(input)) {
      context.addIssue({ code: 'custom', path, message, params: { type: 'value_error' satisfies IssueType }, input });
    }
  })
  .meta({ id: 'DesignInput' });
export type DesignInput = z.infer<typeof DesignInput>;

const InputName = z
  .string()
  .regex(inputNamePattern, 'expected a letter followed by letters, digits or "_", at most 64 characters in total');

export const DesignExample = z
  .strictObject({ inputs: z.record(z.string(), z.unknown()).default({}) })
  .meta({ id: 'DesignExample' });
export type DesignExample = z.infer<typeof DesignExample>;

const fields = {
  name: z
    .string()
    .max(designLimits.name_characters)
    .refine((name) => name.trim() !== '', {
      error: 'expected a name; got an empty string',
      params: { type: 'string_too_short' satisfies IssueType },
    }),
  api_stub: ApiStub,
  description: Description.optional(),
  prompt: Prompt.describe('The question of each run; `{{name}}` is replaced by that input.'),
  inputs: z.record(InputName, DesignInput).describe('The inputs, by name.'),
  output_format: OutputFormat.optional(),
  source_whitelist: SourceList.optional(),
  source_blacklist: SourceList.optional(),
  collections: CollectionNames.optional().describe(
    'Runs search only these collections of the account that owns the design, and not the web. Kept as ids.',
  ),
  model: ModelName.optional().describe(
    'Which model answers, as in a search. Whether there is one of this name is checked when the API runs, so also when it is published.',
  ),
  effort: z.enum(efforts),
  max: Budget.optional(),
  examples: z
    .array(DesignExample)
    .max(designLimits.examples)
    .describe('Sample inputs, which are run before a version is published.'),
};

/** Body of POST /v1/design-api; once parsed, with defaults filled in, also what is stored. */
export const Design = z
  .strictObject({
    ...fields,
    inputs: fields.inputs.default({}),
    effort: fields.effort.default('balanced'),
    examples: fields.examples.default([]),
  })
  .superRefine((design, context) => {
    for (const { path, message, type } of designIssues(design)) {
      context.addIssue({ code: 'custom', path, message, params: { type }, input: design });
    }
  })
  .meta({ id: 'Design' });
export type Design = z.infer<typeof Design>;

/**
 * Body of PATCH /v1/design-api/{api_id}: the fields to replace; `null` removes one, or returns to its default. The resulting design
 * is checked.
 */
export const DesignChange = z
  .strictObject({
    ...fields,
    description: fields.description.nullable(),
    inputs: fields.inputs.nullable(),
    output_format: fields.output_format.nullable(),
    source_whitelist: fields.source_whitelist.nullable(),
    source_blacklist: fields.source_blacklist.nullable(),
    collections: fields.collections.nullable(),
    model: fields.model.nullable(),
    effort: fields.effort.nullable(),
    max: fields.max.nullable(),
    examples: fields.examples.nullable(),
  })
  .partial()
  .meta({ id: 'DesignChange' });
export type DesignChange = z.infer<typeof DesignChange>;

/** Query of GET /v1/published-service. */
export const BrowseQuery = PageQuery.extend({
  q: z.string().max(200).optional().describe('Words that must all occur in the stub, name or description.'),
}).meta({ id: 'BrowseQuery' });
export type BrowseQuery = z.infer<typeof BrowseQuery>;

/** Query of GET /v1/published-service/{api_stub}/openapi.json. */
export const VersionQuery = z
  .strictObject({ version: WholeText.optional().describe('Defaults to the newest.') })
  .meta({ id: 'VersionQuery' });
export type VersionQuery = z.infer<typeof VersionQuery>;

/** The JSON body of a run: the inputs of the API, by name. It may be omitted if none is required. */
export const ApiInputs = z.record(z.string(), z.unknown()).meta({ id: 'ApiInputs' });
export type ApiInputs = z.infer<typeof ApiInputs>;

/** Body of POST /v1/design-api/{api_id}/restore. */
export const RestoreVersion = z
  .strictObject({
    version: Whole.positive(),
    api_stub: ApiStub.optional().describe(
      'For a version published under an earlier stub; defaults to that of the draft.',
    ),
  })
  .meta({ id: 'RestoreVersion' });
export type RestoreVersion = z.infer<typeof RestoreVersion>;

/** Body of PATCH /v1/published-service/{api_stub}/v{version}. */
export const ListingChange = z
  .strictObject({ retired: z.boolean().describe('Whether the version is no longer offered; it can be offered again.') })
  .meta({ id: 'ListingChange' });
export type ListingChange = z.infer<typeof ListingChange>;

interface DesignIssue {
  readonly path: (string | number)[];
  readonly message: string;
  readonly type: IssueType;
}

/** Rules across fields: the prompt matches the inputs, and only one source list is used. Few issues, whatever the design. */
function* designIssues(design: z.output<z.ZodObject<typeof fields>>): Generator<DesignIssue> {
  const names = Object.keys(design.inputs);
  if (names.length > designLimits.inputs) return yield tooManyInputs(['inputs'], names.length);
  for (const [at, { inputs }] of design.examples.entries()) {
    const given = Object.keys(inputs).length;
    if (given > designLimits.inputs) yield tooManyInputs(['examples', at, 'inputs'], given);
  }
  const template = readPromptTemplate(design.prompt);
  for (const message of template.faults) yield { path: ['prompt'], message, type: 'value_error' };
  const used = new Set(inputsIn(template));
  const missing = [...used].filter((name) => !Object.hasOwn(design.inputs, name));
  if (missing.length > 0) {
    const shown = missing.slice(0, 5).map((name) => `{{${name}}}`);
    const others = missing.length > shown.length ? ` and ${missing.length - shown.length} others` : '';
    yield {
      path: ['prompt'],
      message: `expected an input for each {{name}}; got none for ${shown.join(', ')}${others}`,
      type: 'value_error',
    };
  }
  for (const name of names) {
    if (used.has(name)) continue;
    const message = `expected the prompt to use this input as {{${name}}}; got no such placeholder`;
    yield { path: ['inputs', name], message, type: 'value_error' };
  }
  const lists = sourceListsIssue(design);
  if (lists !== undefined) yield { path: [], ...lists };
}

function tooManyInputs(path: DesignIssue['path'], count: number): DesignIssue {
  return { path, message: `expected at most ${designLimits.inputs} inputs; got ${count}`, type: 'too_long' };
}

/** Contradictions between the fields of one input. */
function* inputIssues(input: z.infer<typeof StringInput | typeof NumberInput | typeof BooleanInput>) {
  if (input.required && input.default !== undefined) {
    yield { path: ['default'], message: 'expected no default, because the input is required' };
  }
  if (input.type === 'boolean') return;
  const { min, max, enum: values, default: preset } = input;
  if (min !== undefined && max !== undefined && min > max) {
    yield { path: ['min'], message: `expected min to be at most max (${max}); got ${min}` };
  }
  const outside = (value: string | number) => {
    const size = typeof value === 'string' ? value.length : value;
    return (min !== undefined && size < min) || (max !== undefined && size > max);
  };
  for (const [at, value] of (values ?? []).entries()) {
    if (outside(value)) yield { path: ['enum', at], message: 'expected a value between min and max' };
  }
  if (preset === undefined) return;
  if (outside(preset)) yield { path: ['default'], message: 'expected a value between min and max' };
  if (values !== undefined && !(values as (string | number)[]).includes(preset)) {
    yield { path: ['default'], message: 'expected one of the values of enum' };
  }
}
