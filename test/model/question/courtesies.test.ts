import { describe, expect, it } from 'vitest';
import { cleanPrompt } from '../../../src/model/extractive/question/clean-prompt.ts';

describe('what people write around a question', () => {
  it.each([
    'Hi! Could you please tell me: when does the bus leave? Thanks a lot!',
    'Hello, I have a question about this document. When does the bus leave? Thank you very much in advance.',
    'hey there, when does the bus leave?',
    'Question: when does the bus leave?',
    'According to the document, when does the bus leave?',
    'Based on my notes when does the bus leave?',
    'I was wondering when does the bus leave?',
    'Good morning, sorry to bother you. When does the bus leave? Kind regards',
    'Please answer in one sentence. When does the bus leave?',
  ])('is left out of "%s"', (prompt) => {
    expect(cleanPrompt(prompt).toLowerCase()).toBe('when does the bus leave?');
  });

  it.each([
    ['Hallo, können Sie mir bitte sagen, wann der Bus fährt? Vielen Dank im Voraus!', 'wann der Bus fährt?'],
    ['Bonjour, pouvez-vous me dire quand le bus part ? Merci d’avance', 'quand le bus part ?'],
    ['Hola, ¿me puede decir cuándo sale el autobús? Gracias', 'cuándo sale el autobús?'],
    ['Please list the rules', 'list the rules'],
  ])('is left out of "%s"', (prompt, asked) => {
    expect(cleanPrompt(prompt)).toBe(asked);
  });

  it.each([
    'hello world program in C',
    'Question mark rules: where are they?',
    'Good morning America: who wrote it?',
    'What is the document about?',
    'I hope the tower still stands. When was it built?',
    'Hi',
    'Thanks',
    '.env: what is it for?',
    'What is new in 2.0.0?',
  ])('is kept where it is what is asked: "%s"', (prompt) => {
    expect(cleanPrompt(prompt)).toBe(prompt);
  });

  it('leaves names with a full stop whole where only the questions of a long prompt are kept', () => {
    const questions = 'When was 2.0.0 released? What is ../.env.local for?';
    expect(cleanPrompt(`${'Some notes about the project. '.repeat(400)}${questions}`)).toBe(questions);
  });
});
