/** The colours of code, by sugar-high: loaded on demand, since most pages show none. */
import { type ParseOptions, parse, type TokenType } from 'sugar-high/core';
import * as css from 'sugar-high/lang/css';
import * as diff from 'sugar-high/lang/diff';
import * as go from 'sugar-high/lang/go';
import * as java from 'sugar-high/lang/java';
import * as json from 'sugar-high/lang/json';
import * as python from 'sugar-high/lang/python';
import * as rust from 'sugar-high/lang/rust';
import * as shell from 'sugar-high/lang/shell';
import * as sql from 'sugar-high/lang/sql';
import * as typescript from 'sugar-high/lang/typescript';
import * as yaml from 'sugar-high/lang/yaml';

/** A stretch of code; `kind` undefined for plain text. */
export interface ColouredText {
  readonly kind: string | undefined;
  /** UTF-16 units. */
  readonly length: number;
}

const languages: { readonly [Name: string]: { readonly name: string; readonly options: ParseOptions } } = {
  css: { name: 'CSS', options: css },
  diff: { name: 'Diff', options: diff },
  go: { name: 'Go', options: go },
  java: { name: 'Java', options: java },
  javascript: { name: 'JavaScript', options: typescript },
  json: { name: 'JSON', options: json },
  python: { name: 'Python', options: python },
  rust: { name: 'Rust', options: rust },
  shell: { name: 'Shell', options: shell },
  sql: { name: 'SQL', options: sql },
  typescript: { name: 'TypeScript', options: typescript },
  yaml: { name: 'YAML', options: yaml },
};

const aliases: { readonly [alias: string]: string } = {
  bash: 'shell',
  cjs: 'javascript',
  console: 'shell',
  golang: 'go',
  js: 'javascript',
  json5: 'json',
  jsonc: 'json',
  jsx: 'javascript',
  mjs: 'javascript',
  patch: 'diff',
  py: 'python',
  rs: 'rust',
  scss: 'css',
  sh: 'shell',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
  zsh: 'shell',
};

const kinds: { readonly [Type in TokenType]?: string } = {
  keyword: 'keyword',
  string: 'string',
  class: 'type',
  property: 'name',
  entity: 'type',
  comment: 'comment',
};

/** The proper name of a language; undefined for one without colours. */
export function languageName(language: string): string | undefined {
  return languageOf(language)?.name;
}

/** In the order of the text, all of it; empty for a language without colours. */
export function coloursOf(text: string, language: string): ColouredText[] {
  const options = languageOf(language)?.options;
  if (options === undefined) return [];
  const { lines } = parse(text, options);
  const found = lines.flatMap(({ tokens }, index): ColouredText[] => [
    ...(index === 0 ? [] : [{ kind: undefined, length: 1 }]),
    ...tokens.flatMap(({ type, value }) => (value === '' ? [] : [{ kind: kinds[type], length: value.length }])),
  ]);
  // A parser that lost or added text would colour the wrong words.
  return lines.map(({ tokens }) => tokens.map(({ value }) => value).join('')).join('\n') === text ? found : [];
}

function languageOf(language: string) {
  const name = /^[\w+#-]*/.exec(language.trim().toLowerCase())![0];
  const known = Object.hasOwn(aliases, name) ? aliases[name]! : name;
  return Object.hasOwn(languages, known) ? languages[known] : undefined;
}
