// The dashboard: one state, the range of time that is shown, and the data for it.

import { follow, get, NoAnswer, watch } from './api.js';
import { Charts } from './charts.js';
import { $, h, setText, toast } from './dom.js';
import * as format from './format.js';
import { listen } from './gestures.js';
import * as logs from './logs.js';
import { showDeadLetters, showDial, showTables, showTiles } from './panels.js';

const MINUTE = 60_000;
const RANGES = { '5 min': 5, '15 min': 15, '1 h': 60, '6 h': 360, '24 h': 1440, '7 d': 10_080, '30 d': 43_200 };
const SHORTEST = MINUTE;
const LONGEST = 35 * 1440 * MINUTE;
const BUCKETS = 2000;
const SETTLE_MS = 120; // a gesture is over when nothing has moved for this long
const SLOWEST_REFRESH_MS = 15_000;

let status = null;
let series = null;
let span = 15 * MINUTE;
let end = null; // null: live, up to the newest slot
let charts = null;

const isLive = () => end === null;

function view() {
  const to = end ?? (Math.floor(status.now / status.slotMs) + 1) * status.slotMs;
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

const move = (fraction) => setRange(span, view().to + fraction * span);

function zoom(factor, at) {
  const newSpan = Math.min(Math.max(span * factor, SHORTEST), LONGEST);
  const { from, to } = view();
  // Zooming while live stays live: the newest slot is what one wants to keep seeing.
  setRange(newSpan, isLive() && at >= 0.5 ? null : from + (to - from) * at + newSpan * (1 - at));
}

function showRange() {
  const { from, to } = view();
  charts.setView(from, to);
  setText($('range-text'), `${format.range(from, to)}${series ? ` · one value every ${format.exactDuration(series.bucketMs)}` : ''}`);
  $('live').setAttribute('aria-pressed', String(isLive()));
  for (const button of $('ranges').children) {
    button.setAttribute('aria-pressed', String(Number(button.dataset.minutes) * MINUTE === span));
  }
}

// Loading: one request at a time, and the last question wins.

let timer = 0;
let dueAt = Infinity;
let loading = false;
let loadedAt = -Infinity;

function loadSoon(delay) {
  const due = performance.now() + delay;
  // A gesture puts its own loading off; an update never does.
  if (delay !== SETTLE_MS && due >= dueAt) return;
  clearTimeout(timer);
  dueAt = due;
  timer = setTimeout(load, delay);
}

async function load() {
  dueAt = Infinity;
  if (loading) return loadSoon(50);
  loading = true;
  try {
    const { from, to } = view();
    const [newSeries, answer] = await Promise.all([
      get('series', { from: Math.floor(from), to: Math.ceil(to), buckets: BUCKETS }),
      get('invocations', { from: Math.floor(from), to: Math.ceil(to) }),
    ]);
    series = newSeries;
    charts.setData(series, answer.invocations);
    showRange();
    showTiles(status, series.summary);
    document.documentElement.dataset.loaded = `${from}-${to}`;
  } catch (error) {
    lost(error);
  } finally {
    loading = false;
    loadedAt = performance.now();
  }
}

// Updates

const lessMotion = matchMedia('(prefers-reduced-motion: reduce)');

async function update(newStatus) {
  status = newStatus;
  showConnection('live', 'Live');
  // Once for each update: a dot that breathes all the time has the browser draw frames all the time.
  if (!lessMotion.matches) $('connection').animate({ opacity: [1, 0.45, 1] }, { duration: 600, pseudoElement: '::before' });
  setText($('clock'), `${format.dateTime(status.now)} UTC`);
  showTables(status);
  showTiles(status, series?.summary);
  logs.showFunctions(status.functions.map((f) => f.name));
  if (!charts) {
    charts = new Charts((from, to) => setRange(to - from, to));
    listen(['counts', 'lateness', 'queue', 'durations'].map($), { move, zoom, live: () => setRange(span, null) });
  }
  showRange();
  // A month changes too slowly to be fetched for every slot.
  const interval = Math.min((series?.bucketMs ?? 0) / 8, SLOWEST_REFRESH_MS);
  loadSoon(Math.max(loadedAt + (series?.bucketMs > status.slotMs ? interval : 0) - performance.now(), 0));
  // The newest slot that is due.
  const newest = Math.floor((status.now - status.windowLagMs) / status.slotMs) * status.slotMs;
  const [minute] = await Promise.all([
    get('series', { from: newest - 11 * status.slotMs, to: newest + status.slotMs, buckets: 12 }),
    showDeadLetters(),
    logs.refresh(status.lastLog),
  ]);
  showDial(minute);
}

// Connection

function showConnection(state, text, since = '') {
  $('connection').dataset.state = state;
  setText($('connection-text'), text);
  // Not read out, since it changes every second.
  setText($('silence'), since);
  $('silence').hidden = since === '';
}

function lost(error) {
  if (!(error instanceof NoAnswer)) showConnection('lost', `Not reachable: ${error.message}`); // else showSilence() says so
}

function showSilence(ms) {
  if (ms !== null) showConnection('silent', 'No answer', `for ${format.duration(Math.floor(ms / 1000) * 1000)}`);
  else if ($('connection').dataset.state === 'silent') showConnection(status ? 'live' : 'connecting', status ? 'Live' : 'Connecting');
}

// Theme: the system's, until the reader chooses; then the reader's, for good.

const systemDark = matchMedia('(prefers-color-scheme: dark)');

function storedTheme() {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null; // storage may be forbidden
  }
}

function showTheme() {
  const theme = storedTheme() ?? (systemDark.matches ? 'dark' : 'light');
  document.documentElement.dataset.theme = theme;
  $('theme').title = theme === 'dark' ? 'Light' : 'Dark';
  if (charts) {
    charts.build();
    showRange();
  }
}

function start() {
  showTheme();
  systemDark.addEventListener('change', showTheme);
  $('theme').addEventListener('click', () => {
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', theme);
    } catch {
      toast('The browser does not let this page remember the theme.');
    }
    showTheme();
  });
  $('ranges').append(...Object.entries(RANGES).map(([name, minutes]) => h('button', {
    type: 'button', 'data-minutes': minutes, onclick: () => setRange(minutes * MINUTE, end),
  }, name)));
  $('pan-left').addEventListener('click', () => move(-0.5));
  $('pan-right').addEventListener('click', () => move(0.5));
  $('zoom-in').addEventListener('click', () => zoom(0.5, 0.5));
  $('zoom-out').addEventListener('click', () => zoom(2, 0.5));
  $('live').addEventListener('click', () => setRange(span, null));
  logs.start(lost);
  watch(showSilence);
  follow(update, lost);
}

start();
