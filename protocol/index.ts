/** The contract of `citewire.v1`, shared by the server, the client and clients of others. In prose: PROTOCOL.md. */
export * from './account.ts';
export * from './design-responses.ts';
export * from './designs.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './frames.ts';
export * from './issue-types.ts';
export * from './output-format.ts';
export * from './patches.ts';
export * from './prompt-template.ts';
export * from './requests.ts';
export * from './responses.ts';
export * from './route.ts';
export * from './routes.ts';
export * from './source-rules.ts';
export * from './template-issues.ts';
export * from './validation-issues.ts';
