// The four charts. Each is a uPlot instance that is made once a theme and then only fed.

import { $, h } from './dom.js';
import * as format from './format.js';

const DAY = 86_400_000;
const FLOOR_MS = 0.1; // the lowest that a logarithmic axis of milliseconds shows
const MAX_POINTS = 400; // more slots than this are a line without dots

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function timeTicks(_chart, splits, _axis, _space, step) {
  return splits.map((ms) => {
    if (step >= DAY || ms % DAY === 0) return new Date(ms).toISOString().slice(5, 10);
    return format.time(ms).slice(0, step >= 60_000 ? 5 : 8);
  });
}

/** A range that shows 0 as a value, a little above the axis. */
const fromZero = (_chart, _min, max) => {
  const top = Math.max(max ?? 0, 1);
  return [-top * 0.06, top * 1.12];
};

const logRange = (_chart, min, max) => {
  const low = Math.max(min ?? 1, FLOOR_MS);
  const high = Math.max(max ?? 10, low);
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.max(Math.ceil(Math.log10(high * 1.05)), Math.floor(Math.log10(low)) + 1)];
};

const forLog = (values) => values.map((v) => (v === null ? null : Math.max(v, FLOOR_MS)));

export class Charts {
  #view = { from: 0, to: 1 };
  #series = null;
  #invocations = [];
  #functions = [];
  #charts = {};
  #dots = false; // whether each slot gets a dot
  #frame = null; // in which the charts will be drawn next
  #onSelect;

  /** onSelect(from, to): the user has marked a span of time. */
  constructor(onSelect) {
    this.#onSelect = onSelect;
    const resizer = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        const [chart, width, height] = [this.#charts[target.id], target.clientWidth, target.clientHeight];
        if (chart.width !== width || chart.height !== height) chart.setSize({ width, height });
      }
    });
    this.build();
    for (const id of Object.keys(this.#charts)) resizer.observe($(id));
  }

  /** Makes the charts anew, in the colours of the theme. */
  build() {
    const color = (name) => css(`--${name}`);
    const make = (id, options) => {
      this.#charts[id]?.destroy();
      this.#charts[id] = this.#make(id, options);
    };
    const line = (label, stroke, more = {}) => ({ label, stroke, color: stroke, width: 1.75, points: { show: false }, ...more });
    const dots = { points: { show: () => this.#dots, size: 4 } };
    const stepped = uPlot.paths.stepped({ align: 1 });
    make('counts', {
      series: [
        line('max', 'transparent', { paths: stepped }),
        line('min', 'transparent', { paths: stepped }),
        line('count', color('accent'), { width: 2, paths: stepped, ...dots }),
      ],
      bands: [{ series: [1, 2], fill: color('accent-soft') }],
      y: { range: fromZero },
      hooks: { drawClear: [(chart) => this.#drawMissing(chart, color('bad-soft'), color('bad'))] },
    });
    make('lateness', {
      series: [
        line('max', color('fourth'), { width: 1.25 }), line('p99', color('second')), line('p50', color('accent'), dots),
      ],
      y: { distr: 3, log: 10, range: logRange },
      format: format.duration, tick: format.roundDuration,
    });
    make('queue', {
      series: [
        line('waiting', color('accent'), { fill: color('accent-soft'), paths: stepped }),
        line('in flight', color('second'), { paths: stepped }),
        line('retries', color('fourth'), { paths: stepped }),
        line('dead letters', color('bad'), { paths: stepped }),
      ],
      y: { range: fromZero },
    });
    this.#buildDurations();
    this.#feed();
  }

  #buildDurations() {
    const colors = ['--accent', '--second', '--third', '--fourth'].map(css);
    const dots = (label, stroke, size, fill) => ({
      label, stroke, color: stroke, paths: () => null, points: { show: true, size, width: 1.5, stroke, fill },
    });
    this.#charts.durations?.destroy();
    this.#charts.durations = this.#make('durations', {
      series: [
        ...this.#functions.map((name, i) => dots(format.shortName(name), colors[i % colors.length], 4, colors[i % colors.length])),
        dots('cold start', css('--text'), 9, 'transparent'),
        dots('failed', css('--bad'), 7, css('--bad')),
      ],
      y: { distr: 3, log: 10, range: logRange },
      format: format.duration, tick: format.roundDuration,
    });
  }

  #make(id, { series, bands, y, hooks = {}, format: formatValue = format.number, tick: formatTick = formatValue }) {
    const box = $(id);
    const axis = {
      stroke: css('--muted'), grid: { stroke: css('--grid'), width: 1 }, ticks: { stroke: css('--grid'), width: 1, size: 4 },
      font: '11px system-ui, "Open Sans", sans-serif',
    };
    return new uPlot({
      width: box.clientWidth, height: box.clientHeight, ms: 1, padding: [10, 22, 0, 0],
      tzDate: (ms) => uPlot.tzDate(new Date(ms), 'Etc/UTC'),
      legend: { show: false },
      cursor: {
        y: false, points: { size: 7 },
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => null },
        sync: { key: 'byoshin', filters: { pub: (type) => type !== 'mousedown' && type !== 'mouseup' } },
      },
      scales: { x: { time: true, range: () => [this.#view.from, this.#view.to] }, y },
      axes: [{ ...axis, values: timeTicks, space: 70, size: 30 }, {
        ...axis, size: 58,
        values: (_chart, splits) => splits.map((v) => (v === null || v < 0 ? '' : formatTick(v))),
      }],
      series: [{}, ...series], bands,
      hooks: {
        ...hooks,
        setSelect: [(chart) => {
          const { left, width } = chart.select;
          if (width < 4) return;
          chart.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          this.#onSelect(chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x'));
        }],
        setCursor: [(chart) => this.#readOut(id, chart, formatValue)],
      },
    }, [[]].concat(series.map(() => [])), box);
  }

  /** Shows [from, to) with the data there is: once a frame, and only what is on the screen. */
  setView(from, to) {
    this.#view = { from, to };
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      const { from: min, to: max } = this.#view;
      for (const [id, chart] of Object.entries(this.#charts)) {
        const { x } = chart.scales;
        if (x.min === min && x.max === max) continue; // as the data was, which has been drawn
        const { top, bottom } = $(id).getBoundingClientRect();
        // The rest follows with the data, which is loaded whenever the range has changed.
        if (bottom > 0 && top < innerHeight) chart.setScale('x', { min, max });
      }
    });
  }

  setData(series, invocations) {
    const names = [...new Set(invocations.map((i) => i.function))].sort();
    this.#series = series;
    this.#invocations = invocations;
    if (names.join('\n') !== this.#functions.join('\n')) {
      this.#functions = names;
      this.#buildDurations();
    }
    this.#feed();
  }

  #feed() {
    const s = this.#series;
    if (!s) return;
    const x = s.stored.map((_, i) => s.from + i * s.bucketMs);
    this.#dots = s.bucketMs === s.slotMs && x.length <= MAX_POINTS;
    this.#charts.counts.setData([x, s.count.max, s.count.min, s.count.avg]);
    this.#charts.lateness.setData([x, forLog(s.lateness.max), forLog(s.lateness.p99), forLog(s.lateness.p50)]);
    this.#charts.queue.setData([x, s.queue.waiting, s.queue.inFlight, s.queue.retries, s.queue.deadLetters]);
    this.#feedDurations();
    this.#describe();
  }

  #feedDurations() {
    const all = this.#invocations;
    const column = (keep, value = (i) => i.ms) => all.map((i) => (keep(i) ? Math.max(value(i), FLOOR_MS) : null));
    this.#charts.durations.setData([
      all.map((i) => i.t),
      ...this.#functions.map((name) => column((i) => i.function === name && i.outcome === 'ok')),
      column((i) => i.initMs !== null, (i) => i.ms),
      column((i) => i.outcome !== 'ok'),
    ]);
    for (const [id, chart] of Object.entries(this.#charts)) this.#readOut(id, chart);
  }

  /** A gap is shown as one: shaded, with a mark at the foot, however small it is among its neighbours. */
  #drawMissing(chart, soft, hard) {
    const s = this.#series;
    if (!s) return;
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (let i = 0; i < s.missing.length; ++i) {
      if (!s.missing[i]) continue;
      let end = i;
      while (s.missing[end + 1] && !s.stored[end + 1] === !s.stored[i]) ++end;
      const left = chart.valToPos(s.from + i * s.bucketMs, 'x', true);
      const right = chart.valToPos(s.from + (end + 1) * s.bucketMs, 'x', true);
      const width = Math.max(right - left, 2);
      ctx.fillStyle = soft;
      ctx.globalAlpha = s.stored[i] ? 0.5 : 1;
      ctx.fillRect(left, bbox.top, width, bbox.height);
      ctx.globalAlpha = 1;
      ctx.fillStyle = hard;
      ctx.fillRect(left, bbox.top + bbox.height - 4, width, 4);
      i = end;
    }
    ctx.restore();
  }

  #readOut(id, chart, formatValue = id === 'lateness' || id === 'durations' ? format.duration : format.number) {
    const box = $(`${id}-readout`);
    const index = chart.cursor.idx;
    const parts = [];
    const at = index === null || index === undefined ? null : chart.data[0][index];
    if (at !== null && at !== undefined) parts.push(h('b', {}, format.dateTime(at)));
    const missing = id === 'counts' && at !== null && this.#series?.missing[index];
    if (missing) parts.push(h('b', {}, `${format.number(missing)} missing`));
    chart.series.slice(1).forEach((series, i) => {
      if (series.color === 'transparent' && (at === null || this.#series?.bucketMs === this.#series?.slotMs)) return;
      const value = at === null ? undefined : chart.data[i + 1][index];
      if (at !== null && (value === null || value === undefined)) return;
      const swatch = h('span', { class: 'sw' });
      swatch.style.background = series.color === 'transparent' ? css('--accent-soft') : series.color;
      parts.push(h('span', {}, swatch, at === null ? series.label : `${series.label} ${formatValue(value)}`));
    });
    box.replaceChildren(...parts);
  }

  #describe() {
    const { summary, bucketMs } = this.#series;
    const late = summary.lateness;
    $('counts').setAttribute('aria-label', `Counts, one value every ${format.exactDuration(bucketMs)}: `
      + `${summary.stored} of ${summary.expected} slots stored, ${summary.missing} missing`
      + (summary.count ? `, from ${summary.count.min} to ${summary.count.max}` : ''));
    $('lateness').setAttribute('aria-label', late
      ? `Lateness: half within ${format.duration(late.p50)}, 99 in 100 within ${format.duration(late.p99)}, at most ${format.duration(late.max)}`
      : 'Lateness: none known in this range');
    $('queue').setAttribute('aria-label', 'Messages waiting, in flight, retried and dead');
    $('durations').setAttribute('aria-label', `Durations of ${this.#invocations.length} invocations`);
  }
}
