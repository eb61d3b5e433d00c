/** A promise that a test settles, as `Promise.withResolvers` of newer Nodes. */
export interface Deferred {
  readonly promise: Promise<undefined>;
  resolve(): void;
}

/** Pending until `resolve` is called. */
export function createDeferred(): Deferred {
  let resolve = () => {};
  const promise = new Promise<undefined>((settle) => {
    resolve = () => settle(undefined);
  });
  return { promise, resolve: () => resolve() };
}
