/** What endpoints say about lengths, in their own words: a limit is read where it is stated, and nothing else is taken for one. */
import { describe, expect, it } from 'vitest';
import {
  contextIn,
  isOverRate,
  isTooLong,
  outputLimitIn,
  promptLimitIn,
} from '../../../src/model/endpoint/stated-limits.ts';

describe('a prompt that is too long', () => {
  it.each<[string, { context?: number; prompt?: number }]>([
    [
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3872 `inputs` tokens and 600 `max_new_tokens`',
      { context: 4096 },
    ],
    ['Input validation error: `inputs` must have less than 1024 tokens. Given: 3872', { prompt: 1023 }],
    ['Range of input length should be [1, 30720]', { prompt: 30720 }],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", { prompt: 131072 }],
    ['Request body too large for gpt-4o model. Max size: 8000 tokens.', { prompt: 8000 }],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 600. This model's maximum context length is 4096 tokens and your request has 3872 input tokens (600 > 4096 - 3872).",
      { context: 4096 },
    ],
    [
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
      { context: 200000 },
    ],
    ['prompt is too long: 208310 tokens > 200000 maximum', { context: 200000 }],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', { context: 1048576 }],
    [
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      { context: 32768 },
    ],
    [
      'too many tokens: total number of tokens (prompt and prediction) in the request cannot exceed 4081 - received 5000.',
      { context: 4081 },
    ],
    ['Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)', { context: 8192 }],
    ['The request exceeds the token limit of this model.', {}],
    [
      'the request exceeds the available context size. try increasing it exceed_context_size_error n_prompt_tokens 5000 n_ctx 4096',
      { context: 4096 },
    ],
    [
      'Request too large for model `llama-3.1-8b-instant` on tokens per minute (TPM): Limit 6000, Requested 7241, please reduce your message size and try again.',
      { context: 6000 },
    ],
    ['Prompt exceeds max length', {}],
    ['413 Request Entity Too Large', {}],
    ['Payload Too Large', {}],
    ['Request payload size exceeds the limit: 20971520 bytes.', {}],
  ])('is read from "%s"', (text, { context, prompt }) => {
    const complaint = text.toLowerCase();
    expect(isTooLong(complaint)).toBe(true);
    expect(promptLimitIn(complaint)).toBe(prompt);
    if (prompt === undefined) expect(contextIn(complaint)).toBe(context);
    expect(outputLimitIn(complaint, 600)).toBeUndefined();
  });

  it.each([
    'max_tokens is too large: 1800. This model supports at most 1000 completion tokens.',
    'The max_tokens in your request is too large: 5000',
    'messages and max_tokens are required fields',
    'Unsupported value: temperature does not support 0.2 with this model.',
    'Invalid schema for response_format: 7 levels of nesting exceeds limit of 5.',
    'max_completion_tokens: Extra inputs are not permitted',
    'Invalid input: prompt must not be empty',
    'image is too large: at most 5 MB',
    'You have exceeded your monthly token limit',
    'You exceeded the daily token limit of your organization.',
    'Exceeded the token limit per minute; try again later',
    'Your account has exceeded its token limit for this month. Please upgrade your plan.',
    'Usage quota: the workspace exceeded its token limit.',
  ])('is not read from "%s"', (text) => {
    expect(isTooLong(text.toLowerCase())).toBe(false);
  });
});

describe('an answer that is too long', () => {
  it.each([
    ['Range of max_tokens should be [1, 8192]', 8192],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 8192],
    ['max_tokens must be between 1 and 4096', 4096],
    ['max_tokens参数非法。限制范围[1,8192]', 8192],
    [
      'Unable to submit request because it has a maxOutputTokens value of 20000 but the supported range is from 1 (inclusive) to 8193 (exclusive).',
      8192,
    ],
    ['max_tokens is too large: 20000. This model supports at most 1000 completion tokens.', 1000],
    [
      'max_tokens: 20000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku-20241022',
      8192,
    ],
    [
      '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
      8192,
    ],
    ['max_new_tokens must be less than 4096', 4095],
    ['max_output_tokens: expected a value <= 16384, but got 20000 instead', 16384],
    ['num_predict must not exceed 2,048', 2048],
  ])('has the limit that is stated: "%s"', (text, tokens) => {
    expect(outputLimitIn(text.toLowerCase(), 20_000)).toEqual({ tokens, isStated: true });
  });

  it.each([
    ['max_tokens is too large', 900],
    ['max_tokens is too large for gpt-4-0613 of 2023-06-13', 900],
    ['max_tokens too high, try 1500', 1_500],
  ])('has a limit that is guessed otherwise: "%s"', (text, tokens) => {
    expect(outputLimitIn(text, 1_800)).toEqual({ tokens, isStated: false });
  });

  it.each([
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'This model has a maximum context length of 8192 tokens and your prompt has 7700: max_tokens must be at most 492.',
  ])('is not read from "%s"', (text) => {
    expect(outputLimitIn(text.toLowerCase(), 1_800)).toBeUndefined();
  });
});

it('a request is larger than the limit of a minute, or only has to wait', () => {
  expect(isOverRate('request too large (tpm): limit 30000, requested 45000. reduce it')).toBe(true);
  expect(isOverRate('request too large (tpm): limit 6000, used 500, requested 7,241')).toBe(true);
  expect(isOverRate('rate limit reached (tpm): limit 30000, used 29000, requested 4500. try again in 7s.')).toBe(false);
  expect(isOverRate('rate limit reached (rpm): limit 3, used 3, requested 1.')).toBe(false);
});
