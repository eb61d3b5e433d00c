/**
 * `npm run bench [name …] [-- --quick]`: runs bench/<name>.ts, or all benches in turn; prints the results and writes them to
 * bench/results and bench/README.md. The quick form takes minutes and writes nothing.
 *
 * The other benches, bench/<name>.ts or bench/<name>/<name>.ts, print their own results: `npm run bench -- contents [folder]`.
 */
import { existsSync, readdirSync } from 'node:fs';
import { type Bench, type BenchOptions, formatResult, writeResult } from './support/report.ts';

type OtherBench = (args: string[], options: BenchOptions) => Promise<void>;

const benches = ['delivery', 'relay', 'latency', 'idle', 'search', 'limiter', 'start', 'transport', 'compat'];
const words = process.argv.slice(2).filter((word) => word !== '--quick');
const quick = process.argv.includes('--quick');
const say = (line: string) => void process.stderr.write(`${line}\n`);
const [first = '', ...rest] = words;
const other = findOther(first);

if (words.every((word) => benches.includes(word))) {
  for (const name of words.length === 0 ? benches : words) {
    say(`\n${name}`);
    const { default: bench } = (await import(`./${name}.ts`)) as { default: Bench };
    const result = await bench({ quick, say });
    process.stdout.write(`\n## ${name}\n\n${formatResult(result)}\n`);
    if (!quick) writeResult(name, result);
  }
} else if (other !== undefined && first !== 'run') {
  const { default: run } = (await import(other)) as { default: OtherBench };
  await run(rest, { quick, say });
} else {
  process.stderr.write(`Expected any of: ${[...benches, ...otherBenches()].join(', ')}.\n`);
  process.exitCode = 2;
}

/** The names of the benches beside those of the table. */
function otherBenches(): string[] {
  const names = new Set(readdirSync(new URL('.', import.meta.url)).map((name) => name.replace(/\.ts$/, '')));
  return [...names].filter((name) => !benches.includes(name) && name !== 'run' && findOther(name) !== undefined);
}

function findOther(name: string): string | undefined {
  return [`./${name}.ts`, `./${name}/${name}.ts`].find((file) => existsSync(new URL(file, import.meta.url)));
}
