/** The values that the extractive model fills in: right or null. */
import { describe, expect, it } from 'vitest';
import { scoreValues, sharesOf } from '../../../bench/values.ts';
import { type AllowedValues, createPatternMatcher } from '../../../src/base/values/allowed-values.ts';
import { fill } from '../../../src/model/extractive/fill/fill.ts';
import { fillOne } from './fill-one.ts';

const orderNumber = '^[A-Z]{2}-\\d{4}$';
const matches = await createPatternMatcher([{ pattern: orderNumber }]);

describe('values that no sentence states', () => {
  it.each([
    ['/paid_days', 'number', 'A parent takes 16 weeks at full pay.'],
    ['/sensors', 'number', 'The display keeps 4000 readings. It works with outdoor sensors.'],
    ['/bodyTimeout', 'number', '* **connectTimeout** `number` - Default: `10e3` - In milliseconds.'],
    ['/weight_kg', 'number', 'The drill costs 14 euros. Weight matters.'],
    ['/warranty_years', 'number', 'The warranty covers the 3 main parts.'],
    ['/price', 'number', 'The price list of 2024 has 12 pages.'],
    ['/parking_included', 'boolean', 'Parking is in the yard.'],
    ['/batteries_included', 'boolean', 'If batteries are included, remove them.'],
    ['/dogs_allowed', 'boolean', 'Cats are allowed.'],
    ['/director', 'string', 'The museum was founded by Edda Thorne.'],
    ['/stations', 'number', 'Intervals below 10 seconds are refused.'],
    ['/share', 'number', 'The share of the Kestrel is 3/4.'],
    ['/weight_kg', 'number', 'The weight of the Kestrel is 3/4 kg.'],
    ['/phone_number', 'number', 'The phone number of the Kestrel is 0049 30 123456.'],
    ['/phone_number', 'number', 'The phone number of the Kestrel is +49 (0)30 123456.'],
    ['/account_number', 'number', 'The account number of the treasury is 12345678901234567890.'],
    ['/hours_per_week', 'number', 'Holidays: 28 days.'],
    ['/fee', 'number', 'The fee is from 120 € to 132 €.'],
    ['/phone', 'string', 'The phone list is of 2024-25. See page 12 34 of 14/03/2026.'],
  ] as const)('are null: %s', (path, type, text) => {
    expect(fillOne(path, type, text)).toBeNull();
  });
});

describe('a field with a list of values', () => {
  it.each([
    ['/availability', ['in_stock', 'out_of_stock'], 'Availability: in stock.', 'in_stock'],
    ['/availability', ['in_stock', 'out_of_stock'], 'The availability of the lamp is not in stock.', null],
    ['/status', ['open', 'closed'], 'Current status: the shop is closed for repairs.', 'closed'],
    ['/status', ['open', 'closed'], 'The status is open on weekdays and closed on Sundays.', null],
    ['/status', ['open', 'closed'], 'The door of the shop is closed.', null],
    ['/refund_policy', ['refundable', 'non-refundable'], 'Refund policy: non-refundable.', 'non-refundable'],
    ['/refund_policy', ['refundable'], 'Refund policy: non-refundable.', null],
    ['/licence', ['MIT', 'GPL-3.0', 'Apache-2.0'], 'The licence is Apache 2.0.', 'Apache-2.0'],
    ['/licence', ['MIT'], 'The licence admits changes.', null],
    ['/energyClass', ['veryLow', 'low', 'high'], 'Energy class: very low', 'veryLow'],
    ['/pets_allowed', ['yes', 'no'], 'Pets are not allowed.', 'no'],
    ['/pets_allowed', ['Yes', 'No', 'unknown'], 'Pets are allowed.', 'Yes'],
    ['/pets_allowed', ['yes', 'no'], 'Parking is in the yard.', null],
    ['/status', ['closed '.repeat(2_000), 'open'], `Status: ${'closed '.repeat(500)}`, null],
  ] as const)('has the one that is said, or none: %s of %s from %s', (path, values, text, expected) => {
    expect(fillOne(path, 'string', text, 'Kestrel', 'Facts about the Kestrel', { values })).toBe(expected);
  });

  it('of numbers takes one of them, and a bound holds', () => {
    const ask = (allowed: AllowedValues) =>
      fillOne('/seats', 'number', 'The Kestrel has 4 seats.', 'Kestrel', 'Facts about the Kestrel', allowed);
    expect(ask({ values: [2, 4] })).toBe(4);
    expect(ask({ values: [2, 5] })).toBeNull();
    expect(ask({ above: 4 })).toBeNull();
  });
});

describe('a field with a format or a pattern', () => {
  it.each([
    ['/opened', { format: 'date' }, 'The Kestrel was opened on 14 May 1931.', '1931-05-14'],
    ['/eröffnet', { format: 'date' }, 'Eröffnet: 14. Mai 1931', '1931-05-14'],
    ['/opened', { format: 'date' }, 'The Kestrel was opened in May 1931.', null],
    ['/opening', { format: 'time' }, 'Opening: 9.30 am', '09:30:00'],
    ['/begins', { format: 'time' }, 'The tour begins at 14.30 Uhr by the gate.', '14:30:00'],
    ['/contact', { format: 'email' }, 'Contact: Ada at ada@kestrel.example.', 'ada@kestrel.example'],
    ['/website', { format: 'uri' }, 'Website: https://kestrel.example/now', 'https://kestrel.example/now'],
    ['/server', { format: 'ipv4' }, 'The server has the address 10.0.0.7.', '10.0.0.7'],
    ['/order_number', { pattern: orderNumber }, 'Your order has the number AB-1234.', 'AB-1234'],
    ['/order_number', { pattern: orderNumber }, 'Your order has the number 1234.', null],
    ['/motto', { maxLength: 10 }, 'Motto: a light for everybody at sea', null],
  ] as const)('has a value that fits, or none: %s with %o from %s', (path, allowed, text, expected) => {
    expect(fillOne(path, 'string', text, 'Kestrel', 'Facts about the Kestrel', allowed, matches)).toBe(expected);
  });
});

describe('denials', () => {
  it.each([
    ['/batteries_included', 'Batteries are excluded.', false],
    ['/batteries_included', 'Batteries are not included.', false],
    ['/batteries_included', 'All parts are included except batteries.', false],
    ['/case_included', 'A case is included, but batteries are not.', true],
    ['/batteries_included', 'A case is included, but batteries are not.', false],
    ['/charger_included', 'The charger is sold separately.', false],
    ['/smoking_allowed', 'Smoking is prohibited in all rooms.', false],
    ['/dogs_allowed', 'Dogs are never allowed on the path.', false],
    ['/dogs_allowed', 'Dogs are allowed except on Sundays.', true],
    ['/refunds_possible', 'Refunds are not possible unless the event is cancelled.', false],
    ['/has_lift', 'There is no lift.', false],
    ['/wifi_free', 'Wi-Fi is available at no charge.', true],
    ['/breakfast_included', 'Breakfast is $15 extra.', false],
    ['/has_lift', 'The house has a lift.', true],
    ['/contains_alcohol', 'It is made without alcohol.', undefined],
  ] as const)('are read: %s from "%s" is %s', (path, text, value) => {
    const found = fillOne(path, 'boolean', text);
    if (value === undefined) expect(found).not.toBe(true);
    else expect(found).toBe(value);
  });
});

describe('numbers', () => {
  it.each([
    ['/connectTimeout', '* **connectTimeout** `number` - Default: `10e3` - In milliseconds.', 10_000],
    ['/connect_timeout_seconds', '* **connectTimeout** `number` - Default: `10e3` - In milliseconds.', 10],
    ['/timeout_ms', 'The timeout is 30 seconds.', 30_000],
    ['/timeout', 'The timeout is 30 seconds.', 30],
    ['/weight_kg', 'It has a weight of 850 g.', 0.85],
    ['/distance_in_km', 'The distance is 2,500 m.', 2.5],
    ['/parental_leave_weeks', 'Parental leave is 16 weeks.', 16],
    ['/visitors', 'The museum had 1.2 million visitors.', 1_200_000],
    ['/token_lifetime_minutes', 'Tokens are valid for one hour.', 60],
    ['/broken_lamps', '17 of the 240 lamps are broken.', 17],
    ['/lamps', '17 of the 240 lamps are broken.', 240],
    ['/min_node_version', 'Node 18 or later is required.', 18],
    ['/max_request_bytes', 'Each request may be 1 MiB at most.', 1_048_576],
    ['/visitors', 'The museum had 315 000 visitors.', 315_000],
    ['/visitors', 'The museum had 8’902’308 visitors.', 8_902_308],
    ['/latitude', 'The latitude of the Kestrel is 48.856613 degrees.', 48.856613],
    ['/exchange_rate', 'The exchange rate of the crown is 0.0415 euros.', 0.0415],
    ['/exchange_rate', 'The exchange rate of the crown is 0.123 euros.', 0.123],
    ['/depth_m', '| Depth | Width |\n| --- | --- |\n| 9.1441 m | 3 m |', 9.1441],
    ['/price', '| Item | Price |\n| --- | --- |\n| Kestrel | €1’250’000 |', 1_250_000],
    ['/profit', 'The profit of the Kestrel is +1 250 000 €.', 1_250_000],
    ['/voltage', 'The voltage of the Kestrel is 230/400 V.', 400],
    ['/account_number', 'The account number of the treasury is 4111111111111111.', 4111111111111111],
    ['/temperature', 'The temperature at the Kestrel is minus 5 degrees.', -5],
    ['/mass_kg', 'The mass of the Kestrel is 6.02214076 × 10^23 kg.', 6.02214076e23],
    ['/price', 'The price of the Kestrel is 12,34,567 rupees.', 1_234_567],
    ['/seats', 'The hall has twenty-four seats.', 24],
    ['/max_stations', 'It takes up to ten stations.', 10],
    ['/delivery_days_max', 'Delivery takes 2 to 4 working days.', 4],
    ['/delivery_days_min', 'Delivery takes 2 to 4 working days.', 2],
    ['/fee', 'The fee rises from 120 € to 132 € a year.', 132],
    ['/fee', 'The fee was reduced from 150 € to 132 €.', 132],
    ['/max_fee', 'The fee is from 120 € to 132 €.', 132],
    ['/fee', 'Membership fee rises from 120 € to 132 € per year from 1 July 2026.', 132],
    ['/min_price', 'Depending on age, the price rises from 5 € to 9 €.', 5],
    ['/max_price', 'Depending on age, the price rises from 5 € to 9 €.', 9],
    ['/max_price_eur', 'Der Preis steigt mit dem Alter von 5 auf 9 €.', null],
    ['/opening_hour', 'The shop has changed its rooms and is open from 9 to 17 hours.', null],
    ['/hours', 'Le bus passe de 7 à 19 heures.', null],
    ['/horas', 'La línea pasa de 7 a 19 horas.', null],
    ['/label_width_mm', 'The label width changes from 100 to 102 mm.', 102],
    ['/rent', 'The rent: Die Miete steigt von 700 € auf 750 €.', 750],
    ['/hours_per_week', 'Working hours: 40 per week. Holidays: 28 days.', 40],
    ['/sick_pay_percent', 'Sick pay is 90 percent of the salary.', 90],
    ['/rating', 'Price: €129.90 with shipping. Rated 4.6 out of 5 by customers.', 4.6],
    ['/preis', 'Der Preis ist 1.200,50 € und die Lieferung ist nicht für das Ausland.', 1200.5],
  ] as const)('are read with their units and magnitudes: %s from "%s" is %d', (path, text, value) => {
    expect(fillOne(path, 'number', text)).toBe(value);
  });

  it('are found for a prompt in another language', () => {
    const text = 'Die Mietverträge der Wohnungen gelten unbefristet. Die Kaution beträgt 900 €.';
    const prompt = 'Was steht in den Mietverträgen der Wohnungen?';
    expect(fillOne('/kaution', 'number', text, 'Vermietung', prompt)).toBe(900);
  });

  it('come from the cell under the heading and in the row that the field names', () => {
    const table = '| Dish | Price |\n| --- | --- |\n| Soup | €6.50 |\n| Lasagne | €13 |';
    expect(fillOne('/lasagne_price', 'number', table)).toBe(13);
    expect(fillOne('/pizza_price', 'number', table)).toBeNull();
    expect(fillOne('/price', 'number', table)).toBeNull();
  });
});

describe('texts', () => {
  it.each([
    ['/start_date', 'The start date is 1 March 2025.', '2025-03-01'],
    ['/landlord', 'Let by Harriet Cole (the landlord) to Piotr Nowak (the tenant).', 'Harriet Cole'],
    ['/colour', 'Colour: Petrol blue', 'Petrol blue'],
    ['/email', 'Write to us: visit@tides.example.', 'visit@tides.example'],
    ['/licence', 'The licence is MIT.', 'MIT'],
    ['/check_in_time', 'Check-in is from 3 pm, check-out until 11 am.', '3 pm'],
    ['/check_out_time', 'Check-in is from 3 pm, check-out until 11 am.', '11 am'],
    ['/made_in', 'Made in Portugal by Lumo Lda.', 'Portugal'],
    ['/phone', 'Our phone: 0800 555 0199. Customer number 4471-22.', '0800 555 0199'],
    ['/phone', 'Call 555-0199.', '555-0199'],
    ['/phone', 'Call +49 (0)30 123456-78, weekdays from 9 to 17.', '+49 (0)30 123456-78'],
    ['/phone', 'Call 02035550143 on 2026-03-14.', '02035550143'],
    ['/phone', 'Phone:0800 555 0199', '0800 555 0199'],
    ['/phone', 'Phone: 31 20 30', '31 20 30'],
    ['/phone', 'Phone: Ada Merrow (0800 555 0199).', '0800 555 0199'],
    ['/phone', 'Phone: (020) 3555 0143', '(020) 3555 0143'],
    ['/phone', 'Phone: 116 117', '116 117'],
    ['/phone', 'Phone: 13 13 14', '13 13 14'],
    ['/company_name', 'Company name: Brek, de Vries & Co.', 'Brek, de Vries & Co.'],
    ['/hotel_name', 'Hotel name: Vier Jahreszeiten, am See', 'Vier Jahreszeiten, am See'],
    ['/treasurer', 'Treasurer: Ada Lovelace, née Byron', 'Ada Lovelace, née Byron'],
    ['/publisher', 'Publisher: Allen & Unwin, 1954', 'Allen & Unwin, 1954'],
    ['/lead', 'Lead: Tariq Aziz; I do the tests.', 'Tariq Aziz'],
    ['/owner', 'Owner: Mei Lin, since May.', 'Mei Lin'],
    ['/author', 'Author: Smith, John', 'Smith, John'],
    ['/notes', '| Boat | Notes |\n| --- | --- |\n| Kestrel | only with a cox |', 'only with a cox'],
  ] as const)('are the words that state them: %s from "%s" is "%s"', (path, text, value) => {
    expect(fillOne(path, 'string', text)).toBe(value);
  });

  it('fill a list of texts from the items of one list, or from what one sentence enumerates', () => {
    const fillList = (text: string) =>
      fill(
        'Facts about the Kestrel',
        [{ path: '/formats/-', type: 'string' }],
        [
          {
            n: 1,
            snapshot: text,
            url: 'https://a.example/1',
            title: 'Kestrel',
            headings: 'Kestrel',
            text,
            start: 0,
            score: 1,
          },
        ],
      ).map(({ path, value }) => [path, value]);
    const expected = [
      ['/formats/0', 'JSON'],
      ['/formats/1', 'CBOR'],
      ['/formats/2', 'plain text'],
    ];
    expect(fillList('Supported formats are JSON, CBOR and plain text.')).toEqual(expected);
    expect(fillList('# Formats\n\n- JSON\n- CBOR\n- plain text')).toEqual(expected);
    expect(fillList('Formats: JSON, CBOR, plain text')).toEqual(expected);
    const long =
      'Text that any program reads, with one line for each record and a tab between two fields of it. It is as large as the others.';
    expect(fillList(`# Formats\n\n- JSON\n- ${long}\n- CBOR`)).toEqual([
      ['/formats/0', 'JSON'],
      ['/formats/1', long],
      ['/formats/2', 'CBOR'],
    ]);
    expect(fillList('It reads many things.')).toEqual([]);
  });

  it.each([
    ['repair_years', '# Kestrel\n\n## Years of repair\n\n- 1931\n- 1944\n- 1968', [1931, 1944, 1968]],
    ['repair_years', 'Repair years: 1931, 1944 and 1968', [1931, 1944, 1968]],
    ['distances_km', 'Distances: 1.5 km, 12 km', [1.5, 12]],
    ['distances_km', 'Distances: 1.5 miles, 12 miles', []],
    ['prices', 'Prices: 5 crowns, ask at the counter', []],
  ])('fill a list of numbers if all of its items are: %s of %s', (name, text, expected) => {
    const source = {
      n: 1,
      snapshot: text,
      url: 'https://a.example/1',
      title: 'Kestrel',
      headings: 'Kestrel',
      text,
      start: 0,
      score: 1,
    };
    const filled = fill('Facts about the Kestrel', [{ path: `/${name}/-`, type: 'number' }], [source]);
    expect(filled.map(({ value }) => value)).toEqual(expected);
  });
});

it('fills at least 90 % of the development part rightly and at most 5 % wrongly', () => {
  const { right, wrong } = sharesOf(scoreValues('development'));
  expect(right).toBeGreaterThanOrEqual(0.9);
  expect(wrong).toBeLessThanOrEqual(0.05);
});

describe('rows', () => {
  const table = '| Year | Source of light |\n|---|---|\n| 1887 | oil |\n| 1931 | electricity |';
  const namesOf = (path: string, prompt: string, headings: string) => {
    const source = {
      n: 1,
      snapshot: headings,
      url: 'https://a.example/1',
      title: 'Kestrel',
      headings,
      text: table,
      start: 0,
    };
    return fill(prompt, [{ path, type: 'string' }], [{ ...source, score: 1 }]).map(({ value }) => value);
  };

  it('are not those of any table on the page that the prompt names', () => {
    expect(namesOf('/rooms/-/name', 'Kestrel', 'Kestrel › The light')).toEqual([]);
  });

  it.each([
    ['has the name of the list in its heading', '/lights/-/name', 'Kestrel', 'Kestrel › The light'],
    ['is asked for by its heading', '/items/-/name', 'The light of the Kestrel', 'Kestrel › The light'],
    ['has the field as a column', '/rooms/-/year', 'Kestrel', 'Kestrel › The light'],
    ['is directly below the title that the prompt names', '/items/-/name', 'Kestrel', 'Kestrel'],
  ])('are those of a table that %s', (_, path, prompt, headings) => {
    expect(namesOf(path, prompt, headings)).toEqual(['1887', '1931']);
  });

  const events =
    '| Date | Event | Place | Remarks |\n|---|---|---|---|\n| 3 May | Walk | Park | bring tea |\n| 20 June | Party | Hall | |';
  const boats =
    '| Boat | Year | Count | Policy |\n|---|---|---|---|\n| Grebe | 2021 | 2 | members only |\n| Heron | 2004 | 8 | with a cox |';
  const priced = (first: string, second: string, value: string) =>
    `| ${first} | ${second} |\n|---|---|\n| Adult | ${value} |\n| Child | ${value.replace('6', '3')} |`;
  const rooms = '| Room number | Room | Title |\n|---|---|---|\n| 101 | Blue | Office |\n| 102 | Red | Lab |';
  const firstRow = (text: string, list: string, fields: Readonly<Record<string, 'string' | 'number'>>) => {
    const leaves = Object.entries(fields).map(([name, type]) => ({ path: `/${list}/-/${name}`, type }));
    const source = {
      n: 1,
      snapshot: text,
      url: 'https://a.example/1',
      title: 'Club',
      headings: 'Club',
      text,
      start: 0,
      score: 1,
    };
    return fill(`List the ${list}`, leaves, [source])
      .filter(({ path }) => path.includes('/0/'))
      .map(({ value }) => value);
  };

  it.each([
    [events, 'events', { event: 'string', when: 'string', where: 'string' }, ['Walk', '3 May', 'Park']],
    [events, 'events', { name: 'string', date: 'string', notes: 'string' }, ['Walk', '3 May', 'bring tea']],
    [events, 'events', { title: 'string', venue: 'string', price: 'number' }, ['Walk', 'Park', null]],
    [boats, 'boats', { boat: 'string', year: 'number', count: 'number' }, ['Grebe', 2021, 2]],
    [boats, 'boats', { name: 'string', policy: 'string', summary: 'string' }, ['Grebe', 'members only', null]],
    [priced('Item', 'Price', '60 €'), 'prices', { name: 'string', price: 'number' }, ['Adult', 60]],
    [priced('Passenger', 'Fare', 'CHF 86'), 'fares', { name: 'string', amount: 'number' }, ['Adult', 86]],
    [priced('Group', 'Fee', '60'), 'fees', { title: 'string', value: 'number' }, ['Adult', 60]],
    [priced('', 'Fee', '60 €'), 'fees', { name: 'string', fee: 'number' }, ['Adult', 60]],
    [priced('Route', 'Distance', '6 km'), 'distances', { name: 'string', km: 'number' }, ['Adult', 6]],
    [priced('Town', 'Temperature', '6 °C'), 'temperatures', { name: 'string', temperature: 'number' }, ['Adult', 6]],
    [rooms, 'rooms', { title: 'string', number: 'number' }, ['Office', 101]],
    [rooms, 'rooms', { name: 'string', number: 'number' }, ['Blue', 101]],
  ] as const)('have the columns that their fields name: %#', (text, list, fields, expected) => {
    expect(firstRow(text, list, fields)).toEqual(expected);
  });
});
