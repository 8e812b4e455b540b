// All charts of the page: they show the same range, and a gesture on one moves all.

import { Chart } from './chart.js';
import { listenToBox } from './gestures.js';

export class Charts {
  #charts = new Set();
  #view = { from: 0, to: 1 };
  #frame = null; // in which the charts will be drawn next
  #actions;

  /** actions: move, zoom and select, which the reader's gestures call. */
  constructor(actions) {
    this.#actions = actions;
  }

  /** A new chart; the caller puts its element on the page. See chart.js for the options. */
  add(options) {
    const chart = new Chart({
      onError: (error) => { throw error; }, ...options, view: () => this.#view, onSelect: this.#actions.select,
    });
    this.#charts.add(chart);
    listenToBox(chart.box, this.#actions);
    return chart;
  }

  remove(chart) {
    this.#charts.delete(chart);
    chart.destroy();
  }

  /** Shows [from, to) with the data that is loaded, at most once a frame. */
  setView(from, to) {
    this.#view = { from, to };
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      for (const chart of this.#charts) chart.draw();
    });
  }

  /** Rebuilds the charts, in the colours of the theme. */
  build() {
    for (const chart of this.#charts) chart.build();
  }
}
