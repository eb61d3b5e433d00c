import { expect, it } from 'vitest';
import { splitCamelCase } from '../../../../src/base/text/names/camel-case.ts';

it.each([
  ['inStock', 'in Stock'],
  ['md5Hash and utf8Decoder', 'md5 Hash and utf8 Decoder'],
  ['H2O, B2B, 3D and PDFs', 'H2O, B2B, 3D and PDFs'],
  ['s3URL, ipv4CIDR and co2KG', 's3 URL, ipv4 CIDR and co2 KG'],
  ['Na2CO3, x86 and mp3s', 'Na2CO3, x86 and mp3s'],
  ['größeÄndern', 'größe Ändern'],
  ['plain words', 'plain words'],
])('splits %s into words', (name, words) => {
  expect(splitCamelCase(name)).toBe(words);
});
