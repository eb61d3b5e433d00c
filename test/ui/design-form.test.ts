import { describe, expect, it } from 'vitest';
import { changeOf, emptyDesign, issueOf, stubFrom, without, withPrompt } from '../../src/ui/designer/design-form.ts';
import { isRequired, presetsOf, readValues } from '../../src/ui/designer/input-values.ts';

describe('a design that is edited', () => {
  it('takes its inputs from its prompt, and keeps what is known of those that stay', () => {
    const first = withPrompt(emptyDesign, 'What did {{company}} earn in {{ year }}?');
    expect(first.inputs).toEqual({ company: { type: 'string' }, year: { type: 'string' } });
    const typed = { ...first, inputs: { ...first.inputs, year: { type: 'number' as const, min: 1900 } } };
    const second = withPrompt(typed, 'What did {{firm}} earn in {{year}}?');
    expect(second.inputs).toEqual({ firm: { type: 'string' }, year: { type: 'number', min: 1900 } });
    expect(withPrompt(second, 'In {{year}}', {}).inputs).toEqual({ year: { type: 'number', min: 1900 } });
  });

  it('leaves the inputs alone while braces are open, and gives back one that was there before', () => {
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

  it('says what was taken away', () => {
    const { description, ...rest } = changeOf({ ...emptyDesign, description: 'It answers.' });
    expect(description).toBe('It answers.');
    expect(rest).toMatchObject({ output_format: null, source_whitelist: null, name: '' });
    expect(changeOf(without({ ...emptyDesign, description: 'x' }, 'description'))).toMatchObject({ description: null });
  });

  it('finds what the server said of a field, and of what is in it', () => {
    const issues = [
      { loc: ['body', 'inputs', 'year', 'min'], msg: 'expected a number', type: 'float_type' },
      { loc: ['body', 'name'], msg: 'expected a name; got an empty string', type: 'string_too_short' },
    ];
    expect(issueOf(issues, 'name')).toBe('Expected a name; got an empty string.');
    expect(issueOf(issues, 'inputs', 'year')).toBe('min: expected a number.');
    expect(issueOf(issues, 'prompt')).toBeUndefined();
  });
});

describe('values of a form', () => {
  const inputs = {
    company: { type: 'string', min: 2, max: 10 },
    year: { type: 'number', max: 2030 },
    whole: { type: 'boolean', required: false },
    unit: { type: 'string', default: 'EUR' },
  } as const;

  it('are sent in their types, and left out where they are not given', () => {
    const raw = { company: 'Heron', year: ' 1887 ', whole: 'false', unit: '' };
    expect(readValues(inputs, raw)).toEqual({ values: { company: 'Heron', year: 1887, whole: false }, faults: {} });
    expect(presetsOf(inputs)).toEqual({ unit: 'EUR' });
    expect(Object.values(inputs).map(isRequired)).toEqual([true, true, false, false]);
  });

  it('say what was expected of each that does not fit', () => {
    expect(readValues(inputs, { company: 'H', year: 'soon' }).faults).toEqual({
      company: 'Expected at least 2 characters.',
      year: 'Expected a number.',
    });
    expect(readValues(inputs, { year: '2031' }).faults).toEqual({
      company: 'Expected a value.',
      year: 'Expected at most 2030.',
    });
  });
});
