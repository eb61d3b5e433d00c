/**
 * Stacked bars over time. For screen readers the chart is one image with a summary as its name; the numbers are in the table
 * below it.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatList, formatNumber, formatShortNumber } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { fill } from '../../language/message.ts';
import { ScrollRegion } from '../scroll-region.tsx';
import type { Bar } from './usage-series.ts';
import './bar-chart.css';

interface BarChartProps {
  readonly title: string;
  /** Names of the parts of each bar, from the bottom up. */
  readonly parts: readonly string[];
  readonly bars: readonly Bar[];
}

const height = 220;
const margin = { top: 12, right: 4, bottom: 26, left: 44 };
const labelWidth = 64;

export function BarChart({ title, parts, bars }: BarChartProps) {
  const [frame, width] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const ticks = ticksUpTo(Math.max(1, ...sums));
  const max = ticks.at(-1)!;
  const inner = { width: Math.max(0, width - margin.left - margin.right), height: height - margin.top - margin.bottom };
  const step = inner.width / bars.length;
  const y = (value: number) => margin.top + inner.height * (1 - value / max);
  const x = (at: number) => margin.left + at * step;
  const every = Math.max(1, Math.ceil(labelWidth / Math.max(1, step)));
  const choose = ({ offsetX }: PointerEvent) => {
    const at = Math.floor((offsetX - margin.left) / step);
    setChosen(at >= 0 && at < bars.length ? at : undefined);
  };
  const bar = chosen === undefined ? undefined : bars[chosen];

  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <span class="chart-title">{title}</span>
        <Legend parts={parts} totals={parts.map((_, part) => sumOf(bars, part))} />
      </figcaption>
      <div class="chart-frame" ref={frame}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${title}: ${summary(parts, bars)}`}
          onPointerMove={choose}
          onPointerLeave={() => setChosen(undefined)}
        >
          {ticks.map((tick) => (
            <g key={tick} class="chart-tick">
              <line x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
              <text x={margin.left - 8} y={y(tick)} dy="0.32em" text-anchor="end">
                {formatShortNumber(tick)}
              </text>
            </g>
          ))}
          {chosen !== undefined && (
            <rect class="chart-band" x={x(chosen)} y={margin.top} width={step} height={inner.height} />
          )}
          {bars.map(({ values, short }, at) => (
            <g key={`${at} ${short}`}>
              {stack(values).map(([from, to], part) =>
                to > from ? (
                  <rect
                    key={parts[part]}
                    class={`chart-part-${part}`}
                    x={x(at) + step * 0.14}
                    width={step * 0.72}
                    y={y(to)}
                    height={y(from) - y(to)}
                    rx={Math.min(2, step * 0.2)}
                  />
                ) : null,
              )}
              {at % every === 0 && x(at) + labelWidth / 2 < width && (
                <text class="chart-label" x={x(at) + step / 2} y={height - 8} text-anchor="middle">
                  {short}
                </text>
              )}
            </g>
          ))}
        </svg>
        {bar !== undefined && (
          <div class="chart-hint" style={{ left: `${Math.min(Math.max(x(chosen!) + step / 2, 80), width - 80)}px` }}>
            <strong>{bar.full}</strong>
            {parts.map((name, part) => (
              <span key={name} class="chart-hint-line">
                <i class={`chart-dot chart-part-${part}`} /> {name} <b>{formatNumber(bar.values[part] ?? 0)}</b>
              </span>
            ))}
          </div>
        )}
      </div>
      <DataTable title={title} parts={parts} bars={bars} />
    </figure>
  );
}

function Legend({ parts, totals }: { readonly parts: readonly string[]; readonly totals: readonly number[] }) {
  return (
    <span class="chart-legend">
      {parts.map((name, part) => (
        <span key={name}>
          <i class={`chart-dot chart-part-${part}`} /> {name} <b>{formatShortNumber(totals[part] ?? 0)}</b>
        </span>
      ))}
    </span>
  );
}

/** Leaves out bars without usage. */
function DataTable({ title, parts, bars }: BarChartProps) {
  const filled = bars.filter(({ values }) => values.some((value) => value > 0));
  return (
    <details class="more">
      <summary>{t.usage.asTable}</summary>
      {filled.length === 0 ? (
        <p class="page-about">{t.usage.empty}</p>
      ) : (
        <ScrollRegion label={fill(t.usage.tableOf, { title })}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.usage.when}</th>
                {parts.map((name) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {filled.map(({ full, values }) => (
                <tr key={full}>
                  <th scope="row">{full}</th>
                  {parts.map((name, part) => (
                    <td key={name} class="number">
                      {formatNumber(values[part] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </details>
  );
}

function summary(parts: readonly string[], bars: readonly Bar[]): string {
  const totals = formatList(parts.map((name, part) => `${name} ${formatNumber(sumOf(bars, part))}`));
  return fill(t.usage.span, { totals, from: bars[0]?.full ?? '', until: bars.at(-1)?.full ?? '' });
}

function sumOf(bars: readonly Bar[], part: number): number {
  return bars.reduce((sum, { values }) => sum + (values[part] ?? 0), 0);
}

/** Start and end of each part when they are stacked. */
function stack(values: readonly number[]): [number, number][] {
  let top = 0;
  return values.map((value) => {
    const from = top;
    top += value;
    return [from, top];
  });
}

/** At most five round integers from 0 to at least `max`. */
function ticksUpTo(max: number): number[] {
  const rough = max / 4;
  const size = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * size).find((each) => each >= rough) ?? 10 * size);
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, at) => at * step);
}

function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const measure = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    measure.observe(frame.current!);
    return () => measure.disconnect();
  }, []);
  return [frame, width] as const;
}
