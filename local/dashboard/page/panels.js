// Panels of applications: what only they know of their stacks, among what the frame shows of every cloud.
//
// The status lists the applications that have something to show. For each, the frame imports
// /_byoshin/page/NAME/panel.js, with the stylesheet panel.css beside it, and opens the panel:
//
//   export function open(frame) {
//     const tile = frame.addTile('Orders');
//     return {
//       update(status) { tile.show(format.number(status.orders.open), 'open'); },
//     };
//   }
//
// `frame` is a PanelFrame, below. What open() returns has these methods, all optional, which may be asynchronous. Calls of
// one method never overlap: while one runs, only the newest of those to come is kept.
//
//   update(status)               there is a new status, as api.md describes it
//   load({ from, to, buckets })  the range on display has changed, or there is new data for it: fetch and show it
//   close()                      the application has nothing more to show; the panel's elements have been removed
//
// An error in a panel does not affect the rest of the page. It is shown until the same method succeeds.

import { get, Unreachable } from './api.js';
import { $, h, setText } from './dom.js';
import { latest } from './latest.js';
import { Tile } from './tiles.js';

const PAGE = '/_byoshin/page/';

const styles = new Map(); // promises, by address
const attempts = new Map(); // failed imports, by address

/** Loads a stylesheet, once. */
function loadStyle(href) {
  if (!styles.has(href)) {
    styles.set(href, new Promise((resolve, reject) => {
      const failed = () => {
        styles.delete(href);
        reject(new Error(`${href} could not be loaded`));
      };
      document.head.append(h('link', { rel: 'stylesheet', href, onload: resolve, onerror: failed }));
    }));
  }
  return styles.get(href);
}

/** Like import(), but can be retried: a browser does not fetch an address again whose import has failed. */
async function loadModule(address) {
  const failures = attempts.get(address) ?? 0;
  try {
    return await import(failures ? `${address}?attempt=${failures + 1}` : address);
  } catch (error) {
    attempts.set(address, failures + 1);
    throw error;
  }
}

/** What a panel may use of the page. Panels also import chart.js, dom.js and format.js. */
class PanelFrame {
  #panel;

  constructor(panel) {
    this.#panel = panel;
  }

  /** GET of the application's own part of the API: get('series', …) asks for `NAME/series`. */
  get(path, parameters) {
    return get(`${this.#panel.name}/${path}`, parameters);
  }

  /** Puts an element, with class `card`, before the tiles. */
  addCard(element) {
    this.#panel.add('cards', element);
  }

  /** A tile before the frame's own: see tiles.js. */
  addTile(name) {
    const tile = new Tile(name);
    this.#panel.add('tiles', tile.element);
    return tile;
  }

  /** A chart of the range, before the frame's own: see chart.js. */
  addChart(options) {
    return this.#panel.addChart(options);
  }
}

class Panel {
  elements = { cards: [], tiles: [], charts: [] };
  #page;
  #charts = [];
  #view = null; // what open() has returned
  #opened;
  #closed = false;
  #errors = new Map(); // messages, by what has failed
  #alert = null;

  constructor(name, page) {
    this.name = name;
    this.#page = page;
    this.#opened = this.#attempt('open', () => this.#open());
  }

  get failedToOpen() {
    return this.#errors.has('open');
  }

  update = latest((status) => this.#call('update', status));

  load = latest((range) => this.#call('load', range));

  close() {
    this.#closed = true;
    this.#removeAll();
    this.#alert?.remove();
    this.#attempt('close', () => this.#view?.close?.());
  }

  add(kind, element) {
    if (this.#closed) throw new Error('the panel is closed');
    this.elements[kind].push(element);
    this.#page.place(this, kind, element);
  }

  addChart(options) {
    const chart = this.#page.charts.add({ ...options, onError: (error) => this.#failed('draw', error) });
    this.#charts.push(chart);
    this.add('charts', chart.element);
    return chart;
  }

  async #open() {
    try {
      const address = `${PAGE}${this.name}/`;
      const [{ open }] = await Promise.all([loadModule(`${address}panel.js`), loadStyle(`${address}panel.css`)]);
      if (!this.#closed) this.#view = open(new PanelFrame(this));
    } catch (error) {
      this.#removeAll();
      throw error;
    }
  }

  async #call(method, argument) {
    await this.#opened;
    if (!this.#closed) await this.#attempt(method, () => this.#view?.[method]?.(argument));
  }

  /** Never throws. */
  async #attempt(what, action) {
    try {
      await action();
      this.#errors.delete(what);
    } catch (error) {
      if (error instanceof Unreachable) this.#page.onLost(error);
      else this.#failed(what, error);
    }
    this.#showErrors();
  }

  #failed(what, error) {
    if (this.#closed) return;
    console.error(error); // with its stack
    this.#errors.set(what, error?.message ?? String(error));
    this.#showErrors();
  }

  #showErrors() {
    const [message] = this.#errors.values();
    if (message === undefined || this.#closed) {
      this.#alert?.remove();
      this.#alert = null;
      return;
    }
    this.#alert ??= $('failures').appendChild(h('p', { class: 'card failure', role: 'alert' }));
    setText(this.#alert, `The “${this.name}” panel failed: ${message}`);
  }

  #removeAll() {
    for (const chart of this.#charts.splice(0)) this.#page.charts.remove(chart);
    for (const list of Object.values(this.elements)) for (const element of list.splice(0)) element.remove();
  }
}

export class Panels {
  charts;
  onLost;
  #before;
  #panels = new Map(); // by name
  #order = [];
  #range = null;

  /** before: the elements of the frame that the panels' `cards`, `tiles` and `charts` precede. */
  constructor({ charts, before, onLost }) {
    this.charts = charts;
    this.onLost = onLost;
    this.#before = before;
  }

  /** Opens and closes panels as the status lists them, and passes it on. */
  show(status) {
    this.#order = status.panels;
    for (const [name, panel] of this.#panels) {
      if (!status.panels.includes(name)) this.#close(panel);
    }
    for (const name of status.panels) {
      if (!this.#panels.has(name)) this.#open(name);
      this.#panels.get(name).update(status);
    }
  }

  /** Resolves when every panel shows this range or a newer one, or has failed. */
  load(range) {
    this.#range = range;
    return Promise.all([...this.#panels.values()].map((panel) => panel.load(range)));
  }

  /** Closes panels that failed to open, so that the next status opens them again. */
  reopenFailed() {
    for (const panel of this.#panels.values()) if (panel.failedToOpen) this.#close(panel);
  }

  /** Puts an element of a panel on the page, in the order of the panels. */
  place(panel, kind, element) {
    const later = this.#order.slice(this.#order.indexOf(panel.name) + 1)
      .flatMap((name) => this.#panels.get(name)?.elements[kind] ?? []);
    (later[0] ?? this.#before[kind]).before(element);
  }

  #open(name) {
    const panel = new Panel(name, this);
    this.#panels.set(name, panel);
    if (this.#range) panel.load(this.#range);
  }

  #close(panel) {
    this.#panels.delete(panel.name);
    panel.close();
  }
}
