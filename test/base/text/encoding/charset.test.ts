/** Bytes of pages and files as text, in the charset that they are in. */
import { describe, expect, it } from 'vitest';
import { decodeText, decodeUndeclared } from '../../../../src/base/text/encoding/charset.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const ord = (character: string) => character.codePointAt(0)!;
const marks = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—';
const inWindows = (text: string) =>
  Buffer.from([...text].map((c) => (marks.includes(c) ? 0x80 + marks.indexOf(c) : ord(c))));
/** In windows-1255. */
const inHebrew = (text: string) =>
  Buffer.concat([...text].map((c) => (c >= 'א' && c <= 'ת' ? Buffer.from([ord(c) - 0x5d0 + 0xe0]) : inWindows(c))));
const latinOf = (text: string) => Buffer.from(text).toString('latin1');
/** "€15 – “cheap” Œuvre" */
const windows = latin('\x8015 \x96 \x93cheap\x94 \x8cuvre');

describe('windows-1252', () => {
  it.each(['', 'text/html; charset=windows-1252', 'text/html; charset=iso-8859-1', 'text/html; charset=us-ascii'])(
    'has quotation marks, dashes and "€" in a page of type %j',
    (contentType) => {
      expect(decodeText(windows, contentType)).toBe('€15 – “cheap” Œuvre');
    },
  );

  it('is not taken for UTF-8 where a word in capitals ends before a quotation mark, or a quotation in French', () => {
    expect(decodeUndeclared(latin('\x84MEN\xdc\x93 und \x84GENIE\xdf\x94'))).toBe('„MENÜ“ und „GENIEß”');
    expect(decodeUndeclared(latin('\xab\xa0au caf\xe9\xa0\xbb \x96 \xdc\x93'))).toBe('«\xa0au café\xa0» – Ü“');
    const saved = '\x84MEN\xdc\x93, «\xa0au café\xa0»';
    expect(decodeUndeclared(Buffer.from(saved))).toBe(saved);
  });

  it('has the marks that were pasted into it as UTF-8', () => {
    const pasted = Buffer.concat([latin('Gr\xfc\xdfe, '), Buffer.from('can’t “go” … 5 €')]);
    expect(decodeText(pasted, 'text/html; charset=iso-8859-1')).toBe('Grüße, can’t “go” … 5 €');
  });
});

describe('UTF-8 that was read as latin-1 and written again', () => {
  it.each([
    'can’t',
    'naïve Straße',
    'ÉCOLE',
    'Dvořák, Łódź',
    'Привет, мир',
    'Καλημέρα',
    '日本語',
    'שלום',
    '5 €',
    'fin 😀',
    '2026年11月30日 … 第3章',
    'батько і мати, Ж. Œ à é',
    'Ceník: Ž, 日 и Я',
  ])('is %j', (text) => {
    const mangled = Buffer.from(text).toString('latin1');
    // Only control characters show what happened.
    const expected = /[\x80-\x9f]/.test(mangled) ? text : mangled;
    expect(decodeUndeclared(Buffer.from(mangled))).toBe(expected);
  });

  it('is not the end of a quotation in French, even beside it', () => {
    const pasted = `«\xa0au café\xa0», ${latinOf('Привет')} voilà\xa0«\xa0ici\xa0»`;
    expect(decodeUndeclared(Buffer.from(pasted))).toBe('«\xa0au café\xa0», Привет voilà\xa0«\xa0ici\xa0»');
  });

  it('is no letter with two marks of Windows after it', () => {
    for (const text of ['«\xa0\x91café\x92\xa0», MENÜ\x93', 'é\x94» MENÜ\x93', 'MENÜ\x84, NÑ\x96 Ö\x85'])
      expect(decodeUndeclared(Buffer.from(text))).toBe(text);
  });
});

describe('a text that does not say its charset', () => {
  it.each([
    [
      'Shift_JIS',
      '港の起重機は四十トンを持ち上げます。フェリーは毎朝七時に出ます。',
      '8d6082cc8b4e8f648b4082cd8e6c8f5c8367839382f08e9d82bf8fe382b082dc82b7814283748346838a815b82cd968892a98eb58e9e82c98f6f82dc82b78142',
    ],
    [
      'EUC-JP',
      '港の起重機は四十トンを持ち上げます。フェリーは毎朝七時に出ます。',
      'b9c1a4ceb5afbdc5b5a1a4cfbbcdbdbda5c8a5f3a4f2bbfda4c1bee5a4b2a4dea4b9a1a3a5d5a5a7a5eaa1bca4cfcbe8c4abbcb7bbfea4cbbdd0a4dea4b9a1a3',
    ],
    [
      'Shift_JIS',
      '社員番号,氏名,部署\n001,田中太郎,営業部\n002,佐藤花子,開発部\n',
      '8ed088f594d48d862c8e8196bc2c95948f900a3030312c9363928691be98592c89638bc695940a3030322c8db293a189d48e712c8a4a94ad95940a',
    ],
    [
      'windows-1252',
      'It’s Bob’s and Ann’s; don’t say isn’t, they’re ‘Hello’d.',
      '4974927320426f62927320616e6420416e6e92733b20646f6e9274207361792069736e92742c2074686579927265209148656c6c6f92642e',
    ],
    [
      'DOS',
      'МОСКВА, КАЗАНЬ, СОЧИ. Портовый кран поднимает сорок тонн.',
      '8c8e918a82802c208a8087808d9c2c20918e97882e208faee0e2aea2eba920aae0a0ad20afaea4ada8aca0a5e220e1aee0aeaa20e2aeadad2e',
    ],
    ['Shift_JIS', 'クレーンとフェリー', '834e838c815b839382c683748346838a815b'],
    [
      'GBK',
      '港口的起重机可以吊起四十吨。你可以在这里买票。',
      'b8dbbfdab5c4c6f0d6d8bbfabfc9d2d4b5f5c6f0cbc4caaeb6d6a1a3c4e3bfc9d2d4d4dad5e2c0efc2f2c6b1a1a3',
    ],
    [
      'EUC-KR',
      '항구의 크레인은 사십 톤을 들어 올립니다.',
      'c7d7b1b8c0c720c5a9b7b9c0cec0ba20bbe7bdca20c5e6c0bb20b5e9beee20bfc3b8b3b4cfb4d92e',
    ],
    [
      'windows-1251',
      'Портовый кран поднимает сорок тонн.',
      'cfeef0f2eee2fbe920eaf0e0ed20efeee4ede8ece0e5f220f1eef0eeea20f2eeeded2e',
    ],
    [
      'KOI8-R',
      'Портовый кран поднимает сорок тонн.',
      'f0cfd2d4cfd7d9ca20cbd2c1ce20d0cfc4cec9cdc1c5d420d3cfd2cfcb20d4cfcece2e',
    ],
    [
      'DOS',
      'Портовый кран поднимает сорок тонн.',
      '8faee0e2aea2eba920aae0a0ad20afaea4ada8aca0a5e220e1aee0aeaa20e2aeadad2e',
    ],
    [
      'windows-1251',
      'Портовий кран піднімає сорок тонн.',
      'cfeef0f2eee2e8e920eaf0e0ed20efb3e4edb3ece0ba20f1eef0eeea20f2eeeded2e',
    ],
    [
      'windows-1251',
      'ПОРТОВЫЙ КРАН ПОДНИМАЕТ СОРОК ТОНН.',
      'cfced0d2cec2dbc920cad0c0cd20cfcec4cdc8ccc0c5d220d1ced0ceca20d2cecdcd2e',
    ],
    [
      'KOI8-R',
      'ПОРТОВЫЙ КРАН ПОДНИМАЕТ СОРОК ТОНН.',
      'f0eff2f4eff7f9ea20ebf2e1ee20f0efe4eee9ede1e5f420f3eff2efeb20f4efeeee2e',
    ],
  ])('is read in that of its script: %s, %s', (_, text, hex) => {
    expect(decodeUndeclared(Buffer.from(hex, 'hex'))).toBe(text);
  });

  it('is Hebrew where its letters end words as those of Hebrew do, and no Cyrillic', () => {
    for (const text of [
      'הנמל פתוח בכל יום משבע בבוקר – „בלי הפסקה”.',
      'נמכרים במשרד שליד הרציף אל תשכחו להביא תעודת זהות לכל נוסע מעל',
      'כבר עומדים בתור נהגי המוניות. את הלחם אופים',
    ])
      expect(decodeUndeclared(inHebrew(text))).toBe(text);
    // Too little to tell, but no Cyrillic.
    expect(decodeUndeclared(inHebrew('שלום עולם'))).toBe('ùìåí òåìí');
  });

  it('is read in that of its script when it is two short sentences', () => {
    const text = 'Паром ушел. Касса открыта.';
    // In windows-1251 and ISO-8859-5.
    for (const first of [0xc0, 0xb0])
      expect(decodeUndeclared(Buffer.from([...text].map((c) => (c < 'А' ? ord(c) : ord(c) - 0x410 + first))))).toBe(
        text,
      );
  });

  it('is no Cyrillic where it is Greek', () => {
    const text = 'Το λιμάνι είναι ανοιχτό κάθε μέρα από τις επτά το πρωί. Το πλοίο για το νησί φεύγει';
    const bytes = Buffer.from([...text].map((c) => (c < 'Ά' ? ord(c) : ord(c) - 0x384 + 0xb4)));
    expect(decodeUndeclared(bytes)).not.toMatch(/\p{Script=Cyrillic}/u);
  });

  it('has signs of Windows that are no letters', () => {
    const signs = '“” ‘’ “…” —— «» '.repeat(20);
    expect(decodeUndeclared(inWindows(signs))).toBe(signs);
    expect(decodeUndeclared(inWindows('“”‘’“…”——«»'))).toBe('“”‘’“…”——«»');
  });

  it.each([
    ['«\xa0Été\xa0»', 'aba0c974e9a0bb', '«\xa0Été\xa0»'],
    [
      'L’été, «\xa0l’œuvre\xa0» coûte 15\xa0€ – déjà vu à l’Élysée.',
      '4c92e974e92c20aba06c929c75767265a0bb20636ffb7465203135a08020962064e96ae020767520e0206c92c96c7973e9652e',
      'L’été, «\xa0l’œuvre\xa0» coûte 15\xa0€ – déjà vu à l’Élysée.',
    ],
    [
      '„Größe“ – Übermaß, Äpfel; ÄÖÜ und MENÜ“, 5 € für Straße.',
      '844772f6df6593209620dc6265726d61df2c20c47066656c3b20c4d6dc20756e64204d454edc932c203520802066fc722053747261df652e',
      '„Größe“ – Übermaß, Äpfel; ÄÖÜ und MENÜ“, 5 € für Straße.',
    ],
    [
      '¿Qué año? «Señor Núñez» pagó 15 €; ÑANDÚ, ÁÉÍÓÚ.',
      'bf5175e92061f16f3f20ab5365f16f72204efaf1657abb20706167f320313520803b20d1414e44da2c20c1c9cdd3da2e',
      '¿Qué año? «Señor Núñez» pagó 15 €; ÑANDÚ, ÁÉÍÓÚ.',
    ],
    [
      'Zażółć gęślą jaźń. Żółw śpi, a łódź płynie; ŚWIĘTO.',
      '5a61bff3b3e62067ea9c6cb9206a619ff12e20aff3b377209c70692c206120b3f3649f2070b3796e69653b208c5749ca544f2e',
      'Za¿ó³æ gêœl¹ jaŸñ. ¯ó³w œpi, a ³ódŸ p³ynie; ŒWIÊTO.',
    ],
    [
      'Příliš žluťoučký kůň úpěl ďábelské ódy.',
      '50f8ed6c699a209e6c759d6f75e86bfd206bf9f220fa70ec6c20efe162656c736be920f364792e',
      'Pøíliš žlu\x9douèký kùò úpìl ïábelské ódy.',
    ],
  ])('is windows-1252 where it has Latin letters: %s', (_, hex, shown) => {
    expect(decodeUndeclared(Buffer.from(hex, 'hex'))).toBe(shown);
  });
});
