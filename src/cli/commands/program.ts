/** The table of all commands. What they do is loaded when one is run. */
import { Argument, Command, Option } from 'commander';
import { documentKinds, efforts } from '../../../protocol/index.ts';
import { readConfig } from '../../base/config.ts';
import { version } from '../../base/own-package.ts';
import { type ShellName, shellNames } from '../completion/completion.ts';
import { addAccessCommands } from './access.ts';
import { readCount } from './arguments.ts';
import { addDesignCommands } from './design.ts';
import type { ExitWith } from './exit-with.ts';
import { addMaintenanceCommands } from './maintenance.ts';
import { addScheduleCommands } from './schedules.ts';
import { keyOption, readBaseUrl, serverOption } from './server-options.ts';
import { addSourceCommands } from './sources.ts';
import { addWebhookCommands } from './webhooks.ts';

/** The `citewire` command; `exitWith` receives the exit code of the command that was run. Parsing throws a CommanderError. */
export function createProgram(exitWith: ExitWith): Command {
  const program = new Command('citewire')
    .description('Researches questions and answers them with verifiable citations.')
    .version(version, '-V, --version', 'print the version')
    // Otherwise this --version would be taken from `design export`, which has one of its own.
    .enablePositionalOptions()
    .showHelpAfterError('(see --help)')
    .addHelpText('afterAll', '\nSettings, such as DATA_DIR and PORT, are environment variables: docs/settings.md.')
    .exitOverride();

  program
    .command('serve')
    .description('start the server')
    .option('--open', 'open the chat in a browser, signed in')
    .action(async (options) => exitWith(await (await import('../../app/serve.ts')).serve(readConfig(), options)));

  program
    .command('ask')
    .description('ask a question; prints steps, sources and the cited answer as they arrive')
    .argument('<question...>', 'the question')
    .option('--json', 'print only the result, as JSON')
    .option('--schema <file>', 'JSON file with an output_format template to fill')
    .option('--only <source...>', 'use only these sources: URLs, hosts or host/path')
    .option('--never <source...>', 'exclude these sources')
    .addOption(new Option('--effort <effort>', 'how thorough to be; default: balanced').choices(efforts))
    .option('--from <date>', 'ignore sources published before it, such as 2025-01-31')
    .option('--to <date>', 'ignore sources published after it')
    .option('--model <name>', 'model to answer with, one of MODELS; `extractive` for quotes only')
    .option('--collection <name...>', 'search only these collections of the server, by name or id')
    .addOption(serverOption('base URL of a running server to ask, instead of the index in DATA_DIR'))
    .addOption(keyOption())
    .action(async (words: string[], options) =>
      exitWith(await (await import('../ask/ask.ts')).ask(words.join(' '), options, readConfig())),
    );

  program
    .command('mcp')
    .description('run an MCP server on stdin and stdout, for agents')
    .addOption(serverOption('base URL of a running server to ask, instead of the index in DATA_DIR'))
    .addOption(keyOption())
    .action(async (options) => exitWith(await (await import('../mcp/mcp.ts')).mcp(options, readConfig())));

  addIndexCommands(program, exitWith);
  addSourceCommands(program, exitWith);
  addAccessCommands(program, exitWith);
  addDesignCommands(program, exitWith);
  addWebhookCommands(program, exitWith);
  addScheduleCommands(program, exitWith);
  addMaintenanceCommands(program, exitWith);

  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(shellNames))
    .action(async (shell: ShellName) => {
      const { completionScript } = await import('../completion/completion.ts');
      process.stdout.write(completionScript(program, shell));
    });
  return program;
}

function addIndexCommands(program: Command, exitWith: ExitWith): void {
  program
    .command('index')
    .description('add documents and web pages to the index')
    .argument('[source]', `a folder of ${documentKinds}, a URL or a sitemap`)
    .option(
      '--installed',
      'add the documentation of Citewire and the installed packages, which is removed when the first source is added',
    )
    .option('--max-pages <count>', 'maximum number of pages to index from a sitemap', readCount)
    .option(
      '--base-url <url>',
      'cite the files of a folder as this URL followed by their path in the folder',
      readBaseUrl,
    )
    .action(async (source: string | undefined, options, command: Command) => {
      if ((source === undefined) === (options.installed === undefined)) {
        command.error('error: expected either a source or --installed');
      }
      exitWith(await (await import('../sources/index-source.ts')).indexSource(source, options, readConfig()));
    });
}
