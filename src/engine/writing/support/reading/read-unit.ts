/** The unit after a number: "km", "°C", "cubic metres", "per cent", "km/h", "kilometres per hour", a currency. */
import type { Token } from './read-text.ts';
import { currencies, symbols, units } from './units.ts';

/** The unit that starts at a token, its factor to the base unit, and the index after it. `isTaken` says which tokens belong to a date. */
export function readUnit(
  tokens: readonly Token[],
  at: number,
  isTaken: (index: number) => boolean,
): { dimension: string; factor: number; to: number } | undefined {
  let to = at;
  if (tokens[to]?.lower === '-') to += 1;
  const token = tokens[to];
  if (token === undefined || isTaken(to)) return undefined;
  if (token.lower === '°') {
    const scale = tokens[to + 1]?.text;
    return {
      dimension: scale === 'F' ? 'fahrenheit' : scale === 'C' ? 'celsius' : 'degrees',
      factor: 1,
      to: scale === 'C' || scale === 'F' ? to + 2 : to + 1,
    };
  }
  const scale = /^degrees?$/.test(token.lower) ? tokens[to + 1]?.lower : undefined;
  if (scale === 'celsius' || scale === 'c') return { dimension: 'celsius', factor: 1, to: to + 2 };
  if (scale === 'fahrenheit' || scale === 'f') return { dimension: 'fahrenheit', factor: 1, to: to + 2 };
  const cube = token.stem === 'cubic' || token.stem === 'squar' ? token.stem : undefined;
  if (cube !== undefined) {
    const [, factor = 1] = units[tokens[to + 1]?.stem ?? ''] ?? [];
    return { dimension: cube, factor: factor ** (cube === 'cubic' ? 3 : 2), to: to + 2 };
  }
  const currency = currencies[token.stem] ?? currencies[token.text];
  if (currency !== undefined && currency !== '') return { dimension: currency, factor: 1, to: to + 1 };
  if (token.lower === 'per' && tokens[to + 1]?.stem === 'cent') return { dimension: 'percent', factor: 1, to: to + 2 };
  const unit = units[token.stem] ?? units[token.lower];
  if (
    unit === undefined ||
    (symbols.has(token.lower) &&
      token.lower.length <= 2 &&
      token.kind === 'content' &&
      /^[A-Z]$/.test(token.text) &&
      token.text !== 'W' &&
      token.text !== 'L')
  )
    return undefined;
  const [dimension, factor] = unit;
  // "km/h" and "kilometres per hour" are a speed.
  const [slash, hour] = [tokens[to + 1]?.lower, tokens[to + 2]?.stem];
  if (dimension === 'length' && (hour === 'hour' || hour === 'second') && (slash === 'per' || slash === 'an'))
    return { dimension: 'speed', factor: hour === 'hour' ? factor / 1e3 : factor * 3.6, to: to + 3 };
  if (dimension === 'length' && (slash === 'h' || slash === 's') && tokens[to + 1]!.start === token.end + 1)
    return { dimension: 'speed', factor: slash === 'h' ? factor / 1e3 : factor * 3.6, to: to + 2 };
  return { dimension, factor, to: to + 1 };
}
