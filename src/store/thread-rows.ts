/** Threads and their turns as rows of the tables `threads` and `thread_turns`, and back. */
import type { Insertable, Kysely, Selectable } from 'kysely';
import { oneLine } from '../base/text/searched-text.ts';
import type { StoredThread, StoredTurn } from '../runs/records/thread-records.ts';
import type { Tables } from './tables/tables.ts';

/** Max. characters of the questions of a thread, which are searched one after another. Set by hand. */
export const maxWords = 20_000;

/** The turns of a thread, oldest first. */
export async function turnsOf(db: Kysely<Tables>, thread_id: string): Promise<StoredTurn[]> {
  const rows = await db
    .selectFrom('thread_turns')
    .selectAll()
    .where('thread_id', '=', thread_id)
    .orderBy('created_at')
    .orderBy('search_id')
    .execute();
  return rows.map(toTurn);
}

/** The text of these questions that is searched. */
export function searchedQuestions(turns: readonly StoredTurn[]): string {
  const questions = turns.map(({ request }) => oneLine(request.prompt).toLowerCase());
  return questions.join('\n').slice(0, maxWords);
}

/**
 * A title, and the form in which it is searched: SQLite, and Postgres with a bytewise collation, lower only ASCII letters.
 */
export function titled(title: string): Pick<Tables['threads'], 'title' | 'title_words'> {
  return { title, title_words: title.toLowerCase() };
}

/** A turn as a row of `thread_turns`. */
export function toRow(
  account_id: string,
  thread_id: string,
  { search_id, previous_search_id, created_at, request, has_image }: StoredTurn,
): Insertable<Tables['thread_turns']> {
  const about = { search_id, thread_id, account_id, previous_search_id: previous_search_id ?? null, created_at };
  return { ...about, has_image: has_image ? 1 : 0, request: JSON.stringify(request) };
}

function toTurn(row: Selectable<Tables['thread_turns']>): StoredTurn {
  const { search_id, previous_search_id, created_at, has_image, request } = row;
  return {
    search_id,
    ...(previous_search_id === null ? {} : { previous_search_id }),
    created_at,
    has_image: has_image === 1,
    request: JSON.parse(request) as StoredTurn['request'],
  };
}

type ThreadRow = Omit<Selectable<Tables['threads']>, 'account_id' | 'words' | 'title_words'> & {
  readonly shared_at: string | null;
  readonly share_ends_at: string | null;
};

/** A row of `threads`, with its share, as the thread without its turns. */
export function toThread({ is_named, is_pinned, shared_at, share_ends_at, ...row }: ThreadRow): StoredThread {
  return {
    ...row,
    is_named: is_named === 1,
    pinned: is_pinned === 1,
    ...(shared_at === null || share_ends_at === null
      ? {}
      : { share: { created_at: shared_at, expires_at: share_ends_at } }),
  };
}
