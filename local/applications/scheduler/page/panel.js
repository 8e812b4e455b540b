// The scheduler's panel: the last minute, how many slots are stored, their counts and their lateness.

import * as format from '/_byoshin/page/format.js';
import { Dial } from './dial.js';
import { SlotCharts } from './slot_charts.js';

/** For the frame: see panels.js of the dashboard. */
export function open(frame) {
  const dial = new Dial();
  frame.addCard(dial.element);
  const tiles = ['Slots stored', 'Missing', 'Lateness p99'].map((name) => frame.addTile(name));
  const charts = new SlotCharts(frame);
  return {
    async update({ now, scheduler: { slotMs, windowLagMs } }) {
      const newest = Math.floor((now - windowLagMs) / slotMs) * slotMs; // the newest slot that is due
      dial.show(await frame.get('series', { from: newest - 11 * slotMs, to: newest + slotMs, buckets: 12 }));
    },
    async load(range) {
      const series = await frame.get('series', range);
      charts.show(series);
      showTiles(tiles, series.summary);
    },
  };
}

function showTiles([slots, missing, lateness], summary) {
  const late = summary.lateness;
  slots.show(format.number(summary.stored), `of ${format.number(summary.expected)} · ${format.percent(summary.stored, summary.expected)}`);
  missing.show(format.number(summary.missing), 'in this range', summary.missing > 0);
  lateness.show(format.duration(late?.p99), `p50 ${format.duration(late?.p50)} · max ${format.duration(late?.max)}`);
}
