// A definition as a picture: boxes and lines as graph.js lays them out, coloured by what has happened.
//
//   const drawing = new Drawing(definition, { onSelect: (name) => … });
//   card.append(drawing.element);
//   drawing.show(progress, 'Charge');

import { setText, svg } from '/_byoshin/page/dom.js';
import { layOut } from './graph.js';

const MARGIN = 10;
const CORNER = 8;
const CHARACTER = 7.4; // how wide, about
const LINE_HEIGHT = 13; // of a label

const STATUS_TEXT = {
  none: 'not entered', running: 'running', succeeded: 'succeeded', failed: 'failed', caught: 'failed and caught', aborted: 'aborted',
};
/** So that a status is told by more than its colour: in a square of 10. */
const MARKS = {
  none: '', running: 'M2 1 9 5 2 9z', succeeded: 'M1 5 4 8 9 2', failed: 'M1.5 1.5 8.5 8.5M8.5 1.5 1.5 8.5', caught: 'M5 0.5V6M5 8.5V9.5', aborted: 'M1.5 1.5H8.5V8.5H1.5z',
};

export const statusText = (status) => STATUS_TEXT[status];

/** A line with round corners through the points. */
function path(points) {
  const parts = [`M${points[0].join(' ')}`];
  for (let i = 1; i < points.length; ++i) {
    const [x0, y0] = points[i - 1];
    const [x, y] = points[i];
    const middle = (y0 + y) / 2;
    parts.push(x === x0 || y === y0 ? `L${x} ${y}` : `C${x0} ${middle} ${x} ${middle} ${x} ${y}`);
  }
  return parts.join('');
}

const cut = (text, width) => {
  const most = Math.max(Math.floor(width / CHARACTER), 4);
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
};

export class Drawing {
  #nodes = new Map(); // by name: { group, mark, count, node }
  #lines = [];
  #onSelect;

  constructor(definition, { onSelect }) {
    this.#onSelect = onSelect;
    const { width, height, nodes, edges } = layOut(definition);
    this.element = svg('svg', {
      class: 'states-graph', role: 'group', 'aria-label': 'States', width: width + 2 * MARGIN, height: height + 2 * MARGIN,
      viewBox: `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`,
    });
    this.element.append(svg('defs', {}, svg('marker', {
      id: 'states-arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: 'userSpaceOnUse', orient: 'auto',
    }, svg('path', { d: 'M0 0 8 4 0 8z' }))));
    const states = nodes.filter(({ kind }) => kind === 'state' || kind === 'box');
    states.sort((a, b) => a.y - b.y || a.x - b.x); // the order of the tab key
    this.element.append(
      ...nodes.filter(({ kind }) => kind === 'box').map(background),
      ...edges.map((edge) => this.#line(edge)),
      ...nodes.filter((node) => !states.includes(node)).map(terminal),
      ...states.map((node) => (node.kind === 'box' ? this.#box(node) : this.#state(node))),
    );
  }

  /** `selected`: the name of a state, or null. */
  show(progress, selected) {
    for (const [name, { group, mark, count, node }] of this.#nodes) {
      const state = progress.state(name);
      const status = state?.status ?? 'none';
      const visits = state?.visits.length ?? 0;
      const retries = (state?.visits ?? []).reduce((sum, visit) => sum + Math.max(visit.attempts.length - 1, 0), 0);
      group.dataset.status = status;
      group.setAttribute('aria-pressed', String(name === selected));
      mark.setAttribute('d', MARKS[status]);
      setText(count, visits > 1 ? `×${visits}` : '');
      group.setAttribute('aria-label', [`${name} ${node.type}, ${STATUS_TEXT[status]}`, visits > 1 ? `entered ${visits} times` : '',
        retries > 0 ? `${retries} ${retries === 1 ? 'retry' : 'retries'}` : ''].filter(Boolean).join(', '));
    }
    for (const { element, edge } of this.#lines) element.dataset.taken = String(wasTaken(edge, progress));
  }

  focus(name) {
    this.#nodes.get(name)?.group.focus();
  }

  #group(node, children) {
    const mark = svg('path', { class: 'mark', transform: `translate(${node.x + 9} ${node.y + 9})`, 'aria-hidden': 'true' });
    const count = svg('text', { class: 'count', x: node.x + node.width - 7, y: node.y + 13, 'aria-hidden': 'true' });
    const select = () => this.#onSelect(node.name);
    const group = svg('g', { class: `state state-${node.kind}`, tabindex: '0', role: 'button', 'data-state': node.name }, ...children, mark, count);
    group.addEventListener('click', (event) => {
      event.stopPropagation();
      select();
    });
    group.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      event.stopPropagation();
      select();
    });
    this.#nodes.set(node.name, { group, mark, count, node });
    return group;
  }

  #state(node) {
    const { x, y, width, height } = node;
    const title = svg('title', {}, `${node.name} (${node.type})`);
    return this.#group(node, [title, svg('rect', { x, y, width, height, rx: CORNER }),
      svg('text', { class: 'name', x: x + width / 2, y: y + 18 }, cut(node.name, width - 44), ' ',
        svg('tspan', { class: 'type', x: x + width / 2, y: y + 32 }, node.type ?? ''))]);
  }

  #box(node) {
    const { x, y, width, height } = node;
    const title = svg('title', {}, `${node.name} (${node.type})`);
    return this.#group(node, [title, svg('rect', { x, y, width, height, rx: CORNER }),
      svg('rect', { class: 'title', x, y, width, height: 28, rx: CORNER }),
      svg('text', { class: 'name box-name', x: x + 26, y: y + 19 }, cut(node.name, width - 96), ' ', svg('tspan', { class: 'type' }, node.type))]);
  }

  #line(edge) {
    const element = svg('g', { class: `line line-${edge.kind}` },
      svg('path', { d: path(edge.points), 'marker-end': 'url(#states-arrow)' }));
    if (edge.label) {
      const [x, middle] = edge.labelAt;
      const y = middle + 4 - (edge.lines.length - 1) * LINE_HEIGHT / 2;
      element.append(svg('title', {}, edge.kind === 'catch' ? `catch ${edge.label}` : edge.label),
        svg('text', {}, ...edge.lines.map((text, i) => svg('tspan', { x, y: y + i * LINE_HEIGHT }, text))));
    }
    this.#lines.push({ element, edge });
    return element;
  }
}

const background = ({ x, y, width, height }) => svg('rect', { class: 'background', x, y, width, height, rx: CORNER });

const terminal = ({ name, x, y, width, height }) => svg('g', { class: 'terminal', 'aria-hidden': 'true' },
  svg('circle', { cx: x + width / 2, cy: y + height / 2, r: width / 2 }),
  svg('text', { x: x + width / 2, y: y + height / 2 + 3.5 }, name));

/** Whether the execution has gone this way. */
function wasTaken({ from, fromKind, to, toKind, kind }, progress) {
  if (fromKind === 'start') return progress.state(to) !== undefined;
  if (toKind !== 'end') return progress.follows(from, to, kind === 'catch');
  return (progress.state(from)?.visits ?? []).some(({ type, status }) => status === 'succeeded' || (type === 'Fail' && status === 'failed'));
}
