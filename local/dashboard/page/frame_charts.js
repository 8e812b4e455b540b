// The charts of every cloud: queues and invocations.

import { color, durations, forLog, line, numbers, stepped } from './chart.js';
import * as format from './format.js';
import { functionName } from './names.js';

/** All queues together, from the answer to `queue-series`. */
export class QueueChart {
  #chart;

  constructor(charts) {
    this.#chart = charts.add({
      id: 'queue', title: 'Queue',
      plan: () => ({
        ...numbers,
        series: [
          line('waiting', color('accent'), { fill: color('accent-soft'), ...stepped() }),
          line('in flight', color('second'), stepped()),
          line('retries', color('fourth'), stepped()),
          line('dead letters', color('bad'), stepped()),
        ],
      }),
    });
    this.#chart.describe('Messages waiting, in flight, retried and dead');
  }

  get element() {
    return this.#chart.element;
  }

  show({ from, bucketMs, waiting, inFlight, retries, deadLetters }) {
    this.#chart.setData([waiting.map((_, i) => from + i * bucketMs), waiting, inFlight, retries, deadLetters]);
  }
}

/** A dot for each invocation, from the answer to `invocations`. */
export class InvocationsChart {
  #chart;
  #labels = new Map(); // by the function's name

  constructor(charts) {
    this.#chart = charts.add({ id: 'durations', title: 'Invocations', plan: () => this.#plan() });
  }

  get element() {
    return this.#chart.element;
  }

  show(invocations) {
    const names = [...new Set(invocations.map((i) => i.function))].sort();
    const labels = new Map(names.map((name) => [name, functionName(name)]));
    const column = (keep) => forLog(invocations.map((i) => (keep(i) ? i.ms : null)));
    const columns = [
      invocations.map((i) => i.t),
      ...names.map((name) => column((i) => i.function === name && i.outcome === 'ok')),
      column((i) => i.initMs !== null),
      column((i) => i.outcome !== 'ok'),
    ];
    const same = JSON.stringify([...labels]) === JSON.stringify([...this.#labels]);
    this.#labels = labels;
    if (same) this.#chart.setData(columns);
    else this.#chart.build(columns);
    this.#chart.describe(`Durations of ${format.number(invocations.length)} invocations`);
  }

  #plan() {
    const colors = ['accent', 'second', 'third', 'fourth'].map(color);
    const dots = (label, stroke, size, fill) => line(label, stroke, {
      paths: () => null, points: { show: true, size, width: 1.5, stroke, fill },
    });
    return {
      ...durations,
      series: [
        ...[...this.#labels.values()].map((label, i) => dots(label, colors[i % colors.length], 4, colors[i % colors.length])),
        dots('cold start', color('text'), 9, 'transparent'),
        dots('failed', color('bad'), 7, color('bad')),
      ],
    };
  }
}
