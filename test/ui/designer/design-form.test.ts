/** The designer form: how a design and its input values change while they are edited. */
import { beforeAll, describe, expect, it } from 'vitest';
import { isRequired } from '../../../protocol/is-required.ts';
import {
  buildChange,
  emptyDesign,
  issueOf,
  stubFrom,
  withChanges,
  without,
  withPrompt,
} from '../../../src/ui/designer/design-form.ts';
import { presetsOf, readValues } from '../../../src/ui/designer/input-values.ts';
import { loadServerTexts } from '../../../src/ui/language/server-text.ts';

beforeAll(loadServerTexts);

describe('a design being edited', () => {
  it('derives its inputs from the prompt, and keeps the settings of those that stay', () => {
    const first = withPrompt(emptyDesign, 'What did {{company}} earn in {{ year }}?');
    expect(first.inputs).toEqual({ company: { type: 'string' }, year: { type: 'string' } });
    const typed = { ...first, inputs: { ...first.inputs, year: { type: 'number' as const, min: 1900 } } };
    const second = withPrompt(typed, 'What did {{firm}} earn in {{year}}?');
    expect(second.inputs).toEqual({ firm: { type: 'string' }, year: { type: 'number', min: 1900 } });
    expect(withPrompt(second, 'In {{year}}', {}).inputs).toEqual({ year: { type: 'number', min: 1900 } });
  });

  it('keeps its inputs while a placeholder is incomplete, and restores a removed one', () => {
    const design = withPrompt(emptyDesign, 'About {{topic}}');
    const known = { topic: { type: 'number' as const } };
    expect(withPrompt({ ...design, inputs: known }, 'About {{topic').inputs).toEqual(known);
    expect(withPrompt({ ...design, inputs: {} }, 'About {{topic}}', known).inputs).toEqual(known);
  });

  it.each([
    ['Who designed it?', 'who-designed-it'],
    ['  Über “Größe” & Co. ', 'uber-gro-e-co'],
    ['日本', ''],
    ['x'.repeat(80), 'x'.repeat(64)],
  ])('gets its path from its name: %s', (name, stub) => {
    expect(stubFrom(name)).toBe(stub);
  });

  it('sends what has changed, null for removed fields, and the prompt with its inputs', () => {
    const saved = { ...withPrompt(emptyDesign, 'About {{topic}}'), description: 'It answers.' };
    expect(buildChange(saved, { ...saved })).toEqual({});
    expect(buildChange(saved, { ...saved, name: 'Topics' })).toEqual({ name: 'Topics' });
    expect(buildChange(saved, without(saved, 'description'))).toEqual({ description: null });
    expect(buildChange(saved, { ...saved, effort: 'deep', max: { seconds: 5 } })).toEqual({
      effort: 'deep',
      max: { seconds: 5 },
    });
    // The server orders keys in its own way.
    const given = {
      ...saved,
      inputs: { topic: { type: 'string' as const, default: 'tea', description: 'A subject.' } },
    };
    const ordered = {
      ...saved,
      inputs: { topic: { type: 'string' as const, description: 'A subject.', default: 'tea' } },
    };
    expect(buildChange(given, ordered)).toEqual({});
    const format = { name: 'string', price: 'number' } as const;
    expect(
      buildChange(
        { ...saved, output_format: format },
        { ...saved, output_format: { price: 'number', name: 'string' } },
      ),
    ).toEqual({
      output_format: { price: 'number', name: 'string' },
    });
    const typed = { topic: { type: 'number' as const } };
    expect(buildChange(saved, { ...saved, inputs: typed })).toEqual({ prompt: 'About {{topic}}', inputs: typed });
  });

  it('takes over what has changed elsewhere, and keeps what was typed meanwhile', () => {
    const sent = { ...emptyDesign, name: 'Topics', description: 'It answers.' };
    const answered = { ...sent, effort: 'deep' as const, description: 'It answers.' };
    expect(withChanges(answered, sent, { ...sent, name: 'All topics' })).toEqual({ ...answered, name: 'All topics' });
    expect(withChanges(answered, sent, without(sent, 'description'))).toEqual(without(answered, 'description'));
  });

  it('finds the message of the server about a field and about anything inside it', () => {
    const issues = [
      { loc: ['body', 'inputs', 'year', 'min'], msg: 'expected a number', type: 'float_type' },
      { loc: ['body', 'name'], msg: 'expected a name; got an empty string', type: 'string_too_short' },
    ];
    expect(issueOf(issues, 'name')).toBe('Expected a name; got an empty string.');
    expect(issueOf(issues, 'inputs', 'year')).toBe('min: expected a number.');
    expect(issueOf(issues, 'prompt')).toBeUndefined();
  });
});

describe('form values', () => {
  const inputs = {
    company: { type: 'string', min: 2, max: 10 },
    year: { type: 'number', max: 2030 },
    whole: { type: 'boolean', required: false },
    unit: { type: 'string', default: 'EUR' },
  } as const;

  it('reads form values with their types, and leaves out empty ones', () => {
    const raw = { company: 'Heron', year: ' 1887 ', whole: 'false', unit: '' };
    expect(readValues(inputs, raw)).toEqual({ values: { company: 'Heron', year: 1887, whole: false }, errors: {} });
    expect(presetsOf(inputs)).toEqual({ unit: 'EUR' });
    expect(Object.values(inputs).map(isRequired)).toEqual([true, true, false, false]);
  });

  it('reports for each form value what was expected', () => {
    expect(readValues(inputs, { company: 'H', year: 'soon' }).errors).toEqual({
      company: 'Expected at least 2 characters.',
      year: 'Expected a number.',
    });
    expect(readValues(inputs, { year: '2031' }).errors).toEqual({
      company: 'Expected a value.',
      year: 'Expected at most 2030.',
    });
  });
});
