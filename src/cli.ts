/**
 * The `citewire` command. Exit codes: 0 for success, 1 for failure, 2 for invalid arguments. Results that scripts need go to
 * standard output, everything else to standard error.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { planNames } from './access/plans.ts';
import { type Scope, scopeNames } from './access/scopes.ts';
import { ConfigError, readConfig } from './base/config.ts';
import { AppError } from './base/errors.ts';
import { addDesignCommands } from './cli/design-commands.ts';

const statusCommands = [
  ['suspend', 'suspended', 'reject calls of an account until it is activated again'],
  ['ban', 'banned', 'reject calls of an account permanently'],
  ['activate', 'active', 'accept calls of an account again'],
] as const;

const program = new Command('citewire')
  .description('Researches questions and answers them with verifiable citations.')
  .showHelpAfterError('(--help lists the commands)')
  .exitOverride();

program
  .command('serve')
  .description('start the server')
  .action(async () => exitWith(await (await import('./app/serve.ts')).serve(readConfig())));

program
  .command('ask')
  .description('ask a question; prints steps, sources and the cited answer as they arrive')
  .argument('<question...>', 'the question')
  .option('--json', 'print only the result, as JSON')
  .option('--schema <file>', 'JSON file with an output_format template to fill')
  .option('--only <source...>', 'use only these sources: URLs, hosts or host/path')
  .option('--never <source...>', 'exclude these sources')
  .option('--server <url>', 'base URL of a running server to ask, instead of the index in DATA_DIR')
  .option('--key <key>', 'API key for that server')
  .action(async (words: string[], options) =>
    exitWith(await (await import('./cli/ask.ts')).ask(words.join(' '), options, readConfig())),
  );

program
  .command('mcp')
  .description('serve agents over standard input and output (Model Context Protocol)')
  .option('--server <url>', 'base URL of a running server to ask, instead of the index in DATA_DIR')
  .addOption(new Option('--key <key>', 'API key for that server').env('CITEWIRE_KEY'))
  .action(async (options) => exitWith(await (await import('./cli/mcp.ts')).mcp(options, readConfig())));

program
  .command('index')
  .description('add Markdown, HTML and text to the index')
  .argument('[source]', 'a folder, a URL or a sitemap')
  .option(
    '--installed',
    'add the documentation of Citewire and the installed packages, which leaves when the first source is added',
  )
  .option('--max-pages <count>', 'maximum number of pages to index from a sitemap', wholeNumber)
  .option('--base-url <url>', 'cite the files of a folder as this URL followed by their path in the folder', baseUrl)
  .action(async (source: string | undefined, options, command: Command) => {
    if ((source === undefined) === (options.installed === undefined)) {
      command.error('error: expected either a source or --installed');
    }
    exitWith(await (await import('./cli/index-source.ts')).indexSource(source, options, readConfig()));
  });

const sources = program.command('sources').description('manage the sources in the index');
sources
  .command('list')
  .description('list the sources and the number of pages of each')
  .action(async () => exitWith(await (await import('./cli/sources.ts')).listSources(readConfig())));
sources
  .command('remove')
  .description('remove the pages of a source from the index')
  .argument('<source>', 'as shown by `sources list`, or as given to `index`')
  .action(async (source: string) =>
    exitWith(await (await import('./cli/sources.ts')).removeSource(source, readConfig())),
  );

program
  .command('login')
  .description('print a one-time link that signs a browser in to the dashboard')
  .option('--account <id>', 'account to sign in to')
  .option('--server <url>', 'base URL of the server, if not defined by the settings')
  .action(async (options) => exitWith(await (await import('./cli/login.ts')).login(options, readConfig())));

const keys = program.command('keys').description('manage API keys');
keys
  .command('create')
  .description('create a key; prints only the key, which cannot be shown again')
  .option('--plan <plan>', `${planNames.join(' or ')}: creates a new account for the key`, oneOf(planNames))
  .option('--account <id>', 'existing account for the key')
  .option('--name <name>', 'display name', 'unnamed')
  .option('--scope <scope...>', `${scopeNames.join(', ')}: restrict the key to these; default: everything`, scopeOf)
  .action(async (options, command: Command) => {
    if ((options.plan === undefined) === (options.account === undefined)) {
      command.error('error: expected either --plan or --account');
    }
    exitWith(await (await import('./cli/keys.ts')).createKey(options, readConfig()));
  });
keys
  .command('list')
  .description('list the keys, without secrets')
  .action(async () => exitWith(await (await import('./cli/keys.ts')).listKeys(readConfig())));
keys
  .command('revoke')
  .description('revoke a key (effective everywhere within 30 s)')
  .argument('<key_id>', 'the 8 public characters of the key, or the whole key')
  .action(async (id: string) => exitWith(await (await import('./cli/keys.ts')).revokeKey(id, readConfig())));

const accounts = program.command('accounts').description('manage accounts');
const forAccounts = () => import('./cli/accounts.ts');
accounts
  .command('create')
  .description('create an account; prints only its id')
  .requiredOption('--plan <plan>', planNames.join(' or '), oneOf(planNames))
  .requiredOption('--name <name>', 'display name')
  .action(async (options) => exitWith(await (await forAccounts()).createAccount(options, readConfig())));
accounts
  .command('list')
  .description('list the accounts')
  .action(async () => exitWith(await (await forAccounts()).listAccounts(readConfig())));
accounts
  .command('suspects')
  .description('list accounts that share an IP address and together exceed the limit of their plan (hints, not proof)')
  .action(async () => exitWith(await (await forAccounts()).listSuspects(readConfig())));
accounts
  .command('set-plan')
  .description('change the plan of an account')
  .argument('<id>')
  .argument('<plan>', planNames.join(' or '), oneOf(planNames))
  .action(async (id: string, plan) => exitWith(await (await forAccounts()).setPlan(id, plan, readConfig())));
for (const [name, status, what] of statusCommands) {
  accounts
    .command(name)
    .description(what)
    .argument('<id>')
    .option('--reason <text>', 'reason shown to its callers')
    .action(async (id: string, { reason }: { reason?: string }) =>
      exitWith(await (await forAccounts()).setStatus(id, status, reason, readConfig())),
    );
}

addDesignCommands(program, exitWith);

// The reader of the pipe, such as `head`, has exited.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await program.parseAsync();
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

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Expected a whole number of at least 1.');
  return number;
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBase =
    url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (!isBase) throw new InvalidArgumentError('Expected an http(s) URL without a user, query or fragment.');
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/** Collects a repeated option. */
function scopeOf(text: string, before: readonly Scope[] = []): Scope[] {
  return [...before, oneOf(scopeNames)(text)];
}

function oneOf<Choice extends string>(choices: readonly Choice[]) {
  return (text: string): Choice => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new InvalidArgumentError(`Expected ${choices.join(' or ')}.`);
    return found;
  };
}
