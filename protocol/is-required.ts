import type { DesignInput } from './designs.ts';

/** Whether an input of a designed API must be given: one that does not say so must be unless it has a default. */
export function isRequired({ required, default: preset }: DesignInput): boolean {
  return required ?? preset === undefined;
}
