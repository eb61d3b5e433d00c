/** A worker thread that requires an ES module, itself, and says what came of it: a code, or "required". */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Returns the code of the error, `ERR_REQUIRE_ESM` where ES modules can only be imported. */
export default function requireItself(): string {
  try {
    createRequire(import.meta.url)(fileURLToPath(import.meta.url));
    return 'required';
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
