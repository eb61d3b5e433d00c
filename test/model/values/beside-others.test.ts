/** Values beside others of the same kind: of the column, the day or the person that the field names. */
import { describe, expect, it } from 'vitest';
import { fillOne } from './fill-one.ts';

describe('a value beside others of its kind', () => {
  it.each<readonly [string, string, number | null]>([
    [
      'rabies_price',
      '| Vaccine | Doses | Price per dose |\n|---|---|---|\n| Typhoid | 1 | £38.50 |\n| Rabies | 3 | £71.00 |\n',
      71,
    ],
    [
      'rabies_price_gbp',
      '| Vaccine | Doses | Price per dose |\n|---|---|---|\n| Typhoid | 1 | £38.50 |\n| Rabies | 3 | £71.00 |\n',
      71,
    ],
    [
      'rabies_doses',
      '| Vaccine | Doses | Price per dose |\n|---|---|---|\n| Typhoid | 1 | £38.50 |\n| Rabies | 3 | £71.00 |\n',
      3,
    ],
    [
      'rabies_price',
      '| Vaccine | Doses | Price |\n|---|---|---|\n| Typhoid | 1 | £38.50 |\n| Rabies | 3 | £71.00 |\n',
      71,
    ],
    ['bolt_price', '| Article | Pieces | Price |\n|---|---|---|\n| Nut | 20 | 2 € |\n| Bolt | 50 | 100 € |\n', 100],
    ['bolt_price', '| Article | Pieces | Cost |\n|---|---|---|\n| Nut | 20 | 2 € |\n| Bolt | 50 | 100 € |\n', 100],
    ['price', '| Property | Kestrel | Merlin |\n|---|---|---|\n| Price per month | 9 € | 29 € |\n', 9],
    ['adult_price', '| Ticket | Adult | Price of a child |\n|---|---|---|\n| Kestrel | 12 € | 6 € |\n', 12],
    ['price_per_month', '| Plan | Price | Months |\n|---|---|---|\n| Kestrel | 30 € | 3 |\n', null],
  ])('is of the column that the field names: %s', (name, text, value) => {
    expect(fillOne(`/${name}`, 'number', text)).toBe(value);
  });

  it.each<readonly [string, string, string | null]>([
    ['closed_until', 'The clinic is closed from 22 December to 2 January.', '2 January'],
    ['closed_from', 'The clinic is closed from 22 December to 2 January.', '22 December'],
    ['closed_until', 'The clinic is closed from 22 to 28 December.', '28 December'],
    ['closed_from', 'The clinic is closed from 22 to 28 December.', null],
    ['closed_until', 'Closed: 22 December – 2 January', '2 January'],
    ['launched_on', 'The tool was launched on 20 March 2026 under the name "Ada".', '20 March 2026'],
    ['launched_at', 'The tool was launched on 20 March 2026 under the name "Ada".', '20 March 2026'],
    ['launched_on', 'The tool was launched under the name "Ada".', null],
    ['signed_on', 'The contract "Aurora" was signed on 20 March 2026.', '20 March 2026'],
    [
      'announced_on',
      'OSLO, 9 February 2026 – Halden Foods today announced that it has agreed to acquire Brightwell. "Brightwell gives us a home in Britain," said Sigrid Aamodt.',
      '9 February 2026',
    ],
    [
      'secretary',
      '4. **Elections.** Beatrice Owusu was re-elected as chair. Hanne Moreau did not stand again; Dmitri Volkov was elected treasurer. The post of secretary remains vacant.\n5. **Water.** The second standpipe will be repaired by 30 April.',
      null,
    ],
    ['secretary', 'The post of secretary, last held by Dmitri Volkov, is vacant.', null],
    ['secretary', 'Secretary: vacant', null],
    ['secretary', 'Dmitri Volkov was elected treasurer, and the post of secretary remains vacant.', null],
    ['secretary', 'Ann Field is the secretary, and the post of treasurer is vacant.', 'Ann Field'],
    ['treasurer', 'Ann Field is the secretary, and the post of treasurer is vacant.', null],
    [
      'treasurer',
      '4. **Elections.** Beatrice Owusu was re-elected as chair. Dmitri Volkov was elected treasurer. The post of secretary remains vacant.\n5. **Water.** The second standpipe will be repaired by 30 April.',
      'Dmitri Volkov',
    ],
    [
      'chair',
      '4. **Elections.** Beatrice Owusu was re-elected as chair. Dmitri Volkov was elected treasurer. The post of secretary remains vacant.\n5. **Water.** The second standpipe will be repaired by 30 April.',
      'Beatrice Owusu',
    ],
    ['secretary', 'The secretary, Ada Merrow, reported that two seats are vacant.', 'Ada Merrow'],
    ['landlord', 'The flat is vacant, the landlord is Karl Jensen.', 'Karl Jensen'],
    ['architect', 'The architect Ada Merrow drew plans for the vacant lot.', 'Ada Merrow'],
    ['secretary', 'The post of secretary, last held by Ada Merrow, is vacant.', null],
    ['secretary', 'The secretary post has been vacant since Ada Merrow left.', null],
    ['secretary', 'The post of secretary has not been filled since Ada Merrow left.', null],
    ['secretary', 'The vacant post of secretary was last held by Ada Merrow.', null],
    ['secretary', 'The chair is Ada Merrow, secretary vacant.', null],
  ])('is the day or the person that the field names: %s of "%s" is %s', (name, text, value) => {
    expect(fillOne(`/${name}`, 'string', text)).toBe(value);
  });
});
