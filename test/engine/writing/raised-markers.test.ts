/** Raised markers in a line that a model never ends. */
import { expect, it } from 'vitest';
import { parseSuperscript } from '../../../src/engine/writing/markers/raised-markers.ts';
import { isPointerOnly } from '../../../src/engine/writing/pointer-sentence.ts';

const place = (line: string, at: number, isWhole = false) => ({
  line,
  at,
  before: 'So it is.',
  isWhole,
  afterMarker: true,
});

it('waits for the rest of a run of raised numbers, and no longer than one may be', () => {
  for (const line of ['¹', '¹²', '¹,', '¹, ²', '⁽¹', '¹⁻'])
    expect(parseSuperscript(place(line, 0) as never)).toBe('more');
  expect(parseSuperscript(place('¹,² and', 0) as never)).toEqual({ end: 3, numbers: [1, 2] });
  for (const unit of ['¹', '¹,', '¹²³, ', '¹²³', '⁽¹'])
    expect(parseSuperscript(place(unit.repeat(100), 0) as never)).not.toBe('more');
});

it('tries no combinations of phrases before "see", which would not end in time', () => {
  expect(isPointerOnly('For the fees, see [2].')).toBe(true);
  expect(isPointerOnly('Please see [2] and [3].')).toBe(true);
  expect(isPointerOnly('For the fees, the harbour master has a list [2].')).toBe(false);
  for (let time = 0; time < 20_000; time += 1) isPointerOnly(`${'for a '.repeat(19)}x`);
});
