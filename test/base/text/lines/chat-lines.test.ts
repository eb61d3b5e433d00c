import { describe, expect, it } from 'vitest';
import { startOfMessage } from '../../../../src/base/text/lines/chat-lines.ts';

describe('a line of a chat', () => {
  it.each([
    '[05/04/2026, 18:02] Ines: So are we on?',
    '[05/04/2026, 18:02:11] Ines: So are we on?',
    '05/04/2026, 18:02 - Ines: So are we on?',
    '4/5/26, 6:02 PM - Ines: So are we on?',
    '[18:02] Ines: So are we on?',
    '[18:02, 05.04.2026] Ines: So are we on?',
    '2026-04-05 18:02 Ines: So are we on?',
  ])('begins at the name: %s', (line) => {
    expect(line.slice(startOfMessage(line))).toBe('Ines: So are we on?');
  });

  it.each(['[05/04/2026, 18:02] Ines joined', '05/04/2026, 18:02 - Ines joined'])(
    'begins after the time where it says what happened: %s',
    (line) => expect(line.slice(startOfMessage(line))).toBe('Ines joined'),
  );

  it.each([
    'Ines: So are we on?',
    '[1] Ines, page 18:02',
    '18:02 Ines leaves',
    'On 05/04/2026, 18:02 - Ines: wrote this',
    '2026-04-05 18:02 Ines leaves',
    '[x](https://a.example): a link',
  ])('is none: %s', (line) => {
    expect(startOfMessage(line)).toBeUndefined();
  });
});
