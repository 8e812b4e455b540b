// Several stacks on the dashboard's page, and the panels of their applications, in a real browser over the stand-in.
//   panels_test.js CHROMIUM PLAYWRIGHT DURATIONS ASSETS...
// Pictures go to the test's outputs.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { isAccessible } = require('./accessibility.js');
const { until } = require('./browser.js');
const { assets, closing, forgive, hasText, NOW, open, picture, reloads, text, tile, tileIs } = require('./harness.js');
const { fits } = require('./layout.js');
const { serve, assetsOf } = require('./stand_in.js');

// Its queue and one of its functions have the same logical ids as the scheduler's.
const ORDERS = {
  name: 'orders', description: 'Takes orders',
  functions: ['orders-Collector-1ABCDEFGHIJK', 'orders-Checkout-1ABCDEFGHIJK'],
  queues: [{ name: 'SlotQueue', visible: 3, deadLetterQueue: 'SlotDeadLetters' }, { name: 'SlotDeadLetters', holdsDeadLetters: true }],
  apis: [{ name: 'Shop', url: 'http://127.0.0.1:4566/restapis/shop/prod/_user_request_' }],
};
const WITHOUT_SLOTS = { ...ORDERS, queues: [{ name: 'Incoming', visible: 3 }] };

/** Rows of a table as texts: a stack's name, or the name of what is in it. */
const names = (page, id) => page.locator(`#${id} tbody th`).allInnerTexts();
const chartsShown = (page) => page.locator('.chart').evaluateAll((boxes) => boxes.map((box) => box.id));
const tilesShown = (page) => page.locator('#tiles dt').allInnerTexts();
const OWN_TILES = ['Invocations', 'Queue depth', 'In flight', 'Retries', 'Dead letters'];
const SLOT_TILES = ['Slots stored', 'Missing', 'Lateness p99'];

/** Makes `code` the panel of the application `name`, and an empty file its stylesheet. */
async function serveA(page, name, code) {
  const answer = (type, body) => (route) => route.fulfill({ contentType: type, body });
  await page.route(`**/_byoshin/page/${name}/panel.js*`, answer('text/javascript', code));
  await page.route(`**/_byoshin/page/${name}/panel.css`, answer('text/css', ''));
  closing.push(() => page.unrouteAll());
}

function show(cloud, ...panels) {
  cloud.panels = panels;
  cloud.changed();
}

const failure = 'The “broken” panel failed: out of order';
const failed = (page) => hasText(page, '.failure', failure);
const noFailure = (page) => until(page, () => !document.querySelector('.failure'));

/** A slot passes; the frame and the scheduler's panel must show it. */
async function bothGoOn(cloud, page) {
  cloud.advance();
  const at = new Date(cloud.now).toISOString().slice(11, 19);
  await hasText(page, '#clock', at);
  await hasText(page, '#dial-text', `Slot ${at}`);
}

test('two stacks are both shown, each with what it has', async () => {
  const { cloud, page } = await open({ before: (it) => it.addStack(ORDERS) });
  assert.deepEqual(await names(page, 'functions'), ['byoshin', 'Sender', 'Collector', 'MockApi', 'orders', 'Collector', 'Checkout']);
  assert.deepEqual(await names(page, 'queues'),
    ['byoshin', 'SlotQueue', 'SlotDeadLetters', 'SenderFailures', 'orders', 'SlotQueue', 'SlotDeadLetters']);
  assert.deepEqual(await names(page, 'apis'), ['byoshin', 'AI Employee Mock API', 'orders', 'Shop']);
  await hasText(page, '#apis', ORDERS.apis[0].url);
  await hasText(page, '#stacks', 'orders Takes orders');
  await hasText(page, '#dial-text', 'Slot 10:24:55');
  const queues = cloud.status().queues.filter((queue) => !queue.holdsDeadLetters);
  await tileIs(page, 'Queue depth', String(queues.reduce((sum, queue) => sum + queue.visible + queue.delayed, 0)));
  await isAccessible(page, 'two stacks');
  await picture(page, 'two-stacks', { fullPage: true });
  await fits(page, 'two stacks');
});

test('one stack is not named, since there is nothing to tell it from', async () => {
  const { page } = await open();
  assert.deepEqual(await names(page, 'functions'), ['Sender', 'Collector', 'MockApi']);
  assert.equal(await page.locator('#stacks').isVisible(), false);
});

test('functions of two stacks with the same logical id are told apart', async () => {
  const { cloud, page } = await open({ before: (it) => it.addStack(ORDERS) });
  const [full] = ORDERS.functions;
  cloud.invocations.push({ t: NOW - 1000, function: full, requestId: 'r', ms: 1, initMs: null, outcome: 'ok' });
  cloud.log(full, NOW, 'INFO', 'from the other stack');
  cloud.changed();
  await hasText(page, '#durations-readout', 'Collector (orders)');
  await hasText(page, '#durations-readout', 'Collector (byoshin)');
  await page.locator('#log-function').selectOption({ label: 'Collector (orders)' });
  await until(page, () => document.querySelectorAll('#logs li').length === 1);
  assert.equal(await text(page, '#logs .fn'), 'Collector (orders)');
  assert.equal(await page.locator('#log-function option', { hasText: 'Checkout' }).innerText(), 'Checkout');
});

test('dead letters go back to the queue of their own stack', async () => {
  const { cloud, page } = await open({ before: (it) => it.addStack(ORDERS) });
  const bodies = () => cloud.deadLetters.map((letter) => letter.body).sort();
  const move = async (button) => {
    await button.click();
    await page.locator('#confirm-yes').click();
  };
  cloud.addDeadLetter('"of a slot"');
  for (const body of ['"order 1"', '"order 2"']) cloud.addDeadLetter(body, 'SlotQueue', { stack: 'orders' });
  await until(page, () => document.querySelectorAll('#dead li').length === 3);
  const metas = await page.locator('#dead .meta').allInnerTexts();
  assert.deepEqual(metas.map((meta) => meta.split(' · ').slice(0, 2).join(' ')),
    ['byoshin SlotDeadLetters', 'orders SlotDeadLetters', 'orders SlotDeadLetters']);
  await move(page.locator('#dead li', { hasText: 'order 1' }).getByRole('button'));
  await until(page, () => document.querySelectorAll('#dead li').length === 2);
  assert.deepEqual(bodies(), ['"of a slot"', '"order 2"']);
  await move(page.locator('#redrive-all'));
  await hasText(page, '#dead-text', 'None');
  assert.deepEqual(bodies(), []);
});

test('a cloud without the scheduler shows no slots anywhere', async () => {
  const { cloud, page } = await open({
    slots: 0,
    before: (it) => {
      it.removeScheduler();
      it.addStack(WITHOUT_SLOTS);
      it.addDeadLetter('"an order"', 'Incoming', { stack: 'orders', queue: 'Failed' });
      it.log(ORDERS.functions[1], NOW, 'INFO', 'order taken');
      it.invocations.push({ t: NOW - 1000, function: ORDERS.functions[1], requestId: 'r', ms: 12, initMs: 3, outcome: 'ok' });
    },
  });
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await until(page, () => document.documentElement.dataset.loaded);
  assert.deepEqual(await tilesShown(page), OWN_TILES);
  assert.deepEqual(await chartsShown(page), ['queue', 'durations']);
  assert.deepEqual(await names(page, 'queues'), ['Incoming']);
  await hasText(page, '#logs', 'order taken');
  await hasText(page, '#durations-readout', 'Checkout');
  cloud.advance();
  await hasText(page, '#clock', '10:25:05');
  await reloads(page, () => page.getByRole('button', { name: '6 h', exact: true }).click());
  await hasText(page, '#range-text', 'one value every 15 s');
  const everything = await page.evaluate(() => [document.body.innerText, ...[...document.querySelectorAll('*')]
    .flatMap((element) => [...element.attributes].map((attribute) => attribute.value))]);
  assert.deepEqual(everything.filter((value) => /slot|scheduler|lateness|missing/i.test(value)), []);
  assert.deepEqual(asked.filter((address) => address.includes('scheduler')), []);
  await picture(page, 'without-scheduler', { fullPage: true });
});

test('a cloud without stacks says so', async () => {
  const { page } = await open({ slots: 0, before: (cloud) => cloud.removeScheduler() });
  await hasText(page, '#stacks', 'No stack is deployed.');
  assert.equal(await page.locator('table').locator('visible=true').count(), 0);
  await tileIs(page, 'Invocations', '0');
});

test('panels come and go as the cloud lists them', async () => {
  const { cloud, page } = await open({ before: (it) => { it.panels = []; } });
  assert.deepEqual([await tilesShown(page), await chartsShown(page)], [OWN_TILES, ['queue', 'durations']]);
  for (const minutes of ['15 min', '5 min']) {
    if (minutes === '5 min') await reloads(page, () => page.getByRole('button', { name: minutes, exact: true }).click());
    show(cloud, 'scheduler');
    // It shows the range that the page shows, without being asked again.
    await tileIs(page, 'Slots stored', minutes === '5 min' ? '59' : '171');
    await hasText(page, '#dial-text', 'Slot 10:24:55');
    assert.deepEqual(await tilesShown(page), [...SLOT_TILES, ...OWN_TILES]);
    assert.deepEqual(await chartsShown(page), ['counts', 'lateness', 'queue', 'durations']);
    show(cloud);
    await until(page, () => !document.getElementById('dial'));
    assert.deepEqual([await tilesShown(page), await chartsShown(page)], [OWN_TILES, ['queue', 'durations']]);
  }
  assert.equal(await page.locator('link[href*="/scheduler/"]').count(), 1);
});

test('a panel that comes shows the range at once, though a long one is seldom loaded', async () => {
  const { cloud, page } = await open({ window: {}, ownClock: true, before: (it) => { it.panels = []; } });
  await page.getByRole('button', { name: '30 d', exact: true }).click();
  await page.clock.runFor(1000);
  await hasText(page, '#range-text', 'one value every 21 min 40 s');
  show(cloud, 'scheduler');
  await page.clock.runFor(1000);
  await tileIs(page, 'Slots stored', '352');
});

test('panels stand in the order of the cloud, whenever they come', async () => {
  const { cloud, page } = await open();
  for (const name of ['first', 'last']) {
    await serveA(page, name, `
      import { h } from '/_byoshin/page/dom.js';
      export function open(frame) {
        frame.addCard(h('div', { class: 'card' }, '${name}'));
        frame.addTile('${name}').show('1', 'note', true);
        frame.addChart({ id: '${name}', title: '${name}', plan: () => ({}) });
        return {};
      }`);
  }
  const order = (wanted) => until(page, (ids) => [...document.querySelectorAll('.chart')].map(({ id }) => id).join() === ids, wanted);
  show(cloud, 'scheduler', 'last');
  await order('counts,lateness,last,queue,durations');
  show(cloud, 'first', 'scheduler', 'last');
  await order('first,counts,lateness,last,queue,durations');
  assert.deepEqual(await tilesShown(page), ['first', ...SLOT_TILES, 'last', ...OWN_TILES]);
  const cards = await page.locator('.overview > .card').allTextContents();
  assert.deepEqual(cards.map((card) => /first|Last minute|last/.exec(card)[0]), ['first', 'Last minute', 'last']);
  await picture(page, 'three-panels');
  show(cloud, 'scheduler');
  await order('counts,lateness,queue,durations');
});

test('a panel follows range, theme and gestures, and is told when it is closed', async () => {
  const { cloud, page } = await open();
  await serveA(page, 'other', `
    import { color, line, numbers } from '/_byoshin/page/chart.js';
    window.other = { plans: [], ranges: [], states: [], closed: 0 };
    export function open(frame) {
      const chart = frame.addChart({ id: 'other', title: 'Other', plan() {
        window.other.plans.push(document.documentElement.dataset.theme);
        return { ...numbers, series: [line('value', color('accent'))] };
      } });
      return {
        update(status) { window.other.states.push(status.now); },
        load({ from, to, buckets }) {
          window.other.ranges.push(Math.round((to - from) / 60_000));
          chart.setData([[from, (from + to) / 2, to], [1, null, 2]]);
          chart.describe('Two of ' + buckets);
        },
        close() { ++window.other.closed; },
      };
    }`);
  show(cloud, 'scheduler', 'other');
  await until(page, () => document.getElementById('other')?.getAttribute('aria-label') === 'Two of 2000');
  await reloads(page, () => page.getByRole('button', { name: '1 h', exact: true }).click());
  await page.emulateMedia({ colorScheme: 'dark' });
  await until(page, () => document.documentElement.dataset.theme === 'dark');
  const [from, to] = await reloads(page, () => page.locator('#other .u-over').dispatchEvent('wheel', { deltaX: -200, deltaY: 0 }));
  assert.ok(to < NOW && to - from === 3_600_000);
  const before = await page.evaluate(() => window.other);
  assert.deepEqual(before.plans, ['light', 'dark']);
  assert.deepEqual([...new Set(before.ranges)], [15, 60]);
  assert.deepEqual([before.states.at(-1), before.closed], [cloud.now, 0]);
  show(cloud, 'scheduler');
  await until(page, () => window.other.closed === 1 && !document.getElementById('other'));
  await page.emulateMedia({ colorScheme: 'light' });
  await until(page, () => document.documentElement.dataset.theme === 'light');
  assert.deepEqual(await page.evaluate(() => window.other.plans), before.plans);
});

// What breaks, and whether it mends when window.broken is no longer set.
const DEFECTS = {
  'being imported': { code: "throw new Error('out of order'); export function open() {}", mends: false },
  'being opened': { code: "export function open(frame) { frame.addTile('Half'); throw new Error('out of order'); }", mends: false },
  'an update': { code: "export const open = () => ({ update() { if (window.broken) throw new Error('out of order'); } });", mends: true },
  loading: { code: "export const open = () => ({ async load() { await 0; if (window.broken) throw 'out of order'; } });", mends: true },
  drawing: {
    code: `export const open = (frame) => {
      const chart = frame.addChart({ id: 'broken', title: 'Broken', plan: () => ({ series: [{}], y: {}, under() { throw new Error('out of order'); } }) });
      return { load: ({ from, to }) => chart.setData([[from, to], [1, 2]]) };
    };`,
    mends: false,
  },
};

for (const [what, { code, mends }] of Object.entries(DEFECTS)) {
  test(`a panel that fails at ${what} says so and leaves the rest working`, async () => {
    const { cloud, page } = await open();
    await serveA(page, 'broken', code);
    await page.evaluate(() => { window.broken = true; });
    show(cloud, 'broken', 'scheduler');
    await failed(page);
    await bothGoOn(cloud, page);
    await reloads(page, () => page.getByRole('button', { name: '5 min', exact: true }).click());
    await tileIs(page, 'Slots stored', '60');
    assert.equal(await page.locator('.failure').count(), 1);
    assert.deepEqual(await tilesShown(page), [...SLOT_TILES, ...OWN_TILES], 'nothing is left of a panel that was not opened');
    if (what === 'being opened') await picture(page, 'broken-panel');
    if (mends) {
      await page.evaluate(() => { window.broken = false; });
      cloud.advance();
    } else {
      show(cloud, 'scheduler');
    }
    await noFailure(page);
    await bothGoOn(cloud, page);
    forgive(/out of order/);
  });
}

test('a panel that does not exist is reported', async () => {
  const { cloud, page } = await open();
  show(cloud, 'scheduler', 'nowhere');
  await hasText(page, '.failure', 'The “nowhere” panel failed: ');
  await bothGoOn(cloud, page);
  forgive(/nowhere|Failed to load resource/);
});

test('what the cloud answers to a panel with an error is shown until it answers otherwise', async () => {
  const { cloud, page } = await open();
  await page.route('**/_byoshin/api/scheduler/series?*', (route) => route.fulfill({ status: 500, body: '{"error": "the table is gone"}' }));
  closing.push(() => page.unrouteAll());
  cloud.advance();
  await hasText(page, '.failure', 'The “scheduler” panel failed: the table is gone');
  await hasText(page, '#clock', '10:25:00');
  assert.equal(await text(page, '#connection'), 'Live');
  await page.unrouteAll();
  await bothGoOn(cloud, page);
  await noFailure(page);
  forgive(/Failed to load resource|the table is gone/);
});

test('a panel that hangs does not hold up the rest', async () => {
  const { cloud, page } = await open();
  await serveA(page, 'other', 'export const open = () => { const never = () => new Promise(() => {}); return { update: never, load: never }; };');
  show(cloud, 'other', 'scheduler');
  await bothGoOn(cloud, page);
  await page.getByRole('button', { name: '24 h', exact: true }).click();
  await hasText(page, '#range-text', 'one value every 45 s');
  await tileIs(page, 'Slots stored', '353');
  await bothGoOn(cloud, page);
});

test('a lost cloud is no failure of a panel, and a panel that could not be fetched is fetched again', async () => {
  const { cloud, page, server } = await open();
  const { port } = server.address();
  let aborted = 0;
  await page.route('**/_byoshin/page/other/panel.*', (route) => {
    ++aborted;
    return route.abort();
  });
  closing.push(() => page.unrouteAll());
  show(cloud, 'scheduler', 'other');
  await hasText(page, '.failure', 'The “other” panel failed: ');
  assert.equal(aborted, 2);
  await page.unrouteAll();
  await serveA(page, 'other', "export const open = (frame) => { frame.addTile('Other'); return {}; };");
  await new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); });
  await until(page, () => document.getElementById('connection').dataset.state === 'lost');
  await noFailure(page);
  const again = await serve(cloud, assetsOf(assets), port);
  closing.push(async () => {
    await page.goto('about:blank'); // so that it does not complain again
    again.closeAllConnections();
    again.close();
  });
  await tileIs(page, 'Other', '–');
  await bothGoOn(cloud, page);
  assert.equal(await page.locator('.failure').count(), 0);
  assert.equal(await tile(page, 'Missing'), '8');
  forgive(/ERR_|Failed to (load resource|fetch)|could not be loaded/);
});
