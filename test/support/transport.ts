/**
 * Which server the tests run over: the native one, or with TEST_TRANSPORT=node its portable twin. What only the native
 * parser does, by its own rules, is tested on it alone; everything else holds over both.
 */
import { describe, it } from 'vitest';

export const isNative = process.env.TEST_TRANSPORT !== 'node';
export const itNative = it.runIf(isNative);
export const describeNative = describe.runIf(isNative);
