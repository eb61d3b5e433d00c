/**
 * The `citewire` command. Exit codes: 0 for success, 1 for failure, 2 for invalid arguments. Results that scripts need go to
 * standard output, everything else to standard error.
 */
import { CommanderError } from 'commander';
import { ConfigError } from './base/config.ts';
import { AppError } from './base/errors.ts';
import { createProgram } from './cli/commands/program.ts';

// The reader of the pipe, such as `head`, has exited.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await createProgram(exitWith).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) exitWith(error.exitCode === 0 ? 0 : 2);
  else {
    const known = error instanceof AppError || error instanceof ConfigError || error instanceof Error;
    process.stderr.write(`citewire: ${known ? error.message : String(error)}\n`);
    exitWith(1);
  }
}

/** Does not call `process.exit`, because output may still be buffered; the process exits on its own. */
function exitWith(code: number): void {
  process.exitCode = code;
}
