/** Which questions are about what was asked before. */
import { expect, it } from 'vitest';
import { isElliptical } from '../../../src/model/extractive/question/context.ts';

it.each([
  'and a half one?',
  'what about a cat?',
  'und für Kinder?',
  'et pour les enfants ?',
  'o para dos?',
  'e por mes?',
  'and if I come by train?',
  'y como socio?',
])('reads "%s" with the question before it', (question) => expect(isElliptical(question)).toBe(true));

it.each([
  'Où se trouve la piscine ?',
  'Et où est la gare ?',
  'And where is the pool?',
  'Één kaartje kost hoeveel?',
  'Oregano, is it in the soup?',
  'And how much for children?',
  'Quand ouvre le musée ?',
])('reads "%s" by itself', (question) => expect(isElliptical(question)).toBe(false));
