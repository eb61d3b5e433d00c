/** The entries of a reference whose names are marks, options with values, statements or variables. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/engine/ports/snapshot.ts';
import { createAsker, pageAt } from '../../support/models/ask-extractive.ts';

const { ask, close } = createAsker();
afterAll(close);

function page(n: number, title: string, text: string): Evidence {
  return pageAt(`https://manual.example/${n}.html`, n, title, text);
}

const entry = ([name, text]: readonly [string, string]) => `${name}\n\n${text}`;

const shell = [
  page(
    1,
    'Special Parameters (Crate Manual)',
    (
      [
        ['`$@`', 'Holds all crates, each as a word of its own.'],
        ['`$?`', 'Holds what the last lorry said when it left.'],
        ['`$$`', 'Holds the number of the depot.'],
        ['`-`', '($-) Expands to the flags that are set.'],
      ] as const
    )
      .map(entry)
      .join('\n\n'),
  ),
  page(
    2,
    'History (Crate Manual)',
    (
      [
        ['`!!`', 'Names the delivery before this one.'],
        ['`!n`', 'Names delivery n.'],
        ['`[[ expression ]]`', 'Returns whether the crates are as the expression says.'],
        ['`((…))`', 'Counts the crates.'],
        ['`--stack[=HEIGHT]`', 'Stacks crates up to HEIGHT. The default is four.'],
        ['`CRATE_HOME`', 'Where crates are kept when nobody needs them.'],
      ] as const
    )
      .map(entry)
      .join('\n\n'),
  ),
  page(
    3,
    'Operators (Crate Manual)',
    '| Operator | Meaning |\n|---|---|\n| `\\|\\|` | True if one of two crates is there. |\n| `%` | What is left of a crate. |\n\n- `->`: Takes the lid off a crate.',
  ),
  page(
    4,
    'Variable Index (Crate Manual)',
    `|  | Entry |  | Section |\n|---|---|---|---|\n${['CRATE_HOME', '$?', '!!', '[[', '--stack']
      .map((name) => `|  | \`${name}\`: |  | Crates and Parameters |`)
      .join('\n')}`,
  ),
];

describe('the entry of a name that is no word', () => {
  it.each([
    ['What does $? do in Crate?', '`$?`: Holds what the last lorry said when it left. [1]'],
    ['What is $@?', '`$@`: Holds all crates, each as a word of its own. [1]'],
    ['What does $$ stand for?', '`$$`: Holds the number of the depot. [1]'],
    ['What does $- mean?', '($-) Expands to the flags that are set. [1]'],
    ['What does !! do?', '`!!`: Names the delivery before this one. [2]'],
    ['What does !n do?', '`!n`: Names delivery n. [2]'],
    ['What does [[ do?', '`[[ expression ]]`: Returns whether the crates are as the expression says. [2]'],
    ['What is [[ … ]] for?', '`[[ expression ]]`: Returns whether the crates are as the expression says. [2]'],
    ['What does (( )) do?', '`((…))`: Counts the crates. [2]'],
    ['What does --stack=HEIGHT do?', '`--stack[=HEIGHT]`: Stacks crates up to HEIGHT. The default is four. [2]'],
    ['What is the default of --stack?', '`--stack[=HEIGHT]`: Stacks crates up to HEIGHT. The default is four. [2]'],
    ['What is CRATE_HOME?', '`CRATE_HOME`: Where crates are kept when nobody needs them. [2]'],
    ['What does || do?', '`||`: True if one of two crates is there. [3]'],
    ['What does % mean in Crate?', '`%`: What is left of a crate. [3]'],
    ['What does -> do?', '`->`: Takes the lid off a crate. [3]'],
  ])('answers "%s"', async (question, answer) => {
    expect(await ask(question, shell)).toBe(answer);
  });

  it('is not asked for in vain: what does not say the name is no answer', async () => {
    for (const question of ['What does <<< do in Crate?', 'What is &> for?'])
      expect(await ask(question, shell)).toBe('');
  });

  it('is not that of another name which begins or ends alike', async () => {
    for (const question of ['What does !!! do?', 'What does $?! do?', 'What does [ do?'])
      expect(await ask(question, shell)).not.toMatch(/lorry|before this|expression/);
  });
});

describe('the entry of a statement', () => {
  const statement = (name: string, text: string) =>
    `## TUNE ${name}\n\n\`TUNE ${name};\`\n\`TUNE depot.${name} = amount;\`\n\n${text}`;
  const pages = [
    page(
      3,
      'Pages of the manual',
      Array.from({ length: 12 }, (_, n) => `- tune.html#${n} → {TUNE crate_kind} {TUNE lorry_wait}`).join('\n'),
    ),
    page(
      4,
      'More statements',
      'TUNE lamp_colour;\nTUNE lamp_colour = RED | GREEN;\n\nSets the colour of the lamp at the ramp.\n\nTUNE gate;\n\nOpens the gate.',
    ),
    page(1, 'Statements', `- TUNE lorry_wait\n- TUNE crate_kind\n- TUNE checks`),
    page(
      2,
      'The TUNE statement',
      [
        '# The TUNE statement\n\nTUNE changes how a depot works.',
        statement('lorry_wait', 'How long a lorry waits for a free ramp.'),
        statement('crate_kind', 'Sets what kind of crate the depot takes.'),
        '## TUNE checks\n\nLooks for crates without a label.',
      ].join('\n\n'),
    ),
  ];

  it.each([
    ['What does TUNE crate_kind do?', 'Sets what kind of crate the depot takes.'],
    ['What is TUNE lorry_wait?', 'How long a lorry waits for a free ramp.'],
    ['What does TUNE checks do?', 'Looks for crates without a label.'],
    ['What is TUNE lamp_colour?', 'TUNE lamp_colour = RED | GREEN: Sets the colour of the lamp at the ramp.'],
    ['What does TUNE gate do?', 'TUNE gate: Opens the gate.'],
  ])('answers "%s"', async (question, answer) => {
    const text = await ask(question, pages);
    expect(text).toContain(answer);
    expect(text).toMatch(/\[[24]\]$/);
  });
});
