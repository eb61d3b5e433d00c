/** Items of two or three words, which say all that a note has to say of a thing. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import { smallDocument } from './small-documents.ts';

const washer = '# Washing machine\n\n- E10: water inlet blocked.\n- E20: pump blocked.';
const bins = '# Notes\n\n- Black: general household waste only.\n- Blue: paper.';
const places = '# Notes\n\n- Boiler: in the cellar room.\n- Router: shoe cupboard.\n- Spare key – garden shed';

describe('a short item', () => {
  it.each([
    ['What does E20 mean?', washer, 'E20: pump blocked.'],
    ['What goes into the blue bin?', bins, 'Blue: paper.'],
    ['Where is the router?', places, 'Router: shoe cupboard.'],
    ['Where is the spare key?', places, 'Spare key – garden shed.'],
  ])('is quoted, and not the one beside it: %s', (question, text, expected) => {
    const said = answer(question, [smallDocument('notes.md', text)]).pieces.join('');
    expect(said.replace(/ \[\d+\]/g, '').trim()).toBe(expected);
  });

  it.each([
    ['What does E30 mean?', washer],
    ['Where is the passport?', places],
  ])('of another thing is not: %s', (question, text) => {
    expect(answer(question, [smallDocument('notes.md', text)]).pieces).toEqual([]);
  });
});
