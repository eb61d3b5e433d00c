import { describe, expect, it } from 'vitest';
import { isClosing, subjectOf } from '../../../../src/base/text/lines/mail-lines.ts';

describe('the subject of a mail', () => {
  it.each([
    ['Subject: Your move\n\nDear Ada,', 'Your move'],
    ['From: Dana <d@a.example>\nTo: Paul\nDate: Tue, 12 May\nSubject: Re: Re: Roof\n\nHi', 'Roof'],
    ['Von: Ada\nBetreff: AW: WG: Termin am Montag\n\nHallo', 'Termin am Montag'],
    ['Objet : non', undefined],
    ['Hello\nSubject: later', undefined],
    ['Subject:\n\nEmpty', undefined],
    ['# Notes\n\nSubject: a word', undefined],
  ])('of %j is %j', (text, subject) => {
    expect(subjectOf(text)).toBe(subject);
  });
});

describe('the end of a letter', () => {
  it.each(['Kind regards,', 'Yours sincerely', 'Mit freundlichen Grüßen', 'Best, Ada', 'Cordialement,'])(
    'is %s',
    (line) => {
      expect(isClosing(line)).toBe(true);
    },
  );

  it.each(['Best of all is the soup.', 'Thank you for your order', 'Regards the matter as closed, he says'])(
    'is not %s',
    (line) => {
      expect(isClosing(line)).toBe(false);
    },
  );
});
