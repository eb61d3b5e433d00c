/** The task took too long, the machine left its process no time, or the process ended, or did so before it had loaded. */
export type ProcessFailure = 'deadline' | 'busy' | 'ended' | 'unstarted';

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

/** The error of a process that could not load the module of its worker. */
export function unstarted(why: string, file: string): ProcessError {
  return new ProcessError('unstarted', `The process could not load ${file}: ${why}`);
}
