/**
 * What a message is: text with `{placeholders}`, `<tags>` around words that become an element, and one text per plural form where
 * it counts something. A placeholder that is not filled is a compile-time error.
 */
import type { ComponentChildren } from 'preact';
import { locale } from './choice.ts';

/** By category of Intl.PluralRules; `other` stands for those that a language does not tell apart. Each may hold `{count}`. */
export interface Plural {
  readonly one?: string;
  readonly other: string;
}

export interface MessageTree {
  readonly [key: string]: string | Plural | MessageTree;
}

/** The shape of another language's messages. */
export type Translated<Tree> = Tree extends string
  ? string
  : Tree extends Plural
    ? Plural
    : { readonly [Key in keyof Tree]: Translated<Tree[Key]> };

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<Name extends string> = { readonly [Each in Name]: string | number };
/** No argument where there is nothing to fill. */
type Filling<Name extends string> = [Name] extends [never] ? [] : [values: Values<Name>];

const numbers = new Intl.NumberFormat(locale);
const plurals = new Intl.PluralRules(locale);

/** Numbers are written as the language writes them. */
export function fill<Text extends string>(message: Text, values: Values<Names<Text>>): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = (values as Values<string>)[name];
    return value === undefined ? whole : typeof value === 'number' ? numbers.format(value) : value;
  });
}

/** The form for this number of things, filled. */
export function counted<Form extends Plural>(
  message: Form,
  count: number,
  ...[values]: Filling<Exclude<Names<Form['other']>, 'count'>>
): string {
  const form = plurals.select(count) === 'one' ? (message.one ?? message.other) : message.other;
  return fill(form, { ...values, count });
}

type Tags<Text extends string> = Text extends `${string}</${infer Tag}>${infer Rest}` ? Tag | Tags<Rest> : never;

/** Renders the words between `<tag>` and `</tag>` with the function of that name. Tags cannot be nested. */
export function rich<Text extends string>(
  message: Text,
  draw: { readonly [Tag in Tags<Text>]: (words: string) => ComponentChildren },
): ComponentChildren[] {
  const by = draw as Readonly<Record<string, (words: string) => ComponentChildren>>;
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const { 0: whole, 1: tag = '', 2: words = '', index } of message.matchAll(/<(\w+)>([^<]*)<\/\1>/g)) {
    parts.push(message.slice(from, index), by[tag]?.(words) ?? words);
    from = index + whole.length;
  }
  return [...parts, message.slice(from)];
}
