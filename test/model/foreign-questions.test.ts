import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/model/extractive/question/analyse.ts';
import { readWords } from '../../src/model/extractive/text/words.ts';

describe('a question in another language', () => {
  it.each([
    ['Wie viel kostet eine Wäsche?', 'amount', ['kostet', 'Wäsche']],
    ['Wann wird das Altpapier abgeholt?', 'date', ['altpapier', 'abgeholt']],
    ['Pourquoi ne peut-on pas emprunter les jeux ?', 'reason', ['emprunter', 'jeux']],
    ["Qui est le directeur de l'usine ?", 'person', ['directeur', 'usine']],
    ['¿Dónde puedo nadar con aletas?', 'place', ['nadar', 'aletas']],
    ['Quanto costa un biglietto per il museo?', 'amount', ['biglietto', 'museo']],
    ['Hoeveel boeken mag ik lenen?', 'count', ['boeken', 'lenen']],
    ['Onde fica a biblioteca da escola?', 'place', ['fica', 'biblioteca', 'escola']],
  ])('is read by the question words of its language: %s', (text, kind, terms) => {
    const question = analyse(text);
    expect(question.kind).toBe(kind);
    expect(question.terms.map(({ stem }) => stem)).toEqual(
      terms.map((word) => readWords(word, question.language)[0]!.stem),
    );
    expect(question.terms.some(({ name }) => name)).toBe(false);
  });

  it('is not taken for one because of a name or a title in it', () => {
    expect(analyse('Who was Leonardo da Vinci?').kind).toBe('person');
    expect(analyse('In what year did Les Misérables open in London?').kind).toBe('year');
    expect(analyse('Where does the Tour de France end?').kind).toBe('place');
  });
});
