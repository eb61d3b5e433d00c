/** How a command ends. */

/**
 * Takes the exit code: 0 for success, 1 for failure, 2 for invalid arguments. The process ends by itself once its output is
 * written.
 */
export type ExitWith = (code: number) => void;
