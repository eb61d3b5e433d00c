import { describe, expect, it } from 'vitest';
import { namesAsked } from '../../../../src/base/text/names/asked-names.ts';

describe('what a question asks the meaning of', () => {
  it.each([
    ['What is a detached HEAD?', ['detached HEAD']],
    ['What does git gc do?', ['git gc']],
    ['What is the difference between json and jsonb?', ['json', 'jsonb']],
    ['how does a shed differ from a vault?', ['a shed', 'a vault']],
    ['How do I install it?', []],
    ['Was ist Citewire?', ['Citewire']],
    ['Was ist eine Kaution?', ['Kaution']],
    ['Qu’est-ce que la TVA ?', ['TVA']],
    ["C'est quoi l'index ?", ['index']],
    ['¿Qué es Citewire?', ['Citewire']],
    ["Che cos'è Citewire?", ['Citewire']],
    ['Wat is een index?', ['index']],
    ['O que é o Citewire?', ['Citewire']],
    ['Citewire 是什么？', ['Citewire']],
    ['什么是 Citewire？', ['Citewire']],
    ['Citewireとは何ですか？', ['Citewire']],
    ['Wie ist das Wetter?', []],
  ])('%s', (question, names) => expect(namesAsked(question)).toEqual(names));
});
