/** `citewire login`, `keys` and `accounts`: their subcommands and options. */
import { Argument, type Command, Option } from 'commander';
import { accountStates } from '../../access/access-records.ts';
import { planNames } from '../../access/plans.ts';
import { scopeNames } from '../../access/scopes.ts';
import { readConfig } from '../../base/config.ts';
import { readInvitationDays } from './arguments.ts';
import type { ExitWith } from './exit-with.ts';
import { accountOption, serverOption } from './server-options.ts';

const statusCommands = [
  ['suspend', 'suspended', 'reject calls of an account until it is activated again'],
  ['ban', 'banned', 'as suspend, and show the account as banned'],
  ['activate', 'active', 'accept calls of an account again'],
] as const;

/** Adds the commands; `exitWith` receives the exit code of the one that was run. */
export function addAccessCommands(program: Command, exitWith: ExitWith): void {
  program
    .command('login')
    .description('print a one-time link that signs a browser in')
    .addOption(accountOption('account to sign in to'))
    .addOption(serverOption('base URL of the server; default: PUBLIC_URL, else that of the running server'))
    .action(async (options) => exitWith(await (await import('../accounts/login.ts')).login(options, readConfig())));
  addKeys(program, exitWith);
  addAccounts(program, exitWith);
}

function addKeys(program: Command, exitWith: ExitWith): void {
  const load = () => import('../accounts/keys.ts');
  const keys = program.command('keys').description('manage API keys');
  keys
    .command('create')
    .description('create a key; prints only the key, which cannot be shown again')
    .addOption(new Option('--plan <plan>', 'create a new account with this plan for the key').choices(planNames))
    .option('--account <id>', 'existing account for the key')
    .option('--name <name>', 'display name', 'unnamed')
    .addOption(new Option('--scope <scope...>', 'restrict the key to these; default: everything').choices(scopeNames))
    .option('--admin', 'a key that may manage accounts, and nothing else unless --scope adds it')
    .action(async (options, command: Command) => {
      if ((options.plan === undefined) === (options.account === undefined)) {
        command.error('error: expected either --plan or --account');
      }
      exitWith(await (await load()).createKey(options, readConfig()));
    });
  keys
    .command('list')
    .description('list the keys, without secrets')
    .action(async () => exitWith(await (await load()).listKeys(readConfig())));
  keys
    .command('revoke')
    .description('revoke a key (effective everywhere within 30 s)')
    .argument('<key_id>', 'the 8 public characters of the key, or the whole key')
    .action(async (id: string) => exitWith(await (await load()).revokeKey(id, readConfig())));
}

function addInvitations(accounts: Command, exitWith: ExitWith): void {
  const load = () => import('../accounts/invitations.ts');
  accounts
    .command('invite')
    .description('print a link that creates one account and signs its user in, once')
    .requiredOption('--name <name>', 'display name of the account')
    .addOption(new Option('--plan <plan>', 'its plan').choices(planNames).default('starter'))
    .addOption(new Option('--days <n>', 'how long the link is valid').default(7).argParser(readInvitationDays))
    .addOption(serverOption('base URL of the server; default: PUBLIC_URL, else that of the running server'))
    .action(async (options) => exitWith(await (await load()).invite(options, readConfig())));
  accounts
    .command('invitations')
    .description('list the invitations, without their links')
    .action(async () => exitWith(await (await load()).listInvitations(readConfig())));
  accounts
    .command('revoke-invitation')
    .description('make the link of an invitation invalid')
    .argument('<invitation_id>', 'from `accounts invitations`')
    .action(async (id: string) => exitWith(await (await load()).revokeInvitation(id, readConfig())));
}

function addAccounts(program: Command, exitWith: ExitWith): void {
  const load = () => import('../accounts/accounts.ts');
  const accounts = program.command('accounts').description('manage accounts');
  accounts
    .command('create')
    .description('create an account; prints only its id')
    .addOption(new Option('--plan <plan>', 'its plan').choices(planNames).makeOptionMandatory())
    .requiredOption('--name <name>', 'display name')
    .action(async (options) => exitWith(await (await load()).createAccount(options, readConfig())));
  accounts
    .command('list')
    .description('list the accounts')
    .option('--search <text>', 'only accounts with these words in their name or id')
    .addOption(new Option('--status <status>', 'only accounts with this status').choices(accountStates))
    .action(async (options) => exitWith(await (await load()).listAccounts(readConfig(), options)));
  addInvitations(accounts, exitWith);
  accounts
    .command('suspects')
    .description(
      'list accounts that share an IP address and together exceed the limit of their plan (hints, not proof)',
    )
    .action(async () => exitWith(await (await load()).listSuspects(readConfig())));
  accounts
    .command('set-plan')
    .description('change the plan of an account')
    .argument('<id>')
    .addArgument(new Argument('<plan>', 'its new plan').choices(planNames))
    .action(async (id: string, plan) => exitWith(await (await load()).setPlan(id, plan, readConfig())));
  for (const [name, status, what] of statusCommands) {
    accounts
      .command(name)
      .description(what)
      .argument('<id>')
      .option('--reason <text>', 'reason shown to its callers')
      .action(async (id: string, { reason }: { reason?: string }) =>
        exitWith(await (await load()).setStatus(id, status, reason, readConfig())),
      );
  }
}
