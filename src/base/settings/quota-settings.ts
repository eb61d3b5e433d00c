/** Settings of quotas and prices: JSON objects, checked as a whole. */
import * as z from 'zod';

const count = z.int().positive().optional();

/** What the accounts of a plan may use together with all their keys. */
export const PlanQuotas = z.strictObject({
  searches_per_day: count,
  searches_per_month: count,
  tokens_per_day: count,
  tokens_per_month: count,
});
export type PlanQuotas = z.infer<typeof PlanQuotas>;

const Quotas = z.strictObject({ starter: PlanQuotas.optional(), pro: PlanQuotas.optional() });

/** What a million tokens cost. */
export const ModelPrices = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('USD'),
});
export type ModelPrices = z.infer<typeof ModelPrices>;

export const quotaSettings = {
  QUOTAS: jsonOf(Quotas)
    .optional()
    .describe('a JSON object such as {"starter": {"searches_per_day": 100, "tokens_per_month": 1000000}}'),
  MODEL_PRICES: jsonOf(ModelPrices)
    .optional()
    .describe(
      'a JSON object such as {"input": 0.15, "output": 0.6, "currency": "USD"}: the prices of a million tokens',
    ),
};

/** The text of a JSON value that fits a schema. */
function jsonOf<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'expected JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}
