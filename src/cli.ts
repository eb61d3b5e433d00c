/**
 * The `citewire` command. Exit codes: 0 for success, 1 for failure, 2 for invalid arguments. Results that scripts need go to
 * standard output, everything else to standard error.
 */
import { CommanderError } from 'commander';
import { createProgram } from './cli/commands/program.ts';
import { allowedHostsHint } from './cli/hosts-hint.ts';
import { couldBeAllowed } from './web/fetch/guard.ts';

/** Whether the command is the server, which runs on when nobody reads what it prints. */
let isServer = false;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isServer) return;
  // The reader of the pipe, such as `head`, has exited.
  if (error.code === 'EPIPE') process.exit(0);
  const why = error.code === 'ENOSPC' ? 'the disk is full' : error.message;
  process.stderr.write(`citewire: Standard output cannot be written: ${why}.\n`);
  process.exit(1);
});
// A log that cannot be written ends nothing.
process.stderr.on('error', () => {});

try {
  await createProgram(exitWith)
    .hook('preAction', (_program, command) => {
      isServer = command.name() === 'serve';
    })
    .parseAsync();
} catch (error) {
  if (error instanceof CommanderError) exitWith(error.exitCode === 0 ? 0 : 2);
  else {
    const message = error instanceof Error ? error.message : String(error);
    // Issues name the field of a body, and an option is named like its field.
    process.stderr.write(`citewire: ${message.replace(/^body\./gm, '')}\n`);
    const { code } = Object(error) as { code?: unknown };
    if (code === 'blocked_address' && couldBeAllowed(message)) process.stderr.write(`${allowedHostsHint}\n`);
    exitWith(code === 'validation_error' ? 2 : 1);
  }
}

/** Does not call `process.exit`, because output may still be buffered; the process exits on its own. */
function exitWith(code: number): void {
  process.exitCode = code;
}
