#!/usr/bin/env node
/**
 * The `citewire` command. Every command gives an exit code: 0 when it did what it says, 1 when it could not, 2 when it
 * was asked wrongly. What a script wants goes to standard output, everything else to standard error.
 */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { planNames } from './access/plans.ts';
import { type Scope, scopeNames } from './access/scopes.ts';
import { ConfigError, readConfig } from './base/config.ts';
import { AppError } from './base/errors.ts';
import { addDesignCommands } from './cli/design-commands.ts';

const statusCommands = [
  ['suspend', 'suspended', 'refuse the calls of an account until it is activated'],
  ['ban', 'banned', 'refuse the calls of an account for good'],
  ['activate', 'active', 'take the calls of an account again'],
] as const;

const program = new Command('citewire')
  .description('Researches questions and answers with citations that can be checked.')
  .showHelpAfterError('(--help lists the commands)')
  .exitOverride();

program
  .command('serve')
  .description('start the server')
  .action(async () => exitWith(await (await import('./app/serve.ts')).serve(readConfig())));

program
  .command('ask')
  .description('ask a question; steps, sources and the cited answer come as they are found')
  .argument('<question...>', 'what to ask')
  .option('--json', 'print the result as JSON and nothing else')
  .option('--schema <file>', 'a JSON file with the output_format template to fill')
  .option('--only <source...>', 'only these sources: URLs, hosts or host/path')
  .option('--never <source...>', 'never these sources')
  .option('--server <url>', 'ask a running server instead of the index in DATA_DIR')
  .option('--key <key>', 'the API key for that server')
  .action(async (words: string[], options) =>
    exitWith(await (await import('./cli/ask.ts')).ask(words.join(' '), options, readConfig())),
  );

program
  .command('index')
  .description('bring Markdown, HTML and text into the index')
  .argument('<source>', 'a folder, a URL or a sitemap')
  .option('--max-pages <count>', 'at most this many pages of a sitemap', wholeNumber)
  .action(async (source: string, options) =>
    exitWith(await (await import('./cli/index-source.ts')).indexSource(source, options, readConfig())),
  );

const sources = program.command('sources').description('what was brought into the index');
sources
  .command('list')
  .description('list the sources and how many pages each has in the index')
  .action(async () => exitWith(await (await import('./cli/sources.ts')).listSources(readConfig())));
sources
  .command('remove')
  .description('take the pages of a source out of the index')
  .argument('<source>', 'as it is listed, or as it was indexed')
  .action(async (source: string) =>
    exitWith(await (await import('./cli/sources.ts')).removeSource(source, readConfig())),
  );

program
  .command('login')
  .description('print a link that signs a browser in to the dashboard, once')
  .option('--account <id>', 'the account to sign in to')
  .option('--server <url>', 'where the server is, unless the settings say so')
  .action(async (options) => exitWith(await (await import('./cli/login.ts')).login(options, readConfig())));

const keys = program.command('keys').description('API keys');
keys
  .command('create')
  .description('make a key; it is printed once, alone, on standard output')
  .option('--plan <plan>', `${planNames.join(' or ')}: the key gets an account of its own`, oneOf(planNames))
  .option('--account <id>', 'the account that the key is for')
  .option('--name <name>', 'what to call it', 'unnamed')
  .option('--scope <scope...>', `${scopeNames.join(', ')}: all that it may do; everything where none is given`, scopeOf)
  .action(async (options, command: Command) => {
    if ((options.plan === undefined) === (options.account === undefined)) {
      command.error('error: expected either --plan or --account');
    }
    exitWith(await (await import('./cli/keys.ts')).createKey(options, readConfig()));
  });
keys
  .command('list')
  .description('list the keys, without their secrets')
  .action(async () => exitWith(await (await import('./cli/keys.ts')).listKeys(readConfig())));
keys
  .command('revoke')
  .description('make a key useless, within 30 seconds everywhere')
  .argument('<key_id>', 'the 8 public characters of the key, or the whole key')
  .action(async (id: string) => exitWith(await (await import('./cli/keys.ts')).revokeKey(id, readConfig())));

const accounts = program.command('accounts').description('whom keys belong to: plan and status');
const forAccounts = () => import('./cli/accounts.ts');
accounts
  .command('create')
  .description('make an account; its id is printed alone')
  .requiredOption('--plan <plan>', planNames.join(' or '), oneOf(planNames))
  .requiredOption('--name <name>', 'what to call it')
  .action(async (options) => exitWith(await (await forAccounts()).createAccount(options, readConfig())));
accounts
  .command('list')
  .description('list the accounts')
  .action(async () => exitWith(await (await forAccounts()).listAccounts(readConfig())));
accounts
  .command('suspects')
  .description('list accounts that share an address and together pass the limit of their plan: hints, no proof')
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
    .option('--reason <text>', 'what its callers are told')
    .action(async (id: string, { reason }: { reason?: string }) =>
      exitWith(await (await forAccounts()).setStatus(id, status, reason, readConfig())),
    );
}

addDesignCommands(program, exitWith);

// A reader that has left, such as `head`, wants no more.
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

/** Output may still be on its way through a pipe: the process ends by itself when nothing is left to do. */
function exitWith(code: number): void {
  process.exitCode = code;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Expected a whole number from 1.');
  return number;
}

/** One more of those given before. */
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
