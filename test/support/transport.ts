/**
 * Which server the tests run on: the native one, or with TEST_TRANSPORT=node, and where no build of the native one loads, the
 * portable one. What is specific to the native parser is tested only there; everything else must hold on both.
 */
import { describe, it } from 'vitest';
import { loadUws } from '../../src/transport/uws/load-uws.ts';

const loads = (): Promise<boolean> =>
  loadUws().then(
    () => true,
    () => false,
  );

export const isNative = process.env.TEST_TRANSPORT !== 'node' && (await loads());
export const itNative = it.runIf(isNative);
export const describeNative = describe.runIf(isNative);
