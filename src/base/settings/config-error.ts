/** An invalid setting. In a file without imports, as worker threads load it. */

/** `message` is the sentence to show to the operator. */
export class ConfigError extends Error {}
