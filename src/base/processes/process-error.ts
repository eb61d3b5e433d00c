/** How a process fails its task: it took too long, or it ended. */
export class ProcessError extends Error {
  override readonly name = 'ProcessError';
  readonly reason: 'deadline' | 'ended';
  constructor(reason: 'deadline' | 'ended', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The error of a process that has ended. */
export function endedBy(code: number | null, signal: NodeJS.Signals | null): ProcessError {
  return new ProcessError('ended', `The process ended with ${signal ?? `code ${code}`}.`);
}
