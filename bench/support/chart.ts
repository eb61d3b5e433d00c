/** A column of a table as horizontal bars with their ranges: an SVG for light and dark pages alike. */

import type { Spread } from './stats.ts';
import { formatCell, type Table } from './table.ts';

const width = 760;
const labelWidth = 250;
const valueWidth = 190;
const rowHeight = 26;
const barHeight = 14;

/** The SVG's text. `column` counts from 1, since column 0 names the rows; cells that are text are left out. */
export function drawBarChart({ title, rows }: Table, column: number): string {
  const bars = rows.flatMap(({ name, own = false, cells }) => {
    const cell = cells[column - 1];
    return cell === undefined || typeof cell === 'string' ? [] : [{ name: name.replaceAll('`', ''), own, cell }];
  });
  const max = Math.max(...bars.map(({ cell }) => cell.high));
  const room = width - labelWidth - valueWidth;
  const x = (value: number) => labelWidth + (room * value) / max;
  const height = 40 + bars.length * rowHeight;
  const lines = bars.map(({ name, own, cell }, at) => {
    const middle = 40 + at * rowHeight + barHeight / 2;
    return [
      `<text x="${labelWidth - 10}" y="${middle + 4}" text-anchor="end">${escapeXml(name)}</text>`,
      `<rect x="${labelWidth}" y="${middle - barHeight / 2}" width="${(x(cell.median) - labelWidth).toFixed(1)}" height="${barHeight}" rx="2" fill="${own ? '#2f7d6b' : '#9aa3ad'}"/>`,
      whisker(cell, x, middle),
      `<text x="${(x(cell.high) + 8).toFixed(1)}" y="${middle + 4}">${escapeXml(formatCell(cell))}</text>`,
    ].join('\n  ');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">
  <style>text { font: 12px system-ui, sans-serif; fill: #1f2933 } @media (prefers-color-scheme: dark) { text { fill: #dde3ea } }</style>
  <text x="0" y="18" font-weight="600">${escapeXml(title)}</text>
  ${lines.join('\n  ')}
</svg>
`;
}

function whisker({ low, high }: Spread, x: (value: number) => number, middle: number): string {
  if (low === high) return '';
  const [from, to] = [x(low).toFixed(1), x(high).toFixed(1)];
  return `<path d="M${from} ${middle}H${to}M${from} ${middle - 4}v8M${to} ${middle - 4}v8" stroke="#6b7480" fill="none"/>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
