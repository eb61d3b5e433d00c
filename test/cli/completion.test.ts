/** What shells complete, in the shells themselves. Those that are not installed are skipped, except bash. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/commands/program.ts';
import { completionScript, shellNames } from '../../src/cli/completion/completion.ts';
import { runCli } from '../support/processes/run-cli.ts';

const program = createProgram(() => {});
const isMissing = (shell: string) => spawnSync(shell, ['-c', ':']).error !== undefined;
let folder: string;
const scriptOf = (shell: string) => join(folder, shell);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'citewire-completion-'));
  for (const shell of shellNames) writeFileSync(scriptOf(shell), completionScript(program, shell));
  writeFileSync(join(folder, 'a template.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the completion script', () => {
  it.each(shellNames)('is printed by the command, and is valid: %s', async (shell) => {
    const { code, stdout } = await runCli(['completion', shell], {});
    expect([code, stdout]).toEqual([0, completionScript(program, shell)]);
    if (!isMissing(shell)) execFileSync(shell, ['-n', scriptOf(shell)]);
  });

  it('refuses a shell that it does not know', async () => {
    const { code, stderr } = await runCli(['completion', 'tcsh'], {});
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')]);
  });
});

describe('bash', () => {
  it('completes every command with its subcommands and options', () => {
    const all = withSubcommands(program);
    expect(all.length).toBeGreaterThan(20);
    const lines = all.flatMap((command) => [
      [...pathOf(command), ''],
      [...pathOf(command), '-'],
    ]);
    const completed = inBash(lines);
    for (const [at, command] of all.entries()) {
      const [words = [], options = []] = completed.slice(2 * at, 2 * at + 2);
      const names = command.commands.map((each) => each.name());
      expect(words, pathOf(command).join(' ')).toEqual(expect.arrayContaining(names));
      const flags = command.options.map((option) => option.long);
      expect(options, pathOf(command).join(' ')).toEqual(expect.arrayContaining([...flags, '--help']));
    }
  });

  it('completes choices and files where one belongs, and only there', () => {
    const lines = [
      ['keys', 'create', '--plan', ''],
      ['accounts', 'set-plan', 'st'],
      ['ask', '--schema', `${folder}/a`],
      ['ask', '--server', ''],
      ['ask', '--only', 'keys', '--js'],
    ];
    const [plans, plan, files, nothing, options] = inBash(lines);
    expect(plans).toEqual(['starter', 'pro']);
    expect(plan).toEqual(['starter']);
    expect(files).toEqual([join(folder, 'a template.json')]);
    expect(nothing).toEqual([]);
    expect(options).toEqual(['--json']);
  });
});

describe('fish', () => {
  it.skipIf(isMissing('fish'))('completes commands, options and choices', () => {
    const complete = (line: string) => {
      const asked = `source ${scriptOf('fish')}; complete -C ${JSON.stringify(line)}`;
      const said = execFileSync('fish', ['--no-config', '-c', asked], { encoding: 'utf8' });
      return said.split('\n').map((each) => each.split('\t')[0]);
    };
    expect(complete('citewire keys ')).toEqual(expect.arrayContaining(['create', 'list', 'revoke']));
    expect(complete('citewire keys ')).not.toContain('serve');
    expect(complete('citewire keys create --pl')).toContain('--plan');
    expect(complete('citewire keys create --plan ')).toEqual(expect.arrayContaining(['starter', 'pro']));
  });
});

describe('zsh', () => {
  it.skipIf(isMissing('zsh'))('completes commands, options and choices at its prompt', () => {
    const typed = `
      zmodload zsh/zpty
      zpty -b shell zsh -f -i
      zpty -w shell "autoload -Uz compinit; compinit -u -d ${folder}/dump; source ${scriptOf('zsh')}"
      zpty -w shell 'citewire() { print -r -- "ran: $*" }; PROMPT=at''the''prompt'
      zpty -r shell out '*attheprompt*'
      zpty -w -n shell $'citewire keys cr\\t--pl\\tst\\t\\n'
      zpty -r shell out '*ran: *starter*'
      print -r -- $out`;
    const said = execFileSync('zsh', ['-f', '-c', typed], { encoding: 'utf8', timeout: 30_000 });
    expect(said).toContain('ran: keys create --plan starter');
  });
});

describe('citewire --version', () => {
  it('prints the version of the package, and leaves the option of that name to its command', async () => {
    const { stdout: version } = await runCli(['--version'], {});
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await runCli(['-V'], {})).stdout).toBe(version);
    const { stderr } = await runCli(['design', 'export', 'none', '--version', 'two'], {});
    expect(stderr).toContain('Expected a version number');
  });
});

/** What bash completes in each line, whose last word is the one being typed. */
function inBash(lines: readonly (readonly string[])[]): string[][] {
  const asked = lines.map((words) => {
    const quoted = ['citewire', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _citewire; printf '%s\\n' "\${COMPREPLY[@]}"; echo =`;
  });
  const said = execFileSync('bash', ['--norc', '-c', [`source ${scriptOf('bash')}`, ...asked].join('\n')], {
    encoding: 'utf8',
  });
  return said
    .split('=\n')
    .slice(0, -1)
    .map((each) => each.split('\n').filter((word) => word !== ''));
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}
