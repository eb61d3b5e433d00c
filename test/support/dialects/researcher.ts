/** A model that researches well, in whatever protocol it is called. */
import { evidenceIn, type ModelCall, sentenceOf } from '../servers/model-server.ts';
import type { DialectCall, Saying } from './dialect.ts';

/** The stage of a call, by the first words of its task. */
export function stageOf({ system, user }: DialectCall): 'plan' | 'reflect' | 'write' | 'describe' | 'other' {
  const stages = [
    ['You plan research', 'plan'],
    ['You check whether', 'reflect'],
    ['You answer a question', 'write'],
    ['An image came with a question. Today', 'describe'],
  ] as const;
  return stages.find(([words]) => `${system}\n${user}`.includes(words))?.[1] ?? 'other';
}

/** Plans with the question, has enough evidence, and writes the first sentence of the best. */
export function research(call: DialectCall): Saying {
  const usage = { in: 100, out: 10 };
  switch (stageOf(call)) {
    case 'plan': {
      const question = /(?:^|\n)Question:\n([^\n]*)/.exec(call.user)?.[1] ?? '';
      const plan = { queries: [question], from: null, to: null, language: null, only: [], never: [] };
      return { text: JSON.stringify(plan), usage };
    }
    case 'reflect':
      return { text: '{"enough":true,"queries":[]}', usage };
    case 'write': {
      const [first] = evidenceIn({ prompt: call.user } as ModelCall);
      return { text: first === undefined ? 'STATUS: not_found' : `${sentenceOf(first.text)} [${first.n}]`, usage };
    }
    case 'describe':
      return { text: 'A lighthouse on a rock.', usage };
    default:
      return { text: 'ok', usage };
  }
}
