import { describe, expect, it } from 'vitest';
import { hasAskedCell } from '../../../src/model/extractive/question/asked/asked-column.ts';

describe('a column that is named like what is asked for', () => {
  it.each([
    ['duration', 'Service | Price | Time', 'Puncture repair | 18 € | while you wait', true],
    ['duration', 'Service | Price', 'Puncture repair | 18 €', false],
    ['money', 'Course | Fee', 'Rowing | on request', true],
    ['money', 'Kurs | Preis', 'Rudern | auf Anfrage', true],
    ['person', 'Room | Contact', 'Attic | the caretaker', true],
    ['place', 'Cours | Salle', 'Yoga | au premier', true],
    ['day', 'Task | Due', 'Pump | as soon as possible', true],
    ['money', 'Course | Fee', 'Rowing | –', false],
    ['money', 'Course | Fee', 'Rowing | n/a', false],
    // What the row is about.
    ['money', 'Price list | Where', 'Rowing | boathouse', false],
    ['money', 'Course | Coffee', 'Rowing | yes', false],
    [undefined, 'Course | Fee', 'Rowing | 20 €', false],
  ] as const)('has %s in "%s", "%s": %s', (type, header, row, has) => {
    expect(hasAskedCell(type, header, row)).toBe(has);
  });
});
