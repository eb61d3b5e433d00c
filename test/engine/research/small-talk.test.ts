import { describe, expect, it } from 'vitest';
import { replyToSmallTalk } from '../../../src/engine/research/small-talk.ts';

describe('small talk', () => {
  it.each([
    'Hi',
    'hello!',
    'Good morning 👋',
    'Hey there, how are you?',
    'What’s up?',
    'Guten Tag!',
    'Ça va ?',
    '¡Hola! ¿Qué tal?',
  ])('greets back for %s', (prompt) => expect(replyToSmallTalk(prompt)).toMatch(/^Hello\. Ask a question/));

  it.each([
    'Thanks!',
    'thank you very much',
    'Vielen Dank',
    'Merci beaucoup !',
    'Ok, thanks',
    'Grazie mille',
    'muito obrigada',
  ])('accepts thanks: %s', (prompt) => expect(replyToSmallTalk(prompt)).toMatch(/^You are welcome/));

  it.each(['?', ' … ', '🙂🙂', 'aaaaaaa', 'hahaha', 'asdfgh', '\u200b'])('finds no question in %j', (prompt) => {
    expect(replyToSmallTalk(prompt)).toMatch(/^There is no question/);
  });

  it.each([
    'Hi, how do I set a timeout?',
    'Hello, is there a canteen?',
    'thanks, and when did it open?',
    'Who said hello?',
    'E24',
    'VPN',
    'zod',
    'DAG',
    'Nice',
    'hello world',
    '42',
    '1+1',
    'mama',
    'Is it ok?',
    'Is it cool in May?',
    'Dank je kat?',
    '東京',
    'C++',
    'undici timeout',
    'Thanksgiving',
    'Baden-Baden',
  ])('leaves %s to the search', (prompt) => expect(replyToSmallTalk(prompt)).toBeUndefined());

  it('looks at a long prompt in no time', () => {
    expect(replyToSmallTalk('hello '.repeat(20_000))).toBeUndefined();
  });
});
