/** The questions of a conversation, each with the one that it follows up on. */
import type { SearchInput, Thread } from '../../../client/client.ts';
import type { Turn } from './turn.ts';

export interface Question {
  readonly parent: Question | undefined;
  /** Undefined for one that was not stored. */
  readonly search_id: string | undefined;
  readonly request: SearchInput | undefined;
  /** That of a question that was asked on this page. */
  readonly idempotencyKey?: string;
  readonly hasImage: boolean;
  /** Whether it was asked again without the image of its earlier version, which is not kept. */
  readonly lacksImage?: boolean;
  /** Undefined until it is shown. */
  turn: Turn | undefined;
}

/** Undefined for one that has not become a search. */
export function idOf({ turn, search_id }: Question): string | undefined {
  return turn?.search.value.search_id ?? search_id;
}

/** Where a thread began as a follow-up to a search without one, that search is the first question. */
export function questionsOf({ turns }: Thread): Question[] {
  const found = new Map<string, Question>();
  const node = (search_id: string, parent: Question | undefined, request?: SearchInput, hasImage = false) => {
    const question: Question = { parent, search_id, request, hasImage, turn: undefined };
    found.set(search_id, question);
    return question;
  };
  for (const { search_id, previous_search_id: previous, request, has_image } of turns) {
    const parent = previous === undefined ? undefined : (found.get(previous) ?? node(previous, undefined));
    node(search_id, parent, request as SearchInput, has_image);
  }
  return [...found.values()];
}
