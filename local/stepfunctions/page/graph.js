// Where the states of a definition stand, and how the lines between them run. Pure: no page, no measuring.
//
//   const { width, height, nodes, edges } = layOut(JSON.parse(definition));
//   nodes  [{ name, type, x, y, width, height, depth, kind: 'state' | 'box' | 'start' | 'end' }], boxes before what is in them
//   edges  [{ from, fromKind, to, toKind, kind: 'next' | 'choice' | 'default' | 'catch', label, lines, back, points: [[x, y], …] }]
//          `lines` is the label as it is drawn, around `labelAt`; they are kept clear of each other
//
// States are put into layers: each below all that lead to it, if loops are left out. A line that passes a layer gets a place
// in it, as if it were a state. Each layer is ordered by where its neighbours are, which keeps lines from crossing.

const STATE_HEIGHT = 40;
const TERMINAL_SIZE = 30;
const PASSAGE_WIDTH = 14; // of a line through a layer
const GAP_X = 26;
const GAP_Y = 50;
const PADDING = 14; // in a box
const TITLE_HEIGHT = 30; // of a box
const NARROWEST = 96;
const WIDEST = 230;
const SWEEPS = 8;
const LABEL_CHARACTER = 6; // how wide in a label, about
const MOST_LINES = 3; // of a label; they fit into GAP_Y
const LONGEST_LINE = 40;
const LABEL_AT = 0.8; // of the way across, where lines from one state have parted

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const list = (value) => (Array.isArray(value) ? value.filter(isObject) : []);
const textWidth = (text, perCharacter) => [...text].reduce((sum, c) => sum + (c.codePointAt(0) > 0x2e80 ? 2 : 1), 0) * perCharacter;
const widthOf = (name) => Math.min(Math.max(textWidth(name, 7.4) + 56, NARROWEST), WIDEST);

const cut = (text) => ([...text].length > LONGEST_LINE ? `${[...text].slice(0, LONGEST_LINE - 1).join('')}…` : text);

/** A label in lines: of a catch, each error in its own. */
function labelLines(kind, label) {
  if (!label) return [];
  if (kind !== 'catch') return [cut(label)];
  const errors = label.split(', ');
  const shown = errors.length > MOST_LINES ? [...errors.slice(0, MOST_LINES - 1), `and ${errors.length - MOST_LINES + 1} others`] : errors;
  return shown.map((error, i) => cut(i === 0 ? `catch ${error}` : error));
}

/** The machines inside a state: the branches of a Parallel, the processor of a Map. */
export function innerMachines(state) {
  if (state.Type === 'Parallel') return list(state.Branches);
  const processor = state.ItemProcessor ?? state.Iterator;
  return state.Type === 'Map' && isObject(processor) ? [processor] : [];
}

/** Where a state may lead: [{ to, kind, label }], each state and kind once. */
export function transitions(state) {
  const found = new Map();
  const add = (to, kind, label = '') => {
    if (typeof to !== 'string') return;
    const key = JSON.stringify([to, kind]);
    const known = found.get(key);
    if (!known) found.set(key, { to, kind, label });
    else if (label && !known.label.split(', ').includes(label)) known.label += `, ${label}`;
  };
  for (const rule of list(state.Choices)) add(rule.Next, 'choice');
  add(state.Default, 'default', 'default');
  add(state.Next, 'next');
  for (const catcher of list(state.Catch)) add(catcher.Next, 'catch', (catcher.ErrorEquals ?? []).join(', '));
  return [...found.values()];
}

/** All states of a definition, also those inside others: a Map by name, as a name is used once in a definition. */
export function allStates(machine, found = new Map()) {
  if (!isObject(machine?.States)) return found;
  for (const [name, state] of Object.entries(machine.States)) {
    if (!isObject(state)) continue;
    found.set(name, state);
    for (const inner of innerMachines(state)) allStates(inner, found);
  }
  return found;
}

export function layOut(machine) {
  const { width, height, nodes, edges } = layOutMachine(machine, 0);
  return { width, height, nodes, edges };
}

function layOutMachine(machine, depth) {
  const graph = buildGraph(machine, depth);
  const layers = orderLayers(putIntoLayers(graph));
  placeAcross(layers);
  return draw(graph, layers);
}

// From the definition to nodes and lines.

function buildGraph(machine, depth) {
  const states = Object.entries(isObject(machine?.States) ? machine.States : {}).filter(([, state]) => isObject(state));
  const nodes = new Map(states.map(([name, state]) => [name, newNode(name, state, depth)]));
  const edges = [];
  const connect = (from, to, kind, label) => { if (from && to) edges.push({ from, to, kind, label, lines: labelLines(kind, label), back: false }); };
  for (const [name, state] of states) {
    for (const { to, kind, label } of transitions(state)) connect(nodes.get(name), nodes.get(to), kind, label);
  }
  if (depth === 0 && nodes.size > 0) addTerminals(machine, states, nodes, connect);
  const first = nodes.get('\0start') ?? nodes.get(machine?.StartAt);
  return { nodes: [...nodes.values()], edges, first };
}

function newNode(name, state, depth) {
  const inner = innerMachines(state).map((machine) => layOutMachine(machine, depth + 1));
  if (inner.length === 0) {
    return { name, type: state.Type, kind: 'state', depth, inner, width: widthOf(name), height: STATE_HEIGHT };
  }
  const across = inner.reduce((sum, { width }) => sum + width, 0) + GAP_X * (inner.length - 1);
  return {
    name, type: state.Type, kind: 'box', depth, inner,
    width: Math.max(across + 2 * PADDING, widthOf(name)),
    height: Math.max(...inner.map(({ height }) => height)) + TITLE_HEIGHT + PADDING,
  };
}

/** The circles at which the machine starts and ends. */
function addTerminals(machine, states, nodes, connect) {
  const circle = (name, kind) => ({ name, kind, type: '', depth: 0, inner: [], width: TERMINAL_SIZE, height: TERMINAL_SIZE });
  const start = circle('Start', 'start');
  const end = circle('End', 'end');
  connect(start, nodes.get(machine.StartAt), 'next', '');
  for (const [name, state] of states) {
    if (state.End === true || state.Type === 'Succeed' || state.Type === 'Fail') connect(nodes.get(name), end, 'next', '');
  }
  nodes.set('\0start', start);
  nodes.set('\0end', end);
}

// Layers.

function putIntoLayers({ nodes, edges, first }) {
  const leaving = new Map(nodes.map((node) => [node, []]));
  for (const edge of edges) leaving.get(edge.from).push(edge);
  markLoops([first, ...nodes].filter(Boolean), leaving);
  const downward = edges.filter(({ from, to }) => from !== to).map((edge) => (edge.back ? { upper: edge.to, lower: edge.from, edge }
    : { upper: edge.from, lower: edge.to, edge }));
  assignLayers(nodes, downward);
  const layers = [];
  const put = (layer, item) => { (layers[layer] ??= []).push(item); };
  for (const node of nodes) {
    Object.assign(node, { up: [], down: [] });
    put(node.layer, node);
  }
  for (const { upper, lower, edge } of downward) {
    edge.chain = [upper];
    for (let layer = upper.layer + 1; layer < lower.layer; ++layer) {
      const passage = { kind: 'passage', layer, up: [], down: [], width: PASSAGE_WIDTH, height: 0 };
      put(layer, passage);
      edge.chain.push(passage);
    }
    edge.chain.push(lower);
    const widest = Math.max(0, ...edge.lines.map((line) => textWidth(line, LABEL_CHARACTER)));
    if (!edge.back) edge.chain[1].room = Math.max(edge.chain[1].room ?? 0, widest / LABEL_AT - GAP_X);
    for (let i = 1; i < edge.chain.length; ++i) {
      edge.chain[i - 1].down.push(edge.chain[i]);
      edge.chain[i].up.push(edge.chain[i - 1]);
    }
  }
  return layers;
}

/** Marks the lines that lead back to where they come from. Not recursive: a machine may be long. */
function markLoops(roots, leaving) {
  const state = new Map(); // 'open' while what follows is looked at, then 'done'
  for (const root of roots) {
    if (state.has(root)) continue;
    const path = [{ node: root, next: 0 }];
    state.set(root, 'open');
    while (path.length > 0) {
      const top = path.at(-1);
      const edge = leaving.get(top.node)[top.next++];
      if (!edge) {
        state.set(top.node, 'done');
        path.pop();
      } else if (state.get(edge.to) === 'open') {
        edge.back = true;
      } else if (!state.has(edge.to)) {
        state.set(edge.to, 'open');
        path.push({ node: edge.to, next: 0 });
      }
    }
  }
}

/** Each node goes below all that lead to it. */
function assignLayers(nodes, downward) {
  const waiting = new Map(nodes.map((node) => [node, 0]));
  const below = new Map(nodes.map((node) => [node, []]));
  for (const { upper, lower } of downward) {
    waiting.set(lower, waiting.get(lower) + 1);
    below.get(upper).push(lower);
  }
  for (const node of nodes) node.layer = 0;
  const ready = nodes.filter((node) => waiting.get(node) === 0);
  for (let i = 0; i < ready.length; ++i) {
    for (const lower of below.get(ready[i])) {
      lower.layer = Math.max(lower.layer, ready[i].layer + 1);
      waiting.set(lower, waiting.get(lower) - 1);
      if (waiting.get(lower) === 0) ready.push(lower);
    }
  }
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function orderLayers(layers) {
  const number = () => layers.forEach((layer) => layer.forEach((item, i) => { item.order = i; }));
  const sortBy = (layer, side) => {
    for (const item of layer) item.wanted = item[side].length ? mean(item[side].map(({ order }) => order)) : item.order;
    layer.sort((a, b) => a.wanted - b.wanted || a.order - b.order);
    layer.forEach((item, i) => { item.order = i; });
  };
  number();
  for (let sweep = 0; sweep < SWEEPS; ++sweep) {
    if (sweep % 2 === 0) layers.slice(1).forEach((layer) => sortBy(layer, 'up'));
    else layers.slice(0, -1).reverse().forEach((layer) => sortBy(layer, 'down'));
  }
  return layers;
}

// Places.

/** How much of its layer an item takes: itself, or the label of the line that leads to it. */
const roomOf = ({ width, room = 0 }) => Math.max(width, room);

/** Sets `x`, the middle of each item: as near to its neighbours as the others let it. */
function placeAcross(layers) {
  const room = (a, b) => (roomOf(a) + roomOf(b)) / 2 + GAP_X;
  for (const layer of layers) {
    let right = 0;
    layer.forEach((item, i) => {
      right = i === 0 ? 0 : right + room(layer[i - 1], item);
      item.x = right;
    });
    for (const item of layer) item.x -= right / 2;
  }
  const pull = (layer, side) => {
    const wanted = layer.map((item) => (item[side].length ? mean(item[side].map(({ x }) => x)) : item.x));
    const fromLeft = [];
    const fromRight = [];
    layer.forEach((item, i) => {
      fromLeft[i] = i === 0 ? wanted[i] : Math.max(wanted[i], fromLeft[i - 1] + room(layer[i - 1], item));
    });
    for (let i = layer.length - 1; i >= 0; --i) {
      fromRight[i] = i === layer.length - 1 ? wanted[i] : Math.min(wanted[i], fromRight[i + 1] - room(layer[i], layer[i + 1]));
    }
    layer.forEach((item, i) => { item.x = (fromLeft[i] + fromRight[i]) / 2; });
  };
  for (let sweep = 0; sweep < SWEEPS; ++sweep) {
    layers.slice(1).forEach((layer) => pull(layer, 'up'));
    if (sweep < SWEEPS - 1) layers.slice(0, -1).reverse().forEach((layer) => pull(layer, 'down'));
  }
}

/** Where on the upper or lower side of a node each of its lines begins or ends. */
function ports(node, side, edges) {
  const there = side === 'down' ? (edge) => edge.chain[1] : (edge) => edge.chain.at(-2);
  const mine = edges.filter((edge) => edge.chain && (side === 'down' ? edge.chain[0] : edge.chain.at(-1)) === node)
    .sort((a, b) => there(a).x - there(b).x);
  const step = Math.min(24, (node.width - 24) / Math.max(mine.length, 1));
  return new Map(mine.map((edge, i) => [edge, node.x + (i - (mine.length - 1) / 2) * step]));
}

function draw({ nodes, edges }, layers) {
  if (nodes.length === 0) return { width: NARROWEST, height: STATE_HEIGHT, nodes: [], edges: [] };
  const items = layers.flat();
  const loops = edges.some(({ from, to }) => from === to) ? GAP_X : 0;
  const left = Math.min(...items.map((item) => item.x - roomOf(item) / 2));
  const right = Math.max(...items.map((item) => item.x + roomOf(item) / 2)) + loops;
  let top = 0;
  for (const layer of layers) {
    const height = Math.max(...layer.map((item) => item.height));
    for (const item of layer) {
      item.x -= left;
      item.top = item.kind === 'passage' ? top : top + (height - item.height) / 2;
      item.bottom = item.kind === 'passage' ? top + height : item.top + item.height;
    }
    top += height + GAP_Y;
  }
  const lines = drawLines(nodes, edges);
  const placed = [];
  for (const node of nodes) placeNode(node, placed, lines);
  return { width: right - left, height: top - GAP_Y, nodes: placed, edges: lines };
}

function drawLines(nodes, edges) {
  const below = new Map(nodes.map((node) => [node, ports(node, 'down', edges)]));
  const above = new Map(nodes.map((node) => [node, ports(node, 'up', edges)]));
  return edges.map((edge) => {
    const { from, to, kind, label, lines, back } = edge;
    const line = { from: from.name, fromKind: from.kind, to: to.name, toKind: to.kind, kind, label, lines, back };
    if (from === to) {
      const x = from.x + from.width / 2;
      const points = [[x, from.top + 12], [x + 18, from.top + 12], [x + 18, from.bottom - 12], [x, from.bottom - 12]];
      return { ...line, back: true, labelAt: [x, (from.top + from.bottom) / 2], points };
    }
    const upper = edge.chain[0];
    const lower = edge.chain.at(-1);
    const points = [[below.get(upper).get(edge), upper.bottom],
      ...edge.chain.slice(1, -1).flatMap((passage) => [[passage.x, passage.top], [passage.x, passage.bottom]]),
      [above.get(lower).get(edge), lower.top]];
    const [[x0, y0], [x1, y1]] = points;
    const labelAt = [x0 + (x1 - x0) * LABEL_AT, (y0 + y1) / 2];
    return { ...line, labelAt, points: back ? points.reverse() : points };
  });
}

/** Adds the node and what is in it. */
function placeNode(node, placed, lines) {
  const x = node.x - node.width / 2;
  const { name, type, kind, depth, width, height, inner } = node;
  placed.push({ name, type, kind, depth, x, y: node.top, width, height });
  const across = inner.reduce((sum, { width: w }) => sum + w, 0) + GAP_X * (inner.length - 1);
  let left = x + (width - across) / 2;
  for (const part of inner) {
    const top = node.top + TITLE_HEIGHT;
    placed.push(...part.nodes.map((one) => ({ ...one, x: one.x + left, y: one.y + top })));
    const move = ([px, py]) => [px + left, py + top];
    lines.push(...part.edges.map((edge) => ({ ...edge, labelAt: move(edge.labelAt), points: edge.points.map(move) })));
    left += part.width + GAP_X;
  }
}
