/** A search that a protocol knows by another name: that there is none is said in its words. */
import { AppError, notFound } from '../base/errors.ts';

/** What is found, or `not_found` for this id of `what`. */
export async function foundAs<Value>(what: string, id: string, finding: Promise<Value>): Promise<Value> {
  try {
    return await finding;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw notFound(what, id);
  }
}
