/**
 * Which server the tests run on: the native one, or with TEST_TRANSPORT=node the portable one. What is specific to the native
 * parser is tested only there; everything else must hold on both.
 */
import { describe, it } from 'vitest';

export const isNative = process.env.TEST_TRANSPORT !== 'node';
export const itNative = it.runIf(isNative);
export const describeNative = describe.runIf(isNative);
