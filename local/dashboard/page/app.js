// The dashboard's frame: the state of the cloud, the range of time that is shown, and the data for it. What applications
// add to it is in their panels: see panels.js.

import { follow, get, watch } from './api.js';
import { Charts } from './charts.js';
import { showLive, showLost, showSilence } from './connection.js';
import { showDeadLetters } from './dead_letters.js';
import { $, h, setText } from './dom.js';
import * as format from './format.js';
import { InvocationsChart, QueueChart } from './frame_charts.js';
import { listenToKeys } from './gestures.js';
import { latest } from './latest.js';
import * as logs from './logs.js';
import { learnNames } from './names.js';
import { Panels } from './panels.js';
import { showTables } from './tables.js';
import { startTheme } from './theme.js';
import { addTiles, showTiles } from './tiles.js';

const MINUTE = 60_000;
const RANGES = { '5 min': 5, '15 min': 15, '1 h': 60, '6 h': 360, '24 h': 1440, '7 d': 10_080, '30 d': 43_200 };
const SHORTEST = MINUTE;
const LONGEST = 35 * 1440 * MINUTE;
const STEP_MS = 5000; // the shortest bucket; a live range ends on a multiple of it
const BUCKETS = 2000;
const SETTLE_MS = 120; // a gesture is over when nothing has moved for this long
const SLOWEST_REFRESH_MS = 15_000;

let status = null;
let bucketMs = null; // of the data that is shown
let span = 15 * MINUTE;
let end = null; // null: live, up to the present

const actions = { move, zoom, select: (from, to) => setRange(to - from, to), live: () => setRange(span, null) };
const charts = new Charts(actions);
const queueChart = new QueueChart(charts);
const invocationsChart = new InvocationsChart(charts);
let panels; // made once the frame is on the page

const isLive = () => end === null;

function view() {
  const to = end ?? (Math.floor(status.now / STEP_MS) + 1) * STEP_MS;
  return { from: to - span, to };
}

// Range

function setRange(newSpan, newEnd) {
  if (!status) return;
  span = Math.min(Math.max(newSpan, SHORTEST), LONGEST);
  end = newEnd !== null && newEnd >= status.now ? null : newEnd;
  showRange();
  loadSoon(SETTLE_MS);
}

function move(fraction) {
  if (status) setRange(span, view().to + fraction * span);
}

function zoom(factor, at) {
  if (!status) return;
  const newSpan = Math.min(Math.max(span * factor, SHORTEST), LONGEST);
  const { from, to } = view();
  // Zooming while live stays live: the present is what one wants to keep seeing.
  setRange(newSpan, isLive() && at >= 0.5 ? null : from + (to - from) * at + newSpan * (1 - at));
}

function showRange() {
  const { from, to } = view();
  charts.setView(from, to);
  setText($('range-text'), `${format.range(from, to)}${bucketMs ? ` · one value every ${format.exactDuration(bucketMs)}` : ''}`);
  $('live').setAttribute('aria-pressed', String(isLive()));
  for (const button of $('ranges').children) {
    button.setAttribute('aria-pressed', String(Number(button.dataset.minutes) * MINUTE === span));
  }
}

// Loading: one request at a time, and the last question wins.

let timer = 0;
let dueAt = Infinity;
let loads = 0;
let loadedAt = -Infinity;

function loadSoon(delay) {
  const due = performance.now() + delay;
  // A gesture puts its own loading off; an update never does.
  if (delay !== SETTLE_MS && due >= dueAt) return;
  clearTimeout(timer);
  dueAt = due;
  timer = setTimeout(() => {
    dueAt = Infinity;
    load();
  }, delay);
}

const load = latest(async () => {
  const { from, to } = view();
  const range = { from: Math.floor(from), to: Math.ceil(to) };
  const number = ++loads;
  // Not waited for: a panel that is slow or hangs does not hold up the frame.
  const panelsLoaded = panels.load({ ...range, buckets: BUCKETS });
  try {
    const [queues, { invocations }] = await Promise.all([
      get('queue-series', { ...range, buckets: BUCKETS }), get('invocations', range),
    ]);
    bucketMs = queues.bucketMs;
    queueChart.show(queues);
    invocationsChart.show(invocations);
    showRange();
    panelsLoaded.then(() => { if (number === loads) document.documentElement.dataset.loaded = `${from}-${to}`; });
  } catch (error) {
    lost(error);
  } finally {
    loadedAt = performance.now();
  }
});

// Updates

async function update(newStatus) {
  status = newStatus;
  const manyStacks = status.stacks.length > 1;
  showLive();
  setText($('clock'), `${format.dateTime(status.now)} UTC`);
  learnNames(status);
  showTables(status);
  showTiles(status);
  logs.showFunctions(status.functions.map((f) => f.name));
  showRange();
  panels.show(status);
  // A month changes too slowly to be fetched for every update.
  const interval = bucketMs > STEP_MS ? Math.min(bucketMs / 8, SLOWEST_REFRESH_MS) : 0;
  loadSoon(Math.max(loadedAt + interval - performance.now(), 0));
  await Promise.all([showDeadLetters(manyStacks), logs.refresh(status.lastLog)]);
}

function lost(error) {
  showLost(error);
  panels.reopenFailed();
}

function start() {
  startTheme(() => charts.build());
  addTiles();
  $('charts').append(queueChart.element);
  $('with-tables').prepend(invocationsChart.element);
  panels = new Panels({
    charts, onLost: lost, before: { cards: $('tiles'), tiles: $('tiles').firstElementChild, charts: queueChart.element },
  });
  listenToKeys(actions);
  $('ranges').append(...Object.entries(RANGES).map(([name, minutes]) => h('button', {
    type: 'button', 'data-minutes': minutes, onclick: () => setRange(minutes * MINUTE, end),
  }, name)));
  $('pan-left').addEventListener('click', () => move(-0.5));
  $('pan-right').addEventListener('click', () => move(0.5));
  $('zoom-in').addEventListener('click', () => zoom(0.5, 0.5));
  $('zoom-out').addEventListener('click', () => zoom(2, 0.5));
  $('live').addEventListener('click', actions.live);
  logs.start(lost);
  watch(showSilence);
  follow(update, lost);
}

start();
