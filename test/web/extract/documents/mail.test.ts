import { describe, expect, it } from 'vitest';
import { extract } from '../../../../src/web/extract/extract.ts';
import type { Extraction } from '../../../../src/web/extract/extraction.ts';

async function read(lines: readonly string[] | Buffer, contentType = 'message/rfc822'): Promise<Extraction> {
  const bytes = Buffer.isBuffer(lines) ? lines : Buffer.from(lines.join('\r\n'), 'latin1');
  return (await extract(bytes, { contentType, url: 'file:///letter.eml' }))!;
}

const headers = [
  'From: =?utf-8?q?J=C3=B6rg_Byron?= <joerg@a.example>',
  'To: "Reed, Ana" <ana@a.example>, ben@a.example',
  'Date: Tue, 12 May 2026 14:30:00 +0200',
  'Subject: Re: =?iso-8859-1?B?RGFzIERhY2ggZvxyIGFsbGU=?=',
  'MIME-Version: 1.0',
];
const shown =
  'From: Jörg Byron <joerg@a.example>\nTo: Reed, Ana <ana@a.example>, ben@a.example\nDate: Tue, 12 May 2026 14:30:00 +0200\nSubject: Re: Das Dach für alle';

describe('a mail', () => {
  it('has its subject as its title, its sender and day, and the lines above it', async () => {
    expect(
      await read([...headers, 'Content-Type: text/plain; charset=iso-8859-15', '', 'Es kostet 900 \xa4.']),
    ).toMatchObject({
      text: `${shown}\n\nEs kostet 900 €.`,
      title: 'Das Dach für alle',
      byline: 'Jörg Byron',
      published_at: '2026-05-12T12:30:00.000Z',
      extractor: 'mail',
      truncated: false,
    });
  });

  it.each(['', 'application/octet-stream', 'text/plain'])(
    'is recognised by its name when its type is %j',
    async (contentType) => {
      expect((await read([...headers, '', 'It leaks.'], contentType)).extractor).toBe('mail');
    },
  );

  it('has its text, or its HTML where that is all, and the names of its attachments', async () => {
    const parts = (...bodies: readonly string[]) => [
      ...headers,
      'Content-Type: multipart/mixed; boundary="x"',
      '',
      ...bodies.flatMap((body) => ['--x', body]),
      '--x--',
    ];
    const html =
      'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<style>p{}</style><h2>The r=C3=B6of</h2><p>It <a href=3D"https://a.example/r">leaks</a>.</p><table><tr><td>Item</td><td>Cost</td></tr><tr><td>Roof</td><td>900</td></tr></table>';
    const file = (name: string) =>
      `Content-Type: application/pdf; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\nc2VjcmV0IHRleHQ=`;
    const picture = 'Content-Type: image/png\r\nContent-ID: <p>\r\nContent-Disposition: inline\r\n\r\nx';
    expect((await read(parts(html, file('offer.pdf'), file('plan.pdf'), picture))).text).toBe(
      `${shown}\n\n## The röof\n\nIt [leaks](https://a.example/r).\n\n| Item | Cost |\n| --- | --- |\n| Roof | 900 |\n\nAttachments: offer.pdf, plan.pdf`,
    );
    const either = [
      'Content-Type: multipart/alternative; boundary="y"',
      '',
      '--y',
      'Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\nVGhlIHJvb2YgbGVha3Mu',
      '--y',
      html,
      '--y--',
    ].join('\r\n');
    expect((await read(parts(either))).text).toBe(`${shown}\n\nThe roof leaks.`);
  });

  it('has a mail within it', async () => {
    const { text, title } = await read([
      ...headers,
      'Content-Type: multipart/mixed; boundary="x"',
      '',
      '--x',
      '',
      'See below.',
      '--x',
      'Content-Type: message/rfc822',
      '',
      'From: Ada <ada@a.example>',
      'Date: Mon, 4 May 2026 10:00:00 +0100',
      'Subject: Nails',
      '',
      'We need forty nails.',
      '--x--',
    ]);
    expect(title).toBe('Das Dach für alle');
    expect(text).toBe(
      `${shown}\n\nSee below.\n\nFrom: Ada <ada@a.example>\nDate: Mon, 4 May 2026 10:00:00 +0100\nSubject: Nails\n\nWe need forty nails.`,
    );
  });

  it('has the signs of Windows, and headers that are not encoded', async () => {
    const { text, title } = await read([
      'From: J\xf6rg Byron <joerg@a.example>',
      'Subject: Gr\xfc\xdfe \x96 =?windows-1252?Q?=80_15?=',
      'Content-Type: text/plain; charset=iso-8859-1',
      '',
      'Die F\xe4hre kostet 15 \x80 \x96 \x84g\xfcnstig\x93.',
    ]);
    expect(title).toBe('Grüße – € 15');
    expect(text).toBe(
      'From: Jörg Byron <joerg@a.example>\nSubject: Grüße – € 15\n\nDie Fähre kostet 15 € – „günstig“.',
    );
    expect((await read(['From: Ren\xe9 <r@a.example>', '', '15 \x80, \x93vite\x94.'])).text).toBe(
      'From: René <r@a.example>\n\n15 €, “vite”.',
    );
  });

  it('may begin with a byte order mark', async () => {
    const { text } = await read(Buffer.from('\ufeffFrom: Jörg <joerg@a.example>\r\nSubject: Dach\r\n\r\nEs leckt.'));
    expect(text).toBe('From: Jörg <joerg@a.example>\nSubject: Dach\n\nEs leckt.');
  });

  it('that is only an invitation has its lines', async () => {
    const { text } = await read([
      ...headers,
      'Content-Type: text/calendar; method=REQUEST',
      '',
      'BEGIN:VEVENT',
      'SUMMARY:Harbour meeting\\, as ev',
      ' ery week',
      'END:VEVENT',
    ]);
    expect(text).toBe(`${shown}\n\nBEGIN:VEVENT\nSUMMARY:Harbour meeting, as every week\nEND:VEVENT`);
  });

  it('is plain text if it has nothing of a mail', async () => {
    expect(await read(['Just a few words.', '', 'And more.'])).toMatchObject({
      extractor: 'text',
      title: 'Just a few words.',
    });
  });

  it('of 20 MB with attachments is read, and of very many recipients only some', async () => {
    const file = Buffer.alloc(14 * 1024 * 1024, 7)
      .toString('base64')
      .replace(/.{76}/g, '$&\r\n');
    const to = Array.from({ length: 5_000 }, (_, n) => `Somebody Number ${n} <n${n}@a.example>`).join(',\r\n ');
    const { text } = await read([
      'From: Ada <ada@a.example>',
      `To: ${to}`,
      'Subject: Everything',
      'Content-Type: multipart/mixed; boundary="x"',
      '',
      '--x',
      '',
      'See the film.',
      '--x',
      'Content-Type: video/mp4; name="film.mp4"\r\nContent-Transfer-Encoding: base64',
      '',
      file,
      '--x--',
    ]);
    expect(text.length).toBeLessThan(1_000);
    expect(text).toMatch(
      /^From: Ada <ada@a\.example>\nTo: Somebody Number 0 <n0@a\.example>, .*, …\nSubject: Everything\n\nSee the film\.\n\nAttachments: film\.mp4$/,
    );
  });

  it('with parts too deep inside each other or endless headers is an error', async () => {
    const deep = Array.from({ length: 60 }, (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}`);
    await expect(read([...headers, ...deep, '', 'x'])).rejects.toThrow(/nesting/i);
    await expect(read([...headers, `X-Long: ${'x'.repeat(2_000_000)}`, '', 'x'])).rejects.toThrow(/header/i);
  });

  it('with mails within mails ends', async () => {
    const nested = Array.from(
      { length: 40 },
      (_, n) => `From: n${n}@a.example\r\nSubject: Level ${n}\r\nContent-Type: message/rfc822\r\n`,
    );
    const { text, truncated } = await read([...nested, 'Subject: last', '', 'The end.']);
    expect(text).toContain('Subject: Level 0');
    expect(text).not.toContain('The end.');
    expect(truncated).toBe(true);
  });

  const digest = (mails: readonly string[]) => [
    ...headers,
    'Content-Type: multipart/digest; boundary="x"',
    '',
    ...mails.flatMap((mail, n) => ['--x', '', `From: n${n}@a.example`, `Subject: Part ${n}`, '', mail]),
    '--x--',
  ];

  it('that is a digest has all of its mails', async () => {
    const { text, truncated } = await read(digest(Array.from({ length: 150 }, (_, n) => `The answer ${n}.`)));
    for (const n of [0, 99, 100, 149]) expect(text).toContain(`Subject: Part ${n}\n\nThe answer ${n}.`);
    expect(truncated).toBe(false);
  });

  it('that is a longer digest than a text may be says that some is left out', async () => {
    const line = 'The keeper of the lock has seen it.\r\n';
    const { text, truncated } = await read(digest(Array.from({ length: 30 }, () => line.repeat(3_000))));
    expect(text).toContain('Subject: Part 18');
    expect(text).not.toContain('Subject: Part 25');
    expect(truncated).toBe(true);
  });
});
