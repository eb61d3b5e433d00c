/** `citewire webhooks`: its subcommands and options. */
import type { Command } from 'commander';
import { readConfig } from '../../base/config.ts';
import type { ExitWith } from './exit-with.ts';
import { accountOption } from './server-options.ts';

/** Adds the commands; `exitWith` receives the exit code of the one that was run. */
export function addWebhookCommands(program: Command, exitWith: ExitWith): void {
  const load = () => import('../accounts/webhooks.ts');
  const webhooks = program.command('webhooks').description('manage webhooks, which are called when a search ends');
  const ofOne = (name: string, what: string) =>
    webhooks.command(name).description(what).argument('<webhook_id>').addOption(accountOption('account'));
  webhooks
    .command('add')
    .description('add an endpoint; prints only its secret, which cannot be shown again')
    .argument('<url>', 'where to post')
    .option('--name <name>', 'display name')
    .addOption(accountOption('account'))
    .action(async (url: string, options) => exitWith(await (await load()).addWebhook(url, options, readConfig())));
  webhooks
    .command('list')
    .description('list the endpoints, without secrets')
    .addOption(accountOption('account'))
    .action(async (options) => exitWith(await (await load()).listWebhooks(options, readConfig())));
  ofOne('rotate', 'create and print a new secret; for a day, events are signed with the old one too').action(
    async (id: string, options) => exitWith(await (await load()).rotateWebhook(id, options, readConfig())),
  );
  ofOne('enable', 'resume sending events, from now on').action(async (id: string, options) =>
    exitWith(await (await load()).setWebhook(id, true, options, readConfig())),
  );
  ofOne('disable', 'stop sending events until it is enabled again').action(async (id: string, options) =>
    exitWith(await (await load()).setWebhook(id, false, options, readConfig())),
  );
  ofOne('remove', 'remove an endpoint and its pending deliveries').action(async (id: string, options) =>
    exitWith(await (await load()).removeWebhook(id, options, readConfig())),
  );
  ofOne('test', 'send an event of type webhook.test').action(async (id: string, options) =>
    exitWith(await (await load()).testWebhook(id, options, readConfig())),
  );
  webhooks
    .command('deliveries')
    .description('list the deliveries, sent and pending, newest first')
    .option('--webhook <id>', 'only to this endpoint')
    .addOption(accountOption('account'))
    .action(async (options) => exitWith(await (await load()).listDeliveries(options, readConfig())));
  webhooks
    .command('tries')
    .alias('attempts')
    .description('list the attempts of a delivery')
    .argument('<delivery_id>')
    .addOption(accountOption('account'))
    .action(async (id: string, options) => exitWith(await (await load()).listTries(id, options, readConfig())));
  webhooks
    .command('redeliver')
    .description('send a delivery again, with the same id')
    .argument('<delivery_id>')
    .addOption(accountOption('account'))
    .action(async (id: string, options) => exitWith(await (await load()).redeliver(id, options, readConfig())));
}
