/**
 * Which server the tests run on: the native one, or with TEST_TRANSPORT=node, and where no build of the native one loads, the
 * portable one. Apart from transport.ts, because programs without vitest start the app, too.
 */
import { loadUws } from '../../../src/transport/uws/load-uws.ts';

const loads = (): Promise<boolean> =>
  loadUws().then(
    () => true,
    () => false,
  );

export const isNative = process.env.TEST_TRANSPORT !== 'node' && (await loads());
