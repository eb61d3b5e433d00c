/**
 * Names a thread after its first answer, by the model, unless a person has named it. Best effort: without a model, or when that
 * fails, the first question stays its title.
 */
import type { Caller } from '../../access/identity.ts';
import { timeLimit } from '../../base/abort.ts';
import { titleOf } from '../../base/text/searched-text.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ThreadRecords } from '../../runs/records/thread-records.ts';
import type { Run } from '../../runs/run.ts';
import { type CountingParts, createTokenAllowance } from '../searches/count-search.ts';

/** As much of a question as a title needs. Set by hand. */
const maxQuestion = 2_000;
/** A longer reply is not a title. Set by hand. */
const maxTitle = 120;

const instructions =
  'Write a title of two to six words for a conversation that begins with the question between the lines of dashes. ' +
  'Write it in the language of the question, without quotation marks. Reply with the title alone.';

/** Called with the first search of a thread; resolves when the thread has its name. */
export function createThreadNames(
  parts: CountingParts & {
    readonly engine: Pick<Engine, 'reply'>;
    readonly threads: Pick<ThreadRecords, 'change'>;
    readonly onFault: (error: unknown) => void;
  },
): (caller: Caller, run: Pick<Run, 'done' | 'search_id'>, prompt: string) => Promise<void> {
  const { engine, threads, onFault } = parts;

  async function name(caller: Caller, run: Pick<Run, 'done' | 'search_id'>, prompt: string): Promise<void> {
    const terminal = await run.done;
    if (terminal.type !== 'search.completed') return;
    const tokens = createTokenAllowance(parts, caller);
    if (!(await tokens.hasAny())) return;
    const question = `----\n${prompt.slice(0, maxQuestion).toWellFormed()}\n----`;
    const reply = await engine.reply(`${instructions}\n${question}`, caller.account_id, timeLimit(30_000));
    if (reply === undefined) return;
    tokens.spend(reply.tokens);
    const title = cleanTitle(reply.text);
    if (title !== '') await threads.change(caller.account_id, run.search_id, { title, unlessNamed: true });
  }

  return (caller, run, prompt) => name(caller, run, prompt).catch(onFault);
}

/** The first line without what models put around a title; empty if it is not a title. */
function cleanTitle(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const title = line.replace(/^(?:#+|title:)\s*/i, '').replace(/^["'“”„«*_`\s]+|["'“”«»*_`.\s]+$/gu, '');
  return title.length > maxTitle || !/\p{L}/u.test(title) ? '' : titleOf(title);
}
