/** The evidence in a prompt, as a model sees it. */
import { notedBefore } from '../../src/model/language/prompts.ts';
import type { ModelCall } from '../../test/support/servers/model-server.ts';

export interface ShownPiece {
  readonly n: number;
  readonly text: string;
  /** ISO 8601 date, or ''. */
  readonly published: string;
  /** What the prompt says of the kind of its site, or ''. */
  readonly kind: string;
  /** Whether it is shown as notes. */
  readonly isNoted: boolean;
}

const block = /<<<\S+ evidence \[(\d+)\]\n([\s\S]*?)\n\n([\s\S]*?)\n\S+>>>/g;

/** The pieces in their order. */
export function readEvidence({ prompt }: ModelCall): ShownPiece[] {
  return [...prompt.matchAll(block)].map(([, n, head = '', text = '']) => ({
    n: Number(n),
    text,
    published: /published (\d{4}-\d\d-\d\d)/.exec(head)?.[1] ?? '',
    kind: /^Site: [^,\n]*, (official|reference|news|forum|blog)/m.exec(head)?.[1] ?? '',
    isNoted: text.startsWith(notedBefore),
  }));
}

/** The rest of the prompt. */
export function withoutEvidence({ prompt }: ModelCall): string {
  return prompt.replace(/<<<\S+ evidence \[\d+\]\n[\s\S]*?\n\S+>>>/g, '');
}
