/**
 * Questions about articles, with the articles: `questions.jsonl.gz` has a line of JSON each for pages (id, title, text),
 * questions (question, answers, pages) and questions that no page answers. Pages whose ids differ only in the last part,
 * `sq-049-012`, belong to one article.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface ArticlePage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface ArticleLine extends ArticlePage {
  readonly kind: 'page' | 'question' | 'unanswerable';
  readonly question: string;
  readonly answers: readonly string[];
  readonly pages: readonly string[];
}

/** All lines of the `questions.jsonl.gz` in `folder`. */
export function readArticleLines(folder: string): ArticleLine[] {
  const text = gunzipSync(readFileSync(join(folder, 'questions.jsonl.gz'))).toString('utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ArticleLine);
}

/** Whether a text contains any of the answers, compared as `bareText`. */
export function containsAnswer(text: string, answers: readonly string[]): boolean {
  const bare = bareText(text);
  return answers.some((answer) => bare.includes(bareText(answer)));
}

/** Lower case, letters and digits only, one space between words and around them. */
function bareText(text: string): string {
  return ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** The id of the article that a page is part of: `sq-049` of `sq-049-012`. */
export function articleOf(id: string): string {
  return id.replace(/-[^-]*$/, '');
}
