/**
 * A conversation as a search: the last user turn is the prompt, the user turns before it are what it follows up on, and the
 * assistant's last answer among them is what it may refer to. System turns, and the application's own instructions, say how
 * to answer.
 */
import type { ContentPart, Turn } from '../../../protocol/index.ts';
import { preview } from '../../../protocol/preview.ts';
import { invalid } from '../../base/errors.ts';
import type { PreviousSearch } from '../../service/searches/previous-search.ts';
import { withoutSources } from '../answer-text.ts';

export interface Conversation {
  readonly prompt: string;
  readonly previous: PreviousSearch;
  /** A data URL or an http(s) URL, of the last user turn. */
  readonly image: string | undefined;
  /** What the application says about answers, empty if nothing. */
  readonly instructions: string;
}

/** Throws a 400 at `field` when there is no text of a user, or when the last turn has parts that a search cannot take. */
export function readConversation(turns: readonly Turn[], field: string): Conversation {
  const last = turns.findLastIndex(({ role }) => role === 'user');
  const prompt = last === -1 ? '' : textOf(turns[last]!);
  if (prompt.trim() === '')
    throw invalid(['body', field], `expected a user turn with text; got ${nameTurns(turns)}`, 'value_error');
  checkParts(turns[last]!, field);
  const before = turns.slice(0, last);
  const answers = before.filter(({ role }) => role === 'assistant').map((turn) => withoutSources(textOf(turn)));
  const answer = answers.at(-1) ?? '';
  const earlier = answers.slice(0, -1).filter((text) => text !== '');
  const prompts = before.filter(({ role }) => role === 'user').map(textOf);
  const system = turns.filter(({ role }) => role === 'system' || role === 'developer').map(textOf);
  return {
    prompt,
    previous: {
      prompts: prompts.filter((text) => text !== ''),
      ...(answer === '' ? {} : { answer }),
      ...(earlier.length === 0 ? {} : { earlier }),
    },
    image: imageOf(turns[last]!),
    instructions: system.join('\n\n').trim(),
  };
}

/** For an error: the roles of turns none of which asks anything. */
function nameTurns(turns: readonly Turn[]): string {
  const roles = [...new Set(turns.map(({ role }) => role))];
  if (roles.length === 0) return 'no turn';
  return roles.includes('user')
    ? 'a last user turn without any'
    : `only turns of ${roles.map((role) => JSON.stringify(role)).join(', ')}`;
}

/** The text parts of a turn, joined. */
export function textOf(turn: Turn | undefined): string {
  const content = turn?.content ?? '';
  if (typeof content === 'string') return content;
  return content
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n')
    .trim();
}

/** What is asked about must be read: an answer to the text alone would be one to another question. */
function checkParts({ content }: Turn, field: string): void {
  if (!Array.isArray(content)) return;
  const isRead = (part: ContentPart) => typeof part.text === 'string' || urlOf(part) !== undefined;
  const other = content.find((part) => !isRead(part));
  const images = content.filter((part) => urlOf(part) !== undefined).length;
  if (other === undefined && images <= 1) return;
  const got = other === undefined ? `${images} images` : `a part of the type ${preview(other.type)}`;
  const msg = `expected text and at most one image, by its URL, in the last user turn; got ${got}`;
  throw invalid(['body', field], msg, 'value_error');
}

function imageOf({ content }: Turn): string | undefined {
  if (!Array.isArray(content)) return undefined;
  return content.map(urlOf).find((each) => each !== undefined);
}

function urlOf({ image_url }: ContentPart): string | undefined {
  return typeof image_url === 'string' ? image_url : image_url?.url;
}
