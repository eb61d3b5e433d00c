/**
 * What chat applications ask of the model beside the conversation: a title, tags, follow-up questions, queries. Such a prompt
 * holds the conversation as data, so a search for it would cost pages and find nothing. It is known by the words that the
 * applications put around it: Open WebUI begins with `### Task:` and has `<chat_history>`; LibreChat asks for a title.
 */
import type { ChatCompletionRequest } from '../../../protocol/index.ts';
import { textOf } from './conversation.ts';

/** The wording of LibreChat, with and without the detection of the language. */
const titleOpenings = [
  'Provide a concise, 5-word-or-less title',
  'Analyze this conversation and provide',
  'Please generate a concise title',
];
/** Characters of a title that is made without a model; set by hand. */
const maxTitle = 60;
/** Characters of the prompt in which its task is stated. */
const taskLength = 600;

/** The side prompt that a request consists of; undefined if it is a question. */
export function sidePromptOf({ messages }: ChatCompletionRequest): string | undefined {
  const last = messages.findLast(({ role }) => role === 'user');
  const text = textOf(last).trimStart();
  const isTask = text.startsWith('### Task:') && text.includes('<chat_history>');
  return isTask || titleOpenings.some((opening) => text.startsWith(opening)) ? text : undefined;
}

/** The answer to a side prompt where there is no model: a title from the first question, and empty lists. */
export function replyFromText(prompt: string): string {
  const task = prompt.slice(0, taskLength);
  if (/quer(?:y|ies)/i.test(task)) return '{"queries":[]}';
  if (/follow-?\s?ups?/i.test(task)) return '{"follow_ups":[]}';
  if (/\btags?\b/i.test(task)) return '{"tags":["General"]}';
  if (!/title/i.test(task)) return '';
  const title = titleOf(prompt);
  return prompt.startsWith('### Task:') && /"title"\s*:/.test(prompt) ? JSON.stringify({ title }) : title;
}

/** The first thing that the user said, whole words of it. */
function titleOf(prompt: string): string {
  // White space within a line only: across lines, a megabyte of empty ones would be read from each of them again.
  const start = Math.max(prompt.indexOf('<chat_history>'), prompt.search(/^[ \t]*conversation:/im), 0);
  const said = /^[ \t]*(?:user|human)[ \t]*:[ \t]*([^\n]*)/im.exec(prompt.slice(start))?.[1] ?? '';
  const line = said.replace(/\s+/g, ' ').trim();
  if (line === '') return 'New conversation';
  return line.length <= maxTitle ? line : `${line.slice(0, maxTitle).replace(/\s+\S*$/, '')}…`;
}
