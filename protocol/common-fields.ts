/** Fields of several requests whose messages are our own. */
import * as z from 'zod';

/**
 * The message of a schema, except where a value is beyond a bound: zod would say it there too, instead of the bound.
 */
function unlessBound(message: string) {
  return {
    error: ({ code }: { readonly code?: string | undefined }) =>
      code === 'too_small' || code === 'too_big' ? undefined : message,
  };
}

/** With a message of its own, because zod reports different types for 1.5 and "1". */
export const Whole = z.int(unlessBound('expected a whole number'));

/** A whole number in a query, as text. */
export const WholeText = z.coerce.number(unlessBound('expected a whole number')).int();

export const WebUrl = z.url({ protocol: /^https?$/, ...unlessBound('expected an http or https URL') });

/** As it is where indexed pages have an address, too: those of a folder are files. */
export const PageUrl = z.url({ protocol: /^(?:https?|file)$/, ...unlessBound('expected an http, https or file URL') });
