// What tests of the page share: a browser, clouds that are made up, and pages that show them. A file of tests that
// requires this is run as
//   FILE CHROMIUM PLAYWRIGHT DURATIONS ASSETS...
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { after, afterEach, before, describe } = require('node:test');
const { launch, until, PATIENCE_MS } = require('./browser.js');
const { Cloud, serve, assetsOf } = require('./stand_in.js');

const [chromium, playwright, durations, ...assets] = process.argv.slice(2);
const OUT = process.env.TEST_UNDECLARED_OUTPUTS_DIR ?? '/tmp';
const SCRATCH = process.env.TEST_TMPDIR ?? fs.mkdtempSync('/tmp/browser-');
const NOW = Date.UTC(2025, 11, 2, 10, 25, 0);
const HALF_AN_HOUR_OF_SLOTS = 360; // the page shows half of it at first
// Eight slots from 10:19:20 on, and an hour three days ago.
const GAPS = [[Date.UTC(2025, 11, 2, 10, 19, 20), 40_000], [Date.UTC(2025, 10, 29, 3, 0, 0), 3_600_000]];
const inGap = (start) => GAPS.some(([from, length]) => start >= from && start < from + length);

let browser;
let desk; // the page of all the tests that want no window of their own: each would cost a new process
const complaints = []; // of the browser, about the page
const closing = []; // what to do after a test
const histories = new Map(); // clouds to copy, by their number of slots

before(async () => { browser = await launch({ chromium, playwright, scratch: SCRATCH }); });
after(() => browser?.close());
afterEach(async () => {
  await closeAll(closing);
  assert.deepEqual(complaints.splice(0), [], 'the browser complained');
});

async function closeAll(list) {
  for (const close of list.splice(0).reverse()) await close();
}

async function newPage(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
  return page;
}

/**
 * A cloud, its server and a page that shows it; with options of a window, in a window of its own. With `ownClock`, the
 * page's time stands still from then on but for page.clock.runFor().
 */
async function open({ slots = HALF_AN_HOUR_OF_SLOTS, before: prepare = () => {}, colorScheme = 'light', window, ownClock = false } = {}) {
  if (!histories.has(slots)) histories.set(slots, new Cloud({ now: NOW, slots, missing: inGap }));
  const cloud = histories.get(slots).copy();
  prepare(cloud);
  const server = await serve(cloud, assetsOf(assets));
  if (!window) desk ??= await newPage();
  const page = window ? await newPage(window) : desk;
  await page.emulateMedia({ colorScheme });
  closing.push(async () => {
    if (window) await page.context().close();
    else await page.goto('about:blank');
    server.closeAllConnections();
    await new Promise((resolve) => { server.close(resolve); });
  });
  const url = `http://127.0.0.1:${server.address().port}/`;
  if (ownClock) await page.clock.install();
  await page.goto(url);
  await settled(page, cloud.panels);
  if (ownClock) await page.clock.pauseAt(Date.now() + 60_000);
  return { cloud, page, server, url };
}

/** Tests of one page: each finds what the one before has left. To load it anew would cost more than most of them. */
function onOnePage(name, options, tests) {
  describe(name, () => {
    const opened = {};
    let close = [];
    before(async () => {
      Object.assign(opened, await open(options));
      close = closing.splice(0);
    });
    after(() => closeAll(close));
    tests(opened);
  });
}

const settled = (page, panels = ['scheduler']) => until(page,
  (names) => document.documentElement.dataset.loaded && (!names.includes('scheduler') || document.querySelector('#dial text')), panels);
const text = (page, selector) => page.locator(selector).innerText();
const hasText = (page, selector, wanted) => until(page,
  ([s, w]) => document.querySelector(s)?.innerText.includes(w), [selector, wanted]);
const tile = async (page, name) => (await page.locator('#tiles > div', { has: page.locator(`dt:text-is("${name}")`) }).locator('dd').first().innerText());
const tileIs = (page, name, wanted) => until(page, ([n, w]) => [...document.querySelectorAll('#tiles > div')]
  .some((box) => box.children[0].textContent === n && box.children[1].textContent === w), [name, wanted]);
const picture = (page, name, options = {}) => page.screenshot({ path: path.join(OUT, `${name}.png`), ...options });

/** Does `action` and waits until the page has loaded another range because of it. */
async function reloads(page, action) {
  const old = await page.evaluate(() => document.documentElement.dataset.loaded);
  await action();
  return until(page, (o) => document.documentElement.dataset.loaded !== o && document.documentElement.dataset.loaded.split('-').map(Number), old);
}

/** Where the instant is in the chart of counts, in the page's pixels. */
async function at(page, instant) {
  const [from, to] = await page.evaluate(() => document.documentElement.dataset.loaded.split('-').map(Number));
  const box = await page.locator('#counts .u-over').boundingBox();
  return { x: box.x + ((instant - from) / (to - from)) * box.width, y: box.y + box.height / 2, box };
}

/** A test may provoke complaints like this. */
function forgive(pattern) {
  complaints.splice(0, Infinity, ...complaints.filter((complaint) => !pattern.test(complaint)));
}

module.exports = {
  assets, at, closing, durations, forgive, GAPS, hasText, NOW, onOnePage, open, OUT, picture, reloads, settled, text, tile, tileIs,
};
