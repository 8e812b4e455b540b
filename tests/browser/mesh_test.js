// The playground of Mesh in real browsers: nodes of two browsers, and of one page, meet on `byoshin up --stack=mesh`.
//   mesh_test.js CHROMIUM PLAYWRIGHT BYOSHIN
// Pictures go to the test's outputs.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const { after, afterEach, before, test } = require('node:test');
const { isAccessible } = require('./accessibility.js');
const { launch, until, PATIENCE_MS } = require('./browser.js');
const { fits } = require('./layout.js');

const [chromium, playwright, program] = process.argv.slice(2);
const SCRATCH = process.env.TEST_TMPDIR ?? fs.mkdtempSync('/tmp/mesh-');
const PICTURES = process.env.TEST_UNDECLARED_OUTPUTS_DIR ?? SCRATCH;

let cloud; // the process
let printed; // its lines
let url;
let browsers;
const pages = [];
const output = [];

function start() {
  cloud = spawn(path.resolve(program), ['up', '--stack=mesh', '--port=0', '--in-memory'],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { HOME: SCRATCH, TMPDIR: SCRATCH } });
  process.on('exit', () => cloud.kill('SIGKILL')); // it must not outlive the test
  readline.createInterface({ input: cloud.stderr }).on('line', (line) => output.push(line));
  printed = readline.createInterface({ input: cloud.stdout });
  return new Promise((resolve, reject) => {
    printed.on('line', (line) => {
      output.push(line);
      const found = /^Mesh playground: (http:\S+)\/mesh\/$/.exec(line);
      if (found) resolve(found[1]);
    });
    cloud.once('exit', (code) => reject(new Error(`byoshin up ended with ${code}:\n${output.join('\n')}`)));
  });
}

before(async () => {
  const browser = (name) => launch({ chromium, playwright, scratch: path.join(SCRATCH, name) });
  [url, ...browsers] = await Promise.all([start(), browser('first'), browser('second')]);
});

after(async () => {
  for (const browser of browsers ?? []) await browser.close();
  if (cloud === undefined) return;
  cloud.kill('SIGTERM');
  if (cloud.exitCode === null) await once(cloud, 'exit');
});

// What a test leaves must not be seen by the next.
afterEach(async () => {
  for (const page of pages.splice(0)) {
    const dissolve = page.getByRole('button', { name: /Dissolve|解散/ });
    // A button goes when it is clicked.
    for (let left = await dissolve.count(); left > 0; --left) {
      await dissolve.nth(left - 1).click();
      await dissolve.nth(left - 1).waitFor({ state: 'hidden' });
    }
    await page.context().close();
  }
});

/** The playground with its first two nodes, in one of the browsers. */
async function open(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  page.on('pageerror', (error) => output.push(`page error: ${error.stack}`));
  await page.goto(`${url}/mesh/`);
  await until(page, () => document.querySelectorAll('.node').length === 2);
  pages.push(page);
  return page;
}

const node = (page, index) => page.locator('.node').nth(index);
const idOf = (card) => card.getAttribute('data-node');

/** Lets the node create a group of this name, and waits until it is live. */
async function create(card, name) {
  await card.getByLabel('Name of the group').fill(name);
  await card.getByRole('button', { name: 'Create a group' }).click();
  await card.getByText('live', { exact: true }).waitFor();
}

async function join(card, name) {
  await card.getByRole('button', { name: `Join: ${name}` }).click();
  await card.getByText('live', { exact: true }).waitFor();
}

/** Waits until the card shows this reading of another node. */
const reads = (card, from, sensor, value) =>
  card.locator(`.others [data-from="${from}"] [data-sensor="${sensor}"] b`).filter({ hasText: new RegExp(`^${value}$`) }).waitFor();

const move = (card, sensor, value) => card.locator(`input[data-sensor="${sensor}"]`).fill(String(value));

test('nodes of two browsers see each other', async () => {
  const [here, there] = await Promise.all(browsers.map(open));
  const [host, guest] = [node(here, 0), node(there, 0)];
  await create(host, 'Class 3b');
  await join(guest, 'Class 3b');
  // What was reported before it joined, and what is reported now.
  await reads(guest, await idOf(host), 'temperature', 21);
  await move(host, 'temperature', 33);
  await reads(guest, await idOf(host), 'temperature', 33);
  await move(guest, 'light', 7);
  await reads(host, await idOf(guest), 'light', 7);
  await guest.getByRole('button', { name: 'clap' }).click();
  for (const card of [host, guest]) await card.locator('.log [data-event="clap"]').waitFor();
  await host.getByLabel('Message').fill('こんにちは');
  await host.getByRole('button', { name: 'Fire' }).click();
  await guest.locator('.log', { hasText: 'こんにちは' }).waitFor();
  await here.screenshot({ path: path.join(PICTURES, 'mesh.png') });
});

test('a group sees nothing of another, and its dissolution reaches everyone', async () => {
  const page = await open(browsers[0]);
  await page.getByRole('button', { name: 'Add a node' }).click();
  const [first, second, third] = [node(page, 0), node(page, 1), node(page, 2)];
  await create(first, 'Red');
  await create(second, 'Blue');
  await join(third, 'Red');
  await first.getByRole('button', { name: 'star' }).click();
  await third.locator('.log [data-event="star"]').waitFor();
  // An event of its own comes after whatever the other group's would have brought.
  await second.getByRole('button', { name: 'bell' }).click();
  await second.locator('.log [data-event="bell"]').waitFor();
  assert.deepEqual(await second.locator('.log li').count(), 1);
  await first.getByRole('button', { name: 'Dissolve' }).click();
  await third.getByText('has been dissolved successfully.').waitFor();
  await third.getByRole('button', { name: 'Join: Blue' }).waitFor();
});

test('a node that leaves is no longer a member, and may join another group, which gets its values', async () => {
  const page = await open(browsers[0]);
  await page.getByRole('button', { name: 'Add a node' }).click();
  const [host, guest, other] = [node(page, 0), node(page, 1), node(page, 2)];
  await create(host, 'Left');
  await create(other, 'Again');
  await join(guest, 'Left');
  await move(guest, 'light', 99);
  await reads(host, await idOf(guest), 'light', 99);
  await guest.getByRole('button', { name: 'Leave' }).click();
  await host.locator(`.others [data-from="${await idOf(guest)}"]`).waitFor({ state: 'detached' });
  await host.getByText('Nobody has reported yet.').waitFor();
  await join(guest, 'Again');
  await reads(other, await idOf(guest), 'light', 99);
});

test('an event that is fired without a connection arrives when it is there again, at the node that fired it too', async () => {
  const page = await open(browsers[0]);
  const other = await open(browsers[1]);
  const [host, guest] = [node(page, 0), node(other, 0)];
  const sockets = [];
  let isCut = false;
  await page.routeWebSocket(/realtime/, (socket) => {
    if (isCut) socket.close();
    else sockets.push({ socket, server: socket.connectToServer() });
  });
  await page.route('**/graphql', (route) => (isCut ? route.abort() : route.continue()));
  await create(host, 'Cut');
  await join(guest, 'Cut');
  await host.locator('.live[data-there="true"]').waitFor();
  isCut = true;
  for (const { socket, server } of sockets) await Promise.all([socket.close(), server.close()]);
  await host.locator('.live[data-there="false"]').waitFor();
  for (const name of ['clap', 'bell']) await host.getByRole('button', { name }).click();
  isCut = false;
  for (const card of [host, guest]) {
    for (const name of ['clap', 'bell']) await card.locator(`.log [data-event="${name}"]`).waitFor();
    assert.deepEqual(await card.locator('.log b').allInnerTexts(), ['bell', 'clap']);
  }
});

test('the focus stays in the card', async () => {
  const page = await open(browsers[0]);
  const [host, guest] = [node(page, 0), node(page, 1)];
  const focused = (card) => card.evaluate((element) => element.contains(document.activeElement) && document.activeElement.checkVisibility());
  const inGroup = (card) => card.getByRole('button', { name: /Leave|Dissolve/ }).waitFor();
  const outside = (card) => card.getByRole('button', { name: 'Create a group' }).waitFor();
  await host.getByLabel('Name of the group').fill('By keyboard');
  await page.keyboard.press('Enter');
  await inGroup(host);
  assert.ok(await focused(host), 'after a group was created');
  await guest.getByRole('button', { name: 'Join: By keyboard' }).focus();
  // The list of groups changes.
  await (await open(browsers[1])).locator('.node').first().getByRole('button', { name: 'Create a group' }).click();
  await until(page, () => document.querySelectorAll('.node:nth-child(2) .groups button').length === 2);
  await page.keyboard.press('Enter');
  await inGroup(guest);
  assert.ok(await focused(guest), 'after a group was joined');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Leave');
  await page.keyboard.press('Enter');
  await outside(guest);
  assert.ok(await focused(guest), 'after a group was left');
  await guest.getByRole('button', { name: 'Remove' }).press('Enter');
  await guest.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'add');
});

test('the dashboard shows groups, nodes, values and events', async () => {
  const page = await open(browsers[0]);
  await create(node(page, 0), 'Shown');
  await join(node(page, 1), 'Shown');
  await move(node(page, 1), 'light', 64);
  await node(page, 1).getByRole('button', { name: 'bell' }).click();
  const dashboard = await page.context().newPage();
  await dashboard.goto(`${url}/`);
  const group = dashboard.getByRole('region', { name: 'Group Shown' });
  await group.getByText('light 64').waitFor();
  await group.getByText('bell').waitFor();
  await group.getByText('host', { exact: true }).waitFor();
  await fits(dashboard, 'with a group');
  await isAccessible(dashboard, 'with a group');
  await dashboard.screenshot({ path: path.join(PICTURES, 'mesh-dashboard.png') });
  while (!output.some((line) => /event "bell" of /.test(line))) {
    await once(printed, 'line', { signal: AbortSignal.timeout(PATIENCE_MS) });
  }
});

test('operations can be tried on the dashboard, which shows what their resolvers take', async () => {
  const page = await open(browsers[0]);
  await create(node(page, 0), 'Tried');
  const dashboard = await page.context().newPage();
  dashboard.on('pageerror', (error) => output.push(`page error: ${error.stack}`));
  await dashboard.goto(`${url}/`);
  await dashboard.getByText('Try an operation').click();
  const field = (name) => dashboard.getByRole('button', { name, exact: true });
  await field('query listGroupsByDomain').click();
  await dashboard.getByLabel('Variables as JSON').fill('{"domain": "127.0.0.1"}');
  await dashboard.getByRole('button', { name: 'Run' }).click();
  const answer = dashboard.getByRole('region', { name: 'Answer' });
  await answer.getByText('"name": "Tried"').waitFor();
  await dashboard.locator('.appsync-trace', { hasText: 'ListGroupsByDomain' }).first().locator('summary').click();
  await dashboard.locator('.appsync-trace[open]').getByText('/listGroupsByDomain').waitFor();
  // The playground goes on asking, so that the list changes under the focus.
  const first = dashboard.locator('.appsync-trace summary').first();
  await first.focus();
  const key = await first.getAttribute('data-key');
  await until(dashboard, (old) => document.querySelector('.appsync-trace summary').dataset.key !== old, key);
  assert.equal(await dashboard.evaluate(() => document.activeElement.dataset.key), key);
  await dashboard.locator('.appsync-trace').evaluateAll((all) => { for (const one of all) one.open = true; });
  await fits(dashboard, 'with an answer and traces');
  await isAccessible(dashboard, 'with an answer and traces');
  // A subscription shows what it is sent.
  const id = JSON.parse(await answer.innerText()).data.listGroupsByDomain[0].id;
  await field('subscription onDataUpdateInGroup').click();
  await dashboard.getByLabel('Variables as JSON').fill(JSON.stringify({ groupId: id, domain: '127.0.0.1' }));
  await dashboard.getByRole('button', { name: 'Run' }).click();
  await dashboard.locator('.appsync-editor [role=status]', { hasText: 'listening …' }).waitFor();
  await move(node(page, 0), 'light', 31);
  await answer.getByText('"value": "31"').waitFor();
  await dashboard.getByRole('button', { name: 'Stop' }).click();
  // Other credentials are sent instead of the key, over the WebSocket, too.
  const authorization = dashboard.getByLabel('Authorization header');
  const status = dashboard.locator('.appsync-editor [role=status]');
  await authorization.fill('nonsense');
  await dashboard.getByRole('button', { name: 'Run' }).click();
  await status.filter({ hasText: 'Valid authorization header not provided.' }).waitFor();
  await field('query listGroupsByDomain').click();
  await dashboard.getByLabel('Variables as JSON').fill('{"domain": "127.0.0.1"}');
  await dashboard.getByRole('button', { name: 'Run' }).click();
  await answer.getByText('"errorType": "UnauthorizedException"').waitFor();
  await authorization.fill('');
  await dashboard.getByRole('button', { name: 'Run' }).click();
  await answer.getByText('"name": "Tried"').waitFor();
  // What can't be right is said before anything is sent.
  await dashboard.getByLabel('Variables as JSON').fill('{');
  await dashboard.getByRole('button', { name: 'Run' }).click();
  await dashboard.locator('.appsync-editor [role=status]', { hasText: 'variables: ' }).waitFor();
});

for (const locale of ['en-US', 'ja-JP']) {
  test(`the playground is accessible, and fits its window: ${locale}`, async () => {
    const page = await open(browsers[0], { locale });
    const [host, guest] = [node(page, 0), node(page, 1)];
    await host.locator('input[type="text"]').first().fill('A group with a name of forty characters,');
    await host.locator('button.primary').click();
    await guest.locator('.groups button').waitFor();
    await page.locator('#add').click();
    await fits(page, 'before a group is joined');
    await isAccessible(page, 'before a group is joined');
    await guest.locator('.groups button').click();
    await reads(guest, await idOf(host), 'light', 50);
    await host.locator('.event').first().click();
    await host.locator('.inside input[type="text"]').fill('A message of sixty characters, which is as long as they are.');
    await host.locator('.inside form button').click();
    await guest.locator('.log [data-event="message"]').waitFor();
    await fits(page, 'in a group');
    await isAccessible(page, 'in a group');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.screenshot({ path: path.join(PICTURES, `mesh-narrow-${locale}.png`), fullPage: true });
  });
}

test('nothing went wrong in the pages', () => {
  assert.deepEqual(output.filter((line) => line.startsWith('page error')), []);
});
