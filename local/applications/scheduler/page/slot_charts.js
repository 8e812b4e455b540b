// The counts of slots, with gaps where slots are missing, and their lateness.

import { color, durations, forLog, line, numbers, stepped } from '/_byoshin/page/chart.js';
import * as format from '/_byoshin/page/format.js';

const MAX_POINTS = 400; // more slots than this are a line without dots

export class SlotCharts {
  #series = null; // the answer to `series` that is shown
  #dots = false; // whether each slot gets a dot
  #counts;
  #lateness;

  constructor(frame) {
    this.#counts = frame.addChart({
      id: 'counts', title: 'Counts', wide: true, plan: () => this.#planCounts(),
      notes: (i) => (this.#series.missing[i] ? [`${format.number(this.#series.missing[i])} missing`] : []),
    });
    this.#lateness = frame.addChart({ id: 'lateness', title: 'Lateness', plan: () => this.#planLateness() });
  }

  show(series) {
    const { from, bucketMs, slotMs, count, lateness, stored } = series;
    const times = stored.map((_, i) => from + i * bucketMs);
    this.#series = series;
    this.#dots = bucketMs === slotMs && times.length <= MAX_POINTS;
    this.#counts.setData([times, count.max, count.min, count.avg]);
    this.#lateness.setData([times, ...[lateness.max, lateness.p99, lateness.p50].map(forLog)]);
    this.#describe();
  }

  #withDots() {
    return { points: { show: () => this.#dots, size: 4 } };
  }

  #planCounts() {
    const [soft, hard] = [color('bad-soft'), color('bad')];
    // The band between the least and the greatest of a bucket, which a single slot does not have.
    const edge = { ...stepped(), swatch: color('accent-soft'), detail: () => this.#series.bucketMs !== this.#series.slotMs };
    return {
      ...numbers,
      series: [
        line('max', 'transparent', edge),
        line('min', 'transparent', edge),
        line('count', color('accent'), { width: 2, ...stepped(), ...this.#withDots() }),
      ],
      bands: [{ series: [1, 2], fill: color('accent-soft') }],
      under: (plot) => this.#drawMissing(plot, soft, hard),
    };
  }

  #planLateness() {
    return {
      ...durations,
      series: [
        line('max', color('fourth'), { width: 1.25 }),
        line('p99', color('second')),
        line('p50', color('accent'), this.#withDots()),
      ],
    };
  }

  /** A gap is shown as one: shaded, with a mark at the foot, however small it is among its neighbours. */
  #drawMissing(plot, soft, hard) {
    const { from, bucketMs, missing, stored } = this.#series;
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (let i = 0; i < missing.length; ++i) {
      if (!missing[i]) continue;
      let end = i;
      while (missing[end + 1] && !stored[end + 1] === !stored[i]) ++end;
      const left = plot.valToPos(from + i * bucketMs, 'x', true);
      const right = plot.valToPos(from + (end + 1) * bucketMs, 'x', true);
      const width = Math.max(right - left, 2);
      ctx.fillStyle = soft;
      ctx.globalAlpha = stored[i] ? 0.5 : 1;
      ctx.fillRect(left, bbox.top, width, bbox.height);
      ctx.globalAlpha = 1;
      ctx.fillStyle = hard;
      ctx.fillRect(left, bbox.top + bbox.height - 4, width, 4);
      i = end;
    }
    ctx.restore();
  }

  #describe() {
    const { summary, bucketMs } = this.#series;
    const late = summary.lateness;
    this.#counts.describe(`Counts, one value every ${format.exactDuration(bucketMs)}: `
      + `${summary.stored} of ${summary.expected} slots stored, ${summary.missing} missing`
      + (summary.count ? `, from ${summary.count.min} to ${summary.count.max}` : ''));
    this.#lateness.describe(late
      ? `Lateness: half within ${format.duration(late.p50)}, 99 in 100 within ${format.duration(late.p99)}, at most ${format.duration(late.max)}`
      : 'Lateness: none known in this range');
  }
}
