// The chart: nine blocks of nine cells. In the middle the goal and its sub-goals; around it a block for each sub-goal
// with its actions. On a narrow screen one block is shown at a time.

import { h, setText } from './dom.js';
import { ACTIONS, PARTS, SUBGOALS, TASKS, itemsDone } from './goals.js';
import { t } from './texts.js';

const CENTER = 4; // of nine, row by row
const SIZE = 9; // cells in a row of the whole chart
const partOf = (index) => (index < CENTER ? index : index - 1); // which of the eight around the centre
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Row and column of a cell in the whole chart, and back. */
const placeOf = (block, cell) => [Math.floor(block / 3) * 3 + Math.floor(cell / 3), (block % 3) * 3 + (cell % 3)];
const cellAt = (row, column) => [Math.floor(row / 3) * 3 + Math.floor(column / 3), (row % 3) * 3 + (column % 3)];

export class Mandala {
  #onOpen;
  #cells = []; // [block][cell]
  #blocks = [];
  #map = []; // buttons of the overview
  #current = [CENTER, CENTER]; // what the Tab key leads to

  /** onOpen({kind, subGoal, action}) is called with what was chosen: numbers from 0 on. */
  constructor(onOpen) {
    this.#onOpen = onOpen;
    for (let block = 0; block < 9; ++block) {
      this.#cells.push([...Array(9).keys()].map((cell) => this.#newCell(block, cell)));
      this.#blocks.push(h('div', { class: `block ${block === CENTER ? 'core' : `hue-${partOf(block)}`}` }, ...this.#cells[block]));
      this.#map.push(h('button', {
        type: 'button', class: `map-block ${block === CENTER ? 'core' : `hue-${partOf(block)}`}`,
        'aria-label': block === CENTER ? t('center') : t('block', { n: partOf(block) + 1 }), onclick: () => this.#focusBlock(block),
      }));
    }
    this.element = h('div', { class: 'mandala' },
      h('div', { class: 'map', role: 'group', 'aria-label': t('overview') }, ...this.#map),
      h('div', { class: 'grid', role: 'group', 'aria-label': t('chart'), onkeydown: (event) => this.#onKey(event) }, ...this.#blocks));
    this.#focusBlock(CENTER);
    this.#setCurrent(CENTER, CENTER);
  }

  #newCell(block, cell) {
    const around = cell !== CENTER;
    const [kind, what] = block === CENTER
      ? (around ? ['sub', { kind: 'subGoal', subGoal: partOf(cell) }] : ['goal', { kind: 'goal' }])
      : (around ? ['action', { kind: 'action', subGoal: partOf(block), action: partOf(cell) }] : ['sub', { kind: 'subGoal', subGoal: partOf(block) }]);
    const hue = block === CENTER && around ? ` hue-${partOf(cell)}` : '';
    return h('button', {
      type: 'button', class: `cell ${kind}${hue}`, tabindex: '-1',
      onclick: () => {
        this.#setCurrent(block, cell);
        this.#onOpen(what);
      },
    }, h('span', { class: 'words' }), kind === 'action' ? h('span', { class: 'dot', 'aria-hidden': 'true' }) : null);
  }

  #focusBlock(block) {
    this.#blocks.forEach((element, i) => element.toggleAttribute('data-focused', i === block));
    this.#map.forEach((button, i) => button.setAttribute('aria-pressed', String(i === block)));
  }

  #setCurrent(block, cell) {
    const [oldBlock, oldCell] = this.#current;
    this.#cells[oldBlock][oldCell].setAttribute('tabindex', '-1');
    this.#cells[block][cell].setAttribute('tabindex', '0');
    this.#current = [block, cell];
  }

  #onKey(event) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const [row, column] = placeOf(...this.#current);
    const limit = (n) => Math.min(Math.max(n, 0), SIZE - 1);
    const [block, cell] = cellAt(limit(row + step[0]), limit(column + step[1]));
    this.#focusBlock(block);
    this.#setCurrent(block, cell);
    this.#cells[block][cell].focus();
  }

  /** Shows what there is, and how far `process`, which may be null, has got. */
  show(title, chart, process) {
    const work = new Work(chart, process);
    for (let block = 0; block < 9; ++block) {
      for (let cell = 0; cell < 9; ++cell) {
        const element = this.#cells[block][cell];
        if (block === CENTER && cell === CENTER) {
          showCell(element, { text: title, state: 'done', label: t('cellGoal', { text: title }) });
        } else if (block === CENTER || cell === CENTER) {
          const n = partOf(block === CENTER ? cell : block);
          showCell(element, { ...work.subGoal(n), name: 'cellSubGoal', n: n + 1 });
        } else {
          showCell(element, { ...work.action(partOf(block), partOf(cell)), name: 'cellAction', n: partOf(cell) + 1 });
        }
      }
      if (block !== CENTER) {
        this.#map[block].dataset.state = work.block(partOf(block));
        this.#map[block].dataset.tasks = work.blockTasks(partOf(block));
      }
    }
    this.#map[CENTER].dataset.state = chart.subGoals.length ? 'done' : work.subGoal(0).state;
  }
}

function showCell(element, { text, state, tasks, label, name, n }) {
  setText(element.firstElementChild, text ?? '');
  if (element.dataset.state !== state) element.dataset.state = state;
  if (tasks && element.dataset.tasks !== tasks) element.dataset.tasks = tasks;
  const said = label ?? t(name, { n, text: text ?? t(state === 'made' ? 'cellDone' : state === 'working' ? 'working' : 'cellEmpty') });
  if (element.getAttribute('aria-label') !== said) element.setAttribute('aria-label', said);
}

/**
 * The state of each part: "done" if its text is known; "made" if it is generated, but the API returns it only when the
 * process is over; "working"; or "empty".
 */
class Work {
  #chart;
  #process;
  #target;

  constructor(chart, process) {
    this.#chart = chart;
    this.#process = process && (process.status === 'PENDING' || process.status === 'PROCESSING') ? process : null;
    this.#target = this.#process ? chart.target(this.#process.targetId) : null;
  }

  #is(type) { return this.#process?.type === type; }

  subGoal(n) {
    const known = this.#chart.subGoals[n];
    if (this.#is(SUBGOALS)) return { state: this.#process.progress >= 50 ? 'made' : 'working' };
    return known ? { text: known.title, state: 'done' } : { state: 'empty' };
  }

  /** Of the item with this number, of `total`, that the process works through. */
  #item(n, total) {
    const done = itemsDone(this.#process.progress, total);
    if (n < done) return 'made';
    return n === done && this.#process.status === 'PROCESSING' ? 'working' : 'empty';
  }

  block(subGoal) {
    if (this.#is(ACTIONS) && this.#target?.goalId) return this.#item(subGoal, PARTS);
    const id = this.#chart.subGoals[subGoal]?.id;
    if (this.#is(ACTIONS) && id && this.#target?.subGoalId === id) return 'working';
    return this.#chart.actions.get(id)?.length ? 'done' : 'empty';
  }

  action(subGoal, n) {
    const state = this.#is(SUBGOALS) ? 'empty' : this.block(subGoal);
    const known = this.#chart.actions.get(this.#chart.subGoals[subGoal]?.id)?.[n];
    if (state !== 'done' || !known) return { state: state === 'done' ? 'empty' : state, tasks: 'none' };
    return { text: known.title, state, tasks: this.#tasks(known.id, subGoal * PARTS + n) };
  }

  /** Of the tasks of all its actions. */
  blockTasks(subGoal) {
    const states = [...Array(PARTS).keys()].map((n) => this.action(subGoal, n).tasks);
    if (states.every((state) => state === 'done')) return 'done';
    return states.every((state) => state === 'none') ? 'none' : 'working';
  }

  #tasks(id, number) {
    if (this.#is(TASKS) && this.#target?.goalId) return { made: 'done', working: 'working', empty: 'none' }[this.#item(number, PARTS * PARTS)];
    if (this.#is(TASKS) && this.#target?.actionId === id) return 'working';
    return this.#chart.tasks.get(id)?.length ? 'done' : 'none';
  }
}
