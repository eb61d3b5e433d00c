/**
 * Reads a Dockerfile into its stages, for the test that compares it with the checkout and for the replay without a container
 * runtime. Knows what our file uses: no heredocs, no ONBUILD, variables only in FROM.
 */

export interface Instruction {
  /** In capitals, such as `COPY`. */
  readonly name: string;
  /** `--from=pack` as `{ from: 'pack' }`. */
  readonly flags: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** All after the flags. */
  readonly text: string;
}

export interface Stage {
  /** The image, with variables replaced. */
  readonly image: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** The stages in their order. Throws when an instruction comes before the first stage, except ARG. */
export function readDockerfile(text: string): Stage[] {
  const defaults: Record<string, string> = {};
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const line of linesOf(text)) {
    const instruction = readInstruction(line);
    const { name, words } = instruction;
    if (name === 'FROM') {
      const image = words[0]!.replace(/\$\{(\w+)\}/g, (_, variable) => defaults[variable] ?? '');
      stages.push({ image, name: words[2], instructions: [] });
    } else if (stages.length > 0) stages.at(-1)!.instructions.push(instruction);
    else if (name === 'ARG') Object.assign(defaults, readPairs(instruction.text));
    else throw new Error(`expected FROM before ${name}`);
  }
  return stages;
}

/** `A=1 B="x y"` as an object. */
export function readPairs(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w.]+)=("(?:[^"\\]|\\.)*"|\S*)/g)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name!, value!.replace(/^"(.*)"$/, '$1')]));
}

function linesOf(text: string): string[] {
  const uncommented = text.split('\n').filter((line) => !/^\s*#/.test(line));
  return uncommented
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function readInstruction(line: string): Instruction {
  const [name = '', ...words] = line.trim().split(/\s+/);
  const flagged = words.filter((_word, at) => words.slice(0, at + 1).every((each) => each.startsWith('--')));
  const flags = flagged.map((flag) => flag.slice(2).split('=') as [string, string]);
  const text = line
    .trim()
    .slice(name.length)
    .replace(/^(?:\s+--\S+)*\s+/, '');
  return { name: name.toUpperCase(), flags: Object.fromEntries(flags), words: words.slice(flagged.length), text };
}

/** Whether the context has this file, by the lines of .dockerignore: the last that matches decides. Knows no wildcard but `*`. */
export function isInContext(path: string, ignore: string): boolean {
  let included = true;
  for (const line of ignore.split('\n')) {
    const pattern = line.trim().replace(/^!/, '');
    if (pattern === '' || pattern.startsWith('#')) continue;
    if (pattern === '*' || path === pattern || path.startsWith(`${pattern}/`)) included = line.startsWith('!');
  }
  return included;
}
