/** The lists of the command line, whose names are anybody's. */
import { expect, it } from 'vitest';
import { runCli } from '../support/processes/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('keep a name in its cell, whatever is in it, and send the terminal no commands', async () => {
  const own = { DATA_DIR: temporaryFolder() };
  const forged = 'ok\t2026\nadmin000\tacc_root\tpro\tbackup\x1b[1A\x1b[2K\u202egnp';
  expect(await runCli(['keys', 'create', '--plan', 'pro', '--name', forged], own)).toMatchObject({ code: 0 });
  const { stdout } = await runCli(['keys', 'list'], own);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]!.split('\t')[3]).toBe('ok 2026 admin000 acc_root pro backup gnp');
  expect(stdout).not.toMatch(/[\x1b\u202e]/);
  const accounts = await runCli(['accounts', 'list'], own);
  expect(accounts.stdout.trimEnd().split('\n')).toHaveLength(1);
});
