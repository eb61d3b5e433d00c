/** What is specific to the native parser is tested only on the native server; everything else must hold on both. */
import { describe, it } from 'vitest';
import { isNative } from './servers/native-server.ts';

export { isNative };
export const itNative = it.runIf(isNative);
export const describeNative = describe.runIf(isNative);
