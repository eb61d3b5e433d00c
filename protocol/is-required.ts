/** Which inputs of a designed API must be given: for the server, its documents and the pages alike. */
import type { DesignInput } from './designs.ts';

/** An input that does not say so is required unless it has a default. */
export function isRequired({ required, default: preset }: DesignInput): boolean {
  return required ?? preset === undefined;
}
