/** The texts that labels announce, up to their own end. */
import { describe, expect, it } from 'vitest';
import { fillOne } from './fill-one.ts';

describe('what a label announces', () => {
  it.each([
    ['Medical director: Dr. Rajesh Pillai.', 'medical_director', 'Dr. Rajesh Pillai'],
    ['**Medical director:** Dr. Rajesh Pillai', 'medical_director', 'Dr. Rajesh Pillai'],
    ['Contact: Mr. Smith, room 4', 'contact', 'Mr. Smith'],
    ["Venue: St. Mary's Hall", 'venue', "St. Mary's Hall"],
    ['Author: J. R. Tolkien', 'author', 'J. R. Tolkien'],
    ['Company: Acme Inc. of Boston', 'company', 'Acme Inc. of Boston'],
    ['Company: Acme Inc.', 'company', 'Acme Inc.'],
    ['Status: final. Author: Ishaan Verma. Severity: SEV-1.', 'author', 'Ishaan Verma'],
    ['Status: final. Author: Ishaan Verma. Severity: SEV-1.', 'severity', 'SEV-1'],
    ['Room: No. 7', 'room', 'No. 7'],
    ['Owner: U.S. Army', 'owner', 'U.S. Army'],
    ['Deadline: Jan. 5, 2026', 'deadline', 'Jan. 5, 2026'],
    ['Duration: approx. 30 minutes', 'duration', 'approx. 30 minutes'],
    ['Address: Baker St. 221b, London', 'address', 'Baker St. 221b, London'],
    ['Address: 221b Baker St.', 'address', '221b Baker St.'],
    ['Location: Washington, D.C.', 'location', 'Washington, D.C.'],
    ['Drink: z. B. Tee', 'drink', 'z. B. Tee'],
    ['Grade: A. The exam was in May.', 'grade', 'A'],
    ['Key needed: No. It is always open.', 'key_needed', 'No'],
    ['Colour: dark red. Weight: 2 kg.', 'colour', 'dark red'],
    ['- Colour: dark red. It is matt.\n- Weight: 2 kg', 'colour', 'dark red'],
    ['Chair: Beatrice Owusu · Minutes: Karl Jensen', 'chair', 'Beatrice Owusu'],
    ['Chair: Beatrice Owusu · Minutes: Karl Jensen', 'minutes', 'Karl Jensen'],
    ['Date: 21 March 2026 · Place: Scout Hut, Mill Lane', 'place', 'Scout Hut, Mill Lane'],
    ['Serves 6 · Cooking 40 minutes · Difficulty: easy', 'difficulty', 'easy'],
    ['Colour: Mauve | Size: L', 'colour', 'Mauve'],
    ['- Colour: Mauve | Size: L\n- Colour of the lid: red', 'colour', 'Mauve'],
    ['Sizes: S | M | L', 'sizes', 'S | M | L'],
    ['Publisher: Allen & Unwin, 1954', 'publisher', 'Allen & Unwin, 1954'],
    ['Opening hours: Mon–Fri 9–17 · Sat: 10–14', 'opening_hours', 'Mon–Fri 9–17 · Sat: 10–14'],
    ['Hours: Mon 9–5 | Sat and Sun: 10–2 | Phone: 123', 'hours', 'Mon 9–5 | Sat and Sun: 10–2'],
    ['Hours: Di–Fr 9–17 · Samstag: geschlossen', 'hours', 'Di–Fr 9–17 · Samstag: geschlossen'],
    ['Chair: Ada Merrow · Sam: 12', 'chair', 'Ada Merrow'],
    ['Served at: the bar on the first floor', 'served_at', 'the bar on the first floor'],
    ['Available from: the secretary of the club', 'available_from', 'the secretary of the club'],
    ['Available from: 3 May 2026 at the office', 'available_from', '3 May 2026'],
    ['S3 URL: https://a.example/x', 's3URL', 'https://a.example/x'],
  ] as const)('ends where its sentence does: "%s" says of %s "%s"', (text, name, value) => {
    expect(fillOne(`/${name}`, 'string', text)).toBe(value);
  });
});
