// One chart over time, and the scales, lines and colours that charts share.
//
//   const chart = charts.add({
//     id: 'orders', title: 'Orders',
//     plan: () => ({ ...numbers, series: [line('orders', color('accent'))] }),
//   });
//   parent.append(chart.element);
//   chart.setData([times, orders]);  // null where there is no value

import { h } from './dom.js';
import * as format from './format.js';

const DAY = 86_400_000;
const FLOOR_MS = 0.1; // the lowest value on a logarithmic axis of milliseconds

/** A colour of the theme: accent, second, bad and so on, as app.css defines them. */
export const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** A scale that includes 0, a little above the axis. */
const zeroRange = (_plot, _min, max) => {
  const top = Math.max(max ?? 0, 1);
  return [-top * 0.06, top * 1.12];
};

const logRange = (_plot, min, max) => {
  const low = Math.max(min ?? 1, FLOOR_MS);
  const high = Math.max(max ?? 10, low);
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.max(Math.ceil(Math.log10(high * 1.05)), Math.floor(Math.log10(low)) + 1)];
};

/** For a plan: the y-axis of numbers from 0 on. */
export const numbers = { y: { range: zeroRange } };

/** For a plan: a logarithmic y-axis of durations, whose values have passed through forLog(). */
export const durations = { y: { distr: 3, log: 10, range: logRange }, format: format.duration, tick: format.roundDuration };

/** Milliseconds as a logarithmic axis can show them. */
export const forLog = (values) => values.map((v) => (v === null ? null : Math.max(v, FLOOR_MS)));

/** A series of a plan. `more`: options of uPlot, and those of Chart. */
export const line = (label, stroke, more = {}) => ({ label, stroke, swatch: stroke, width: 1.75, points: { show: false }, ...more });

/** For line(): a value holds until the next. */
export const stepped = () => ({ paths: uPlot.paths.stepped({ align: 1 }) });

function timeTicks(_plot, splits, _axis, _space, step) {
  return splits.map((ms) => {
    if (step >= DAY || ms % DAY === 0) return new Date(ms).toISOString().slice(5, 10);
    return format.time(ms).slice(0, step >= 60_000 ? 5 : 8);
  });
}

export class Chart {
  /** The card to put on the page. */
  element;
  /** The part of it that is drawn, and that gestures are for. */
  box;
  #options;
  #readout;
  #plan = null;
  #plot = null; // uPlot's object; made with the first data
  #columns = null;
  #destroyed = false;
  #resizer;

  /**
   * Use Charts.add(), which also passes view(), onSelect(from, to) and onError(error).
   *   wide       it takes a row of its own
   *   plan()     what to draw, in the colours of the theme; called again when the theme changes:
   *                series       uPlot's, mostly made by line(). `swatch` is the colour in the legend. A series with
   *                             `detail` is not in the legend, and its value is read out only if detail() is true
   *                bands, y     uPlot's
   *                under(plot)  draws below the series
   *                format, tick how a value is read out, and how it stands at the axis
   *   notes(i)   texts to read out for the value of index i, before those of the series
   */
  constructor(options) {
    const { id, title, wide = false } = options;
    this.#options = { notes: () => [], ...options };
    this.#readout = h('p', { class: 'readout', id: `${id}-readout` });
    this.box = h('div', { class: 'chart', id, tabindex: '0', role: 'img', 'aria-label': title });
    this.element = h('section', { class: `card chart-card${wide ? ' wide' : ''}`, 'aria-labelledby': `${id}-title` },
      h('div', { class: 'chart-head' }, h('h2', { id: `${id}-title` }, title), this.#readout), this.box);
    this.#resizer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = this.box;
      if (this.#plot && (this.#plot.width !== width || this.#plot.height !== height)) this.#plot.setSize({ width, height });
    });
    this.#resizer.observe(this.box);
  }

  /** `columns`: times, then the values of each series. */
  setData(columns) {
    if (!this.#plot) return this.build(columns);
    this.#columns = columns;
    this.#plot.setData(columns);
    return this.#readOut();
  }

  /** Sets the text that screen readers read. */
  describe(text) {
    this.box.setAttribute('aria-label', text);
  }

  /** Rebuilds the plot, after a change of the plan or of the theme. */
  build(columns = this.#columns) {
    if (!columns || this.#destroyed) return;
    this.#columns = columns;
    this.#guard(() => {
      this.#plan = { format: format.number, ...this.#options.plan() };
      this.#plot?.destroy();
      this.#plot = null;
      this.#plot = this.#make();
      this.#readOut();
    });
  }

  /** Shows the view with the data that is loaded, if the chart is on the screen. */
  draw() {
    if (!this.#plot) return;
    const { from: min, to: max } = this.#options.view();
    const { x } = this.#plot.scales;
    if (x.min === min && x.max === max) return; // as the data was, which has been drawn
    const { top, bottom } = this.box.getBoundingClientRect();
    // The rest follows with the data, which is loaded whenever the range has changed.
    if (bottom > 0 && top < innerHeight) this.#plot.setScale('x', { min, max });
  }

  /** Takes the chart off the page for good; data that arrives later is ignored. */
  destroy() {
    this.#destroyed = true;
    this.#resizer.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
    this.element.remove();
  }

  /** The callbacks of a plan may be an application's. Their errors must not stop the other charts. */
  #guard(action) {
    try {
      action();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #make() {
    const { series, bands, y, under, tick = this.#plan.format } = this.#plan;
    const axis = {
      stroke: color('muted'), grid: { stroke: color('grid'), width: 1 }, ticks: { stroke: color('grid'), width: 1, size: 4 },
      font: '11px system-ui, "Open Sans", sans-serif',
    };
    const range = () => {
      const { from, to } = this.#options.view();
      return [from, to];
    };
    return new uPlot({
      width: this.box.clientWidth, height: this.box.clientHeight, ms: 1, padding: [10, 22, 0, 0],
      tzDate: (ms) => uPlot.tzDate(new Date(ms), 'Etc/UTC'),
      legend: { show: false },
      cursor: {
        y: false, points: { size: 7 },
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => null },
        sync: { key: 'byoshin', filters: { pub: (type) => type !== 'mousedown' && type !== 'mouseup' } },
      },
      scales: { x: { time: true, range }, y },
      axes: [{ ...axis, values: timeTicks, space: 70, size: 30 }, {
        ...axis, size: 58,
        values: (_plot, splits) => splits.map((v) => (v === null || v < 0 ? '' : tick(v))),
      }],
      series: [{}, ...series], bands,
      hooks: {
        drawClear: under ? [(plot) => this.#guard(() => under(plot))] : [],
        setSelect: [(plot) => this.#select(plot)],
        setCursor: [() => this.#readOut()],
      },
    }, this.#columns, this.box);
  }

  #select(plot) {
    const { left, width } = plot.select;
    if (width < 4) return;
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    this.#options.onSelect(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
  }

  /** The values below the cursor; without one, the legend. */
  #readOut() {
    const plot = this.#plot;
    if (!plot) return; // uPlot sets the cursor while it is being made
    this.#guard(() => {
      const index = plot.cursor.idx ?? null;
      const at = index === null ? null : plot.data[0][index] ?? null;
      const parts = at === null ? [] : [format.dateTime(at), ...this.#options.notes(index)].map((text) => h('b', {}, text));
      plot.series.slice(1).forEach((series, i) => {
        if (series.detail && (at === null || !series.detail())) return;
        const value = at === null ? null : plot.data[i + 1][index] ?? null;
        if (at !== null && value === null) return;
        const swatch = h('span', { class: 'sw' });
        swatch.style.background = series.swatch;
        parts.push(h('span', {}, swatch, at === null ? series.label : `${series.label} ${this.#plan.format(value)}`));
      });
      this.#readout.replaceChildren(...parts);
    });
  }
}
