import { describe, expect, it } from 'vitest';
import { type CompletedEvent, noUsage, type TerminalEvent } from '../../protocol/index.ts';
import { readTerminal, storeTerminal } from '../../src/store/stored-terminal.ts';

type Completed = CompletedEvent;

const sources = [
  { id: 'src_1', n: 1, url: 'https://a.example/', title: 'A', domain: 'a.example', snapshot: 'sha256:1' },
] as Completed['sources'];
const shared = { sources, citations: [], usage: noUsage, timings: { total_ms: 5 } as Completed['timings'] };

function completed(result: unknown): TerminalEvent {
  return { type: 'search.completed', status: 'answered', result: result as Completed['result'], ...shared };
}

describe('a terminal event in its row', () => {
  it('keeps once what the event repeats of its result, and reads back the same', () => {
    const terminal = completed({ search_id: 's', status: 'answered', answer: 'A.', ...shared });
    const stored = storeTerminal(terminal);
    expect(stored.split('https://a.example/')).toHaveLength(2);
    expect(readTerminal(stored)).toEqual(terminal);
  });

  it('keeps fields of a template that have the names of its own', () => {
    const terminal = completed({ sources: ['a book'], usage: 'daily', evidence: null });
    expect(readTerminal(storeTerminal(terminal))).toEqual(terminal);
  });

  it('reads events of earlier versions, which have both', () => {
    const terminal = completed({ search_id: 's', status: 'answered', answer: 'A.', ...shared });
    expect(readTerminal(JSON.stringify(terminal))).toEqual(terminal);
  });

  it('keeps events of searches that did not complete as they are', () => {
    const terminal: TerminalEvent = { type: 'search.cancelled', by: 'client', usage: noUsage };
    expect(readTerminal(storeTerminal(terminal))).toEqual(terminal);
  });
});
