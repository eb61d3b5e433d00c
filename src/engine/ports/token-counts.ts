/** Tokens of calls to models: of their input, and of their answers. */
export interface TokenCounts {
  readonly in: number;
  readonly out: number;
}
