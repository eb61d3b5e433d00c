/** The task took too long, the machine left its process no time, or the process ended. */
export type ProcessFailure = 'deadline' | 'busy' | 'ended';

/** How a process fails its task. */
export class ProcessError extends Error {
  override readonly name = 'ProcessError';
  readonly reason: ProcessFailure;
  constructor(reason: ProcessFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The error of a process that has ended. */
export function endedBy(code: number | null, signal: NodeJS.Signals | null): ProcessError {
  return new ProcessError('ended', `The process ended with ${signal ?? `code ${code}`}.`);
}
