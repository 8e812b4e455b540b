// The page of asynchronous generation in a real browser: `byoshin up --stack=generation`, with the template and the zips
// that AWS would get. The model is the test's, so that the test decides how far a process gets.
//   generation_test.js CHROMIUM PLAYWRIGHT BYOSHIN
// Pictures go to the test's outputs.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const readline = require('node:readline');
const { after, afterEach, before, test } = require('node:test');
const { isAccessible } = require('./accessibility.js');
const { launch, until, PATIENCE_MS } = require('./browser.js');
const { fits } = require('./layout.js');
const { ModelServer } = require('./model_server.js');
const { sign } = require('./sigv4.js');

const [chromium, playwright, program] = process.argv.slice(2);
const OUT = process.env.TEST_UNDECLARED_OUTPUTS_DIR ?? '/tmp';
const SCRATCH = process.env.TEST_TMPDIR ?? fs.mkdtempSync('/tmp/generation-');
const GOAL = {
  title: 'Run a marathon', description: 'I finish in under five hours.', background: 'I run twice a week.',
  constraints: 'Six hours a week.', deadline: '2099-03-31',
};

let browser;
let model;
let cloud; // {url, user, password, stop()}
let desk; // the page of most tests: it goes on from one to the next, as a user's does
let complaints = [];

/** `byoshin up` with these flags, once it has said where it is. */
function up(flags) {
  const child = spawn(path.resolve(program), ['up', '--stack=generation', '--port=0', '--api-port=0', ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { HOME: SCRATCH } }); // temporary files in /tmp: paths of sockets are short
  process.on('exit', () => child.kill('SIGKILL')); // it must not outlive the test
  const output = [];
  const started = { child, output };
  readline.createInterface({ input: child.stderr }).on('line', (line) => output.push(line));
  started.stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return new Promise((resolve, reject) => {
    readline.createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line);
      const page = /^Mandala chart: (http:\S+)\/generation\/$/.exec(line);
      if (page) started.url = page[1];
      const who = /^ {2}user (\S+), password (\S+)$/.exec(line);
      if (who) [, started.user, started.password] = who;
      if (/Ctrl-C stops/.test(line)) resolve(started);
    });
    child.once('exit', (code) => reject(new Error(`byoshin up ended with ${code}:\n${output.join('\n')}`)));
  });
}

async function newPage(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return page;
}

before(async () => {
  model = await ModelServer.start();
  const launching = launch({ chromium, playwright, scratch: SCRATCH }).then((launched) => { browser = launched; });
  try {
    cloud = await up(['--in-memory', `--model-url=${model.url}`]);
  } finally {
    await launching; // so that it is closed, come what may
  }
  desk = await newPage();
});

after(async () => {
  await browser?.close();
  await cloud?.stop();
  model?.stop();
});

afterEach(() => assert.deepEqual(complaints.splice(0), [], 'the browser complained'));

const forgive = (pattern) => { complaints = complaints.filter((text) => !pattern.test(text)); };
const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;
const hasText = (page, selector, wanted) => until(page, ([s, w]) => document.querySelector(s)?.innerText.includes(w), [selector, wanted]);
const isThere = (page, selector) => until(page, (s) => document.querySelector(s), selector);
const picture = (page, name, options = {}) => page.screenshot({ path: path.join(OUT, `generation-${name}.png`), ...options });
const cells = (page, selector, count) => until(page, ([s, n]) => document.querySelectorAll(`.cell${s}`).length === n, [selector, count]);
const steps = (page) => page.locator('.step-count').allInnerTexts();
const stepsAre = (page, wanted) => until(page, (w) => [...document.querySelectorAll('.step-count')].map((e) => e.innerText).join() === w, wanted.join());
const statusIs = (page, wanted) => until(page, (w) => document.querySelector('.goal')?.dataset.status === w, wanted);
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

async function signIn(page, { url, user, password } = cloud) {
  await page.goto(`${url}/generation/`);
  await isThere(page, '#password');
  assert.equal(await page.locator('#user').inputValue(), user);
  await page.locator('#password').fill(password);
  await press(page, 'Sign in');
  await isThere(page, '#tabs a');
}

async function fill(page, goal = GOAL) {
  await page.goto(`${new URL(page.url()).origin}/generation/#/new`);
  await isThere(page, '.goal-form');
  for (const [name, value] of Object.entries(goal)) await page.locator(`#goal-${name}`).fill(value);
}

async function startGoal(page, goal = GOAL) {
  await fill(page, goal);
  await press(page, 'Break it down');
  await isThere(page, '.goal');
}

async function isUsable(page, name) {
  await isAccessible(page, name);
  await fits(page, name);
}

test('a wrong password is refused with a word of explanation', async () => {
  await desk.goto(`${cloud.url}/generation/`);
  await isThere(desk, '#password');
  await isUsable(desk, 'signing in');
  await picture(desk, 'sign-in');
  await desk.locator('#password').fill('wrong');
  await press(desk, 'Sign in');
  await hasText(desk, '.problem', 'The user name or the password is wrong.');
  assert.equal(await desk.locator('#tabs').isVisible(), false);
  forgive(REFUSED);
});

test('what the API complains about stands beside the fields', async () => {
  await signIn(desk);
  await fill(desk, { title: 'x'.repeat(201), deadline: '2020-01-01' });
  await press(desk, 'Break it down');
  await hasText(desk, '#goal-title-problem', 'Enter at most 200 characters.');
  assert.equal(await desk.locator('#goal-description-problem').innerText(), 'This is required.');
  assert.equal(await desk.locator('#goal-background-problem').innerText(), 'This is required.');
  assert.equal(await desk.locator('#goal-deadline-problem').innerText(), 'Give a date or a time in the future.');
  assert.equal(await desk.locator('#goal-constraints-problem').innerText(), '');
  assert.equal(await desk.locator('.goal-form > .problem').innerText(), 'Some of the input is invalid.');
  assert.deepEqual(await desk.locator('[aria-invalid]').evaluateAll((all) => all.map(({ name }) => name)), ['title', 'description', 'background', 'deadline']);
  assert.equal(await desk.evaluate(() => document.activeElement.name), 'title');
  await isUsable(desk, 'complaints');
  await picture(desk, 'complaints');
  forgive(REFUSED);
});

test('a goal becomes 8 sub-goals, 64 actions and tasks, and the chart fills as they are made', async () => {
  model.hold();
  await startGoal(desk);
  await hasText(desk, '.state', 'Working · 0 %');
  await cells(desk, '.sub[data-state="working"]', 16); // each stands twice
  model.allow(1);
  // It goes on by itself.
  await stepsAre(desk, ['8 of 8', '0 of 64', '0 of 64']);
  await cells(desk, '.sub[data-state="done"]', 16);
  assert.equal(await desk.locator('.block.core .cell').nth(0).innerText(), 'Sub-goal 1');
  assert.equal(await desk.locator('.block.core .cell.goal').innerText(), GOAL.title);
  await cells(desk, '.action[data-state="working"]', 8);
  model.allow(3);
  await stepsAre(desk, ['8 of 8', '24 of 64', '0 of 64']);
  await cells(desk, '.action[data-state="made"]', 24);
  await cells(desk, '.action[data-state="working"]', 8);
  assert.equal(await desk.locator('progress').evaluate(({ value }) => value), 37);
  await isUsable(desk, 'half a chart');
  await picture(desk, 'progress', { fullPage: true });
  model.allow(5);
  await stepsAre(desk, ['8 of 8', '64 of 64', '0 of 64']);
  await cells(desk, '.action[data-state="done"]', 64);
  model.allow(10);
  await stepsAre(desk, ['8 of 8', '64 of 64', '10 of 64']);
  await cells(desk, '[data-tasks="done"]', 10);
  model.letGo();
  await hasText(desk, '.state', 'The chart is complete.');
  await cells(desk, '[data-tasks="done"]', 64);
  assert.deepEqual(await steps(desk), ['8 of 8', '64 of 64', '64 of 64']);
  await isUsable(desk, 'the chart');
  await picture(desk, 'chart', { fullPage: true });
});

test('a cell shows what is behind it, also by the keyboard', async () => {
  await desk.getByRole('button', { name: 'Action 2: Action 3.2' }).click();
  const dialog = desk.locator('#detail');
  await hasText(desk, '#detail', 'Task 2');
  assert.equal(await dialog.locator('h2').innerText(), 'Action 3.2');
  assert.match(await dialog.innerText(), /habit[\s\S]*30 min[\s\S]*45 min[\s\S]*2 tasks, 75 min/);
  await isUsable(desk, 'the dialog');
  await picture(desk, 'tasks');
  await desk.keyboard.press('Escape');
  await until(desk, () => !document.getElementById('detail').open);
  // One stop for the Tab key, and arrows from there: left of the action is another.
  await desk.keyboard.press('ArrowLeft');
  await desk.keyboard.press('Enter');
  await hasText(desk, '#detail h2', 'Action 3.1');
  await desk.keyboard.press('Escape');
  await desk.locator('.block.core .cell.goal').click();
  await hasText(desk, '#detail', GOAL.background);
  await desk.keyboard.press('Escape');
  assert.equal(await desk.locator('.cell[tabindex="0"]').count(), 1);
  await desk.getByRole('button', { name: 'Action 1: Action 1.1' }).click();
  await hasText(desk, '#detail', '1 task, 30 min');
  await desk.keyboard.press('Escape');
});

test('what is generated anew for one sub-goal replaces its actions only', async () => {
  await desk.locator('.block.core .cell').nth(0).click();
  await hasText(desk, '#detail', 'Part 1 of the way');
  await press(desk, 'Find actions for this sub-goal');
  // Its actions have no tasks yet.
  await stepsAre(desk, ['8 of 8', '64 of 64', '56 of 64']);
  await statusIs(desk, 'COMPLETED');
  await press(desk, 'Find tasks');
  await hasText(desk, '.state', 'The chart is complete.');
});

test('a chart is there again after a reload, and a process that goes on is followed', async () => {
  model.hold();
  await desk.locator('.check input').uncheck();
  await startGoal(desk, { ...GOAL, title: 'Learn to juggle' });
  await hasText(desk, '.state', 'Working');
  await desk.reload();
  await hasText(desk, '.goal h1', 'Learn to juggle');
  await hasText(desk, '.state', 'Working');
  await until(desk, () => document.querySelectorAll('.goal-list a').length === 2);
  assert.deepEqual(await desk.locator('.goal-list a').allInnerTexts(), ['Learn to juggle', 'Run a marathon']);
  model.letGo();
  await stepsAre(desk, ['8 of 8', '0 of 64', '0 of 64']);
  await statusIs(desk, 'COMPLETED');
  // It does not go on by itself now.
  await isThere(desk, '.run .buttons .primary');
  await desk.locator('.goal-list a', { hasText: 'Run a marathon' }).click();
  await hasText(desk, '.state', 'The chart is complete.');
  await cells(desk, '[data-tasks="done"]', 64);
});

test('a cancelled process stays cancelled, and can be started again', async () => {
  model.hold();
  await desk.locator('.goal-list a', { hasText: 'Learn to juggle' }).click();
  await hasText(desk, '.goal h1', 'Learn to juggle');
  await press(desk, 'Find actions');
  await hasText(desk, '.state', 'Working');
  model.allow(2);
  await stepsAre(desk, ['8 of 8', '16 of 64', '0 of 64']);
  await press(desk, 'Cancel');
  await hasText(desk, '.state', 'Cancelled. What was generated until then is not shown.');
  model.letGo();
  await desk.reload();
  await hasText(desk, '.state', 'Cancelled.');
  await stepsAre(desk, ['8 of 8', '0 of 64', '0 of 64']);
  await press(desk, 'Start again');
  await statusIs(desk, 'COMPLETED');
  await stepsAre(desk, ['8 of 8', '64 of 64', '0 of 64']);
});

test('a model that answers nonsense fails the process with a reason, and a retry succeeds', async () => {
  model.garbage = 3; // as often as it is asked
  await startGoal(desk, { ...GOAL, title: 'Write a novel' });
  await statusIs(desk, 'FAILED');
  await hasText(desk, '.goal .problem', 'The AI\'s answers did not have the required form. (AI_RESPONSE_INVALID)');
  await isUsable(desk, 'a failure');
  await picture(desk, 'failed');
  await press(desk, 'Try again');
  await statusIs(desk, 'COMPLETED');
  await stepsAre(desk, ['8 of 8', '0 of 64', '0 of 64']);
  assert.equal(await desk.locator('.goal .problem').innerText(), '');
});

test('the history has all of it, and can be narrowed down', async () => {
  await desk.locator('#tabs a', { hasText: 'History' }).click();
  const rows = desk.locator('.history tbody tr');
  await until(desk, () => document.querySelectorAll('.history tbody tr').length >= 10);
  await isUsable(desk, 'the history');
  await picture(desk, 'history');
  await desk.locator('#history-status').selectOption('FAILED');
  await until(desk, () => document.querySelectorAll('.history tbody tr').length === 1);
  assert.match(await rows.innerText(), /Write a novel\s+Sub-goals\s+failed/);
  await desk.locator('#history-status').selectOption('CANCELLED');
  await hasText(desk, '.history tbody', 'Learn to juggle');
  await desk.locator('#history-type').selectOption('TASK_GENERATION');
  await hasText(desk, '.history', 'Nothing to show.');
});

test('a token that is not accepted any more is refreshed, and nobody notices', async () => {
  const stored = () => desk.evaluate(() => JSON.parse(sessionStorage.getItem('mandala-session')));
  const good = await stored();
  const spoilt = `${good.idToken.slice(0, -8)}AAAAAAAA`;
  await desk.evaluate((idToken) => sessionStorage.setItem('mandala-session', JSON.stringify({ ...JSON.parse(sessionStorage.getItem('mandala-session')), idToken })), spoilt);
  await desk.reload();
  await until(desk, () => document.querySelectorAll('.history tbody tr').length >= 10);
  assert.notEqual((await stored()).idToken, spoilt);
  forgive(/status of 401/);
  // One that is about to expire is not even tried.
  await desk.evaluate(() => sessionStorage.setItem('mandala-session', JSON.stringify({ ...JSON.parse(sessionStorage.getItem('mandala-session')), expiresAt: 0, idToken: 'x' })));
  await desk.reload();
  await until(desk, () => document.querySelectorAll('.history tbody tr').length >= 10);
  assert.ok((await stored()).expiresAt > 0);
});

test('a session that can\'t be continued leads back to the form', async () => {
  const page = await newPage();
  await signIn(page);
  await page.evaluate(() => sessionStorage.setItem('mandala-session', JSON.stringify({ ...JSON.parse(sessionStorage.getItem('mandala-session')), idToken: 'x', refreshToken: 'y' })));
  await page.reload();
  await hasText(page, '.problem', 'Your session has ended.');
  assert.equal(await page.evaluate(() => sessionStorage.getItem('mandala-session')), null);
  await page.context().close(); // several requests may have been refused, the last one only now
  forgive(REFUSED);
});

test('a user with a temporary password chooses another one first, and sees no goals of others', async () => {
  const { userPoolId } = await (await fetch(`${cloud.url}/generation/config.json`)).json();
  const body = JSON.stringify({ UserPoolId: userPoolId, Username: 'jane', TemporaryPassword: 'Temporary-password-1', MessageAction: 'SUPPRESS' });
  const headers = sign({
    url: `${cloud.url}/`, service: 'cognito-idp', credentials: { accessKeyId: 'test', secretAccessKey: 'test' }, body,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSCognitoIdentityProviderService.AdminCreateUser' },
  });
  assert.equal((await fetch(`${cloud.url}/`, { method: 'POST', headers, body })).status, 200);
  const page = await newPage();
  await page.goto(`${cloud.url}/generation/`);
  await isThere(page, '#password');
  await page.locator('#user').fill('jane');
  await page.locator('#password').fill('Temporary-password-1');
  await press(page, 'Sign in');
  await hasText(page, '.welcome', 'New password');
  await page.locator('#password').fill('short');
  await press(page, 'Sign in');
  await hasText(page, '.problem', 'Password did not conform with policy');
  await page.locator('#password').fill('My-own-password-2');
  await press(page, 'Sign in');
  await hasText(page, '.goal-list', 'No goals yet.');
  // Nor does an address that somebody has passed on help.
  const [goal] = await desk.evaluate(() => [...document.querySelectorAll('.history a')].map((link) => link.getAttribute('href')));
  await page.goto(`${cloud.url}/generation/${goal}`);
  await hasText(page, '.goal .state', 'Nothing to show.');
  assert.deepEqual(await steps(page), ['0 of 8', '0 of 64', '0 of 64']);
  forgive(REFUSED);
  await page.context().close();
});

test('the panel has processes, failures with reasons, and the calls of the model', async () => {
  const page = await newPage();
  await page.goto(`${cloud.url}/`);
  await isThere(page, '.generation-card');
  await hasText(page, '.generation-bar', '1 failed');
  await hasText(page, '.generation-bar', '1 cancelled');
  const card = page.locator('.generation-card');
  assert.match(await card.innerText(), /AI_RESPONSE_INVALID/);
  assert.match(await card.innerText(), /\d+ calls · [\d,]+ tokens in/);
  assert.equal(await card.locator('a').getAttribute('href'), '/generation/');
  await isUsable(page, 'the panel');
  await picture(page, 'panel', { fullPage: true });
  // It follows what happens.
  const done = async () => Number(/(\d+) completed/.exec(await card.locator('.generation-bar').innerText())[1]);
  const before = await done();
  await startGoal(desk, { ...GOAL, title: 'Grow tomatoes' });
  await until(page, (n) => Number(/(\d+) completed/.exec(document.querySelector('.generation-bar').innerText)[1]) > n, before);
  await page.context().close();
});

test('the state machine\'s card tells cancelled from failed, and its graph has its labels whole', async () => {
  const page = await newPage();
  await page.goto(`${cloud.url}/`);
  await page.locator('.states-lists select').selectOption({ label: 'aborted' });
  const color = (name) => page.evaluate((variable) => {
    const probe = document.createElement('span');
    probe.style.color = `var(${variable})`;
    document.body.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  }, name);
  // The list is filled anew meanwhile.
  await until(page, (muted) => {
    const status = document.querySelector('.states-status[data-status="ABORTED"]');
    return status && getComputedStyle(status).color === muted;
  }, await color('--muted'));
  // A process that fails ends its execution well: nothing is red.
  assert.deepEqual(await page.locator('.states-lists table').first().locator('thead th').allInnerTexts(), ['state machine', 'running', 'succeeded', 'failed', 'aborted']);
  assert.equal(await page.locator('.states-lists .bad').count(), 0);
  await page.locator('.states-lists').getByRole('button', { name: /^[0-9a-f]{8}-/ }).first().click();
  await isThere(page, '.states-graph');
  await hasText(page, '.states-execution', 'CANCELLED');
  assert.equal(await page.locator('.states-execution .bad').count(), 0);
  const labels = await page.evaluate(() => [...document.querySelectorAll('.states-graph .line text')].map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return { lines: [...text.children].map((line) => line.textContent), left, right, top, bottom };
  }));
  assert.deepEqual(labels.map(({ lines }) => lines).sort(), [['catch States.ALL'], ['catch States.ALL'], ['catch States.Timeout', 'States.HeartbeatTimeout', 'WorkerTimeout']]);
  for (const [i, a] of labels.entries()) {
    for (const b of labels.slice(i + 1)) {
      assert.ok(a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top, `${a.lines} overlaps ${b.lines}`);
    }
  }
  const canvas = await page.locator('.states-graph').evaluate((graph) => graph.getBoundingClientRect().toJSON());
  for (const { lines, left, right } of labels) assert.ok(left >= canvas.left && right <= canvas.right, `${lines} is cut`);
  await page.locator('.states-graph').scrollIntoViewIfNeeded();
  await picture(page, 'graph', { fullPage: true });
  await page.context().close();
});

test('after the third retry another one is not offered', async () => {
  model.garbage = 4 * 3;
  await startGoal(desk, { ...GOAL, title: 'Win the lottery' });
  for (const retry of [1, 2, 3]) {
    await press(desk, 'Try again');
    await hasText(desk, '.state', `failed · retry ${retry} of 3`);
  }
  await hasText(desk, '.goal .problem', 'All 3 retries are used up.');
  assert.deepEqual(await desk.locator('.run .buttons button').allInnerTexts(), ['Start again']);
  await isUsable(desk, 'no more retries');
  await picture(desk, 'retries');
  await press(desk, 'Start again');
  await statusIs(desk, 'COMPLETED');
});

test('the keyboard focus goes on where the page does', async () => {
  const page = await newPage();
  const focusIs = (name, text) => until(page, ([n, w]) => {
    const { localName, innerText } = document.activeElement;
    return localName === n && innerText === w;
  }, [name, text]);
  const enter = (role, name) => page.getByRole(role, { name, exact: true }).press('Enter');
  await page.goto(`${cloud.url}/generation/`);
  await isThere(page, '#password');
  await page.locator('#user').fill('jane');
  await page.locator('#password').fill('wrong');
  await enter('button', 'Sign in');
  await hasText(page, '.problem', 'The user name or the password is wrong.');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'password');
  forgive(REFUSED);
  await page.locator('#password').fill('My-own-password-2');
  await page.keyboard.press('Enter');
  await focusIs('h1', 'What do you want to achieve?');
  await enter('link', 'History');
  await hasText(page, '.history', 'Nothing to show.');
  await focusIs('a', 'History');
  await enter('link', 'Goals');
  await isThere(page, '.goal-form');
  await focusIs('a', 'Goals');
  await enter('link', '+ New goal');
  await focusIs('h1', 'What do you want to achieve?');

  model.hold();
  for (const [name, value] of Object.entries({ ...GOAL, title: 'Learn to whistle' })) await page.locator(`#goal-${name}`).fill(value);
  await enter('button', 'Break it down');
  await focusIs('h1', 'Learn to whistle');
  await page.locator('.check input').uncheck();
  await hasText(page, '.state', 'Working');
  await enter('button', 'Cancel');
  await focusIs('button', 'Start again');
  await page.keyboard.press('Enter');
  await focusIs('button', 'Cancel');
  // The list of goals changes when the process ends.
  const goal = page.locator('.goal-list a');
  await goal.focus();
  await goal.evaluate((element) => { element.id = 'old'; });
  model.letGo();
  await until(page, () => document.querySelector('.goal-list a') && !document.getElementById('old'));
  await focusIs('a', 'Learn to whistle');
  await enter('link', 'History');
  await page.locator('.history a').first().press('Enter');
  await focusIs('h1', 'Learn to whistle');
  await statusIs(page, 'COMPLETED');
  await page.context().close();
});

test('what API Gateway refuses is in the reader\'s language, too', async () => {
  await desk.route('**/api/ai/async/history*', (route) => route.fulfill({
    status: 429, headers: { 'Access-Control-Allow-Origin': '*' },
    json: { success: false, error: { code: 'RATE_LIMIT_EXCEEDED', message: 'リクエストが多すぎます', retryable: true } },
  }), { times: 1 });
  await desk.locator('#tabs a', { hasText: 'History' }).click();
  await hasText(desk, '#notice', 'Too many requests.');
  forgive(REFUSED);
  await desk.reload();
  await isThere(desk, '.history tbody tr');
});

test('in Japanese, in the dark, on a phone', async () => {
  const page = await newPage({ locale: 'ja-JP', colorScheme: 'dark', viewport: { width: 375, height: 812 } });
  await page.goto(`${cloud.url}/generation/`);
  await hasText(page, 'h1', 'ログイン');
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'ja');
  await isUsable(page, 'signing in in Japanese');
  await page.locator('#password').fill(cloud.password);
  await press(page, 'ログイン');
  // What was entered in another browser is not known here.
  await isThere(page, '.goal-list a');
  await page.goto(`${cloud.url}/generation/#/new`);
  await hasText(page, '.goal-form', '何を達成したいですか？');
  await isUsable(page, 'the form in Japanese');
  await press(page, '分解する');
  await hasText(page, '#goal-title-problem', '必須項目です');
  forgive(REFUSED);
  await press(page, '例を入力');
  await press(page, '分解する');
  await hasText(page, '.state', 'チャートが完成しました。');
  await isUsable(page, 'the chart in Japanese');
  // One block at a time, chosen from the small chart.
  assert.equal(await page.locator('.cell').locator('visible=true').count(), 9);
  await page.locator('.map-block').nth(8).click();
  await hasText(page, '.block[data-focused]', 'Action 8.8');
  await isUsable(page, 'a block in Japanese');
  await picture(page, 'phone', { fullPage: true });
  await page.locator('.block[data-focused] .cell').nth(0).click();
  await hasText(page, '#detail', 'タスク2件');
  await page.context().close();
});

test('a page of another origin can neither read it, nor sign in, nor call the API, nor frame it', async () => {
  const site = http.createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>x</title>'));
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const page = await newPage();
  await page.goto(`http://127.0.0.1:${site.address().port}/`);
  const { apiUrl, clientId } = await (await fetch(`${cloud.url}/generation/config.json`)).json();
  const { idToken } = await desk.evaluate(() => JSON.parse(sessionStorage.getItem('mandala-session')));
  // What it tries works for a program.
  const api = `${apiUrl}/api/ai/async/history`.replace(/^http:\/\/([^.]+)\.execute-api\.localhost:(\d+)\/(\w+)/, 'http://127.0.0.1:$2/restapis/$1/$3/_user_request_');
  assert.equal((await fetch(api, { headers: { Authorization: `Bearer ${idToken}` } })).status, 200);
  const answers = await page.evaluate(async ([url, history, client, user, password, token]) => {
    const ask = (address, init) => fetch(address, init).then((response) => response.status, () => 'refused');
    const target = { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': 'AWSCognitoIdentityProviderService.InitiateAuth' };
    const body = JSON.stringify({ AuthFlow: 'USER_PASSWORD_AUTH', ClientId: client, AuthParameters: { USERNAME: user, PASSWORD: password } });
    return [await ask(`${url}/generation/config.json`), await ask(`${url}/`, { method: 'POST', headers: target, body }),
      await ask(history, { headers: { Authorization: `Bearer ${token}` } })];
  }, [cloud.url, `${apiUrl}/api/ai/async/history`, clientId, cloud.user, cloud.password, idToken]);
  assert.deepEqual(answers, ['refused', 'refused', 'refused']);
  const framed = await page.evaluate((source) => new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.onload = () => resolve(frame.contentDocument === null ? 'opaque' : 'read');
    frame.src = source;
    document.body.append(frame);
  }), `${cloud.url}/generation/`);
  assert.equal(framed, 'opaque');
  assert.equal(await page.frames()[1].locator('#main').count(), 0);
  forgive(/CORS|Failed to load resource|frame/i);
  await page.context().close();
  site.closeAllConnections();
  site.close();
});

test('who signs out is signed out, and the refresh token is of no use to a finder', async () => {
  const { refreshToken } = await desk.evaluate(() => JSON.parse(sessionStorage.getItem('mandala-session')));
  const [revoked] = await Promise.all([
    desk.waitForResponse((response) => response.request().headers()['x-amz-target']?.endsWith('RevokeToken')), press(desk, 'Sign out'),
  ]);
  assert.equal(revoked.status(), 200);
  await isThere(desk, '#password');
  assert.equal(await desk.evaluate(() => sessionStorage.getItem('mandala-session')), null);
  const { clientId } = await (await fetch(`${cloud.url}/generation/config.json`)).json();
  const answer = await fetch(`${cloud.url}/`, {
    method: 'POST', headers: { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': 'AWSCognitoIdentityProviderService.InitiateAuth' },
    body: JSON.stringify({ AuthFlow: 'REFRESH_TOKEN_AUTH', ClientId: clientId, AuthParameters: { REFRESH_TOKEN: refreshToken } }),
  });
  assert.equal(answer.status, 400);
});

test('a failing model, and after a restart with a good one the retry succeeds; user and password stay', async () => {
  const data = `--data=${SCRATCH}/kept`;
  const first = await up([data, '--model=error']);
  const page = await newPage();
  await signIn(page, first);
  await startGoal(page);
  await statusIs(page, 'FAILED');
  await hasText(page, '.goal .problem', '(AI_ERROR)');
  const [, goal] = /#\/goal\/(.+)$/.exec(page.url());
  await page.goto('about:blank'); // so that it does not complain
  await first.stop();
  const second = await up([data]);
  try {
    assert.deepEqual([second.user, second.password], [first.user, first.password]);
    await signIn(page, second);
    await page.goto(`${second.url}/generation/#/goal/${goal}`);
    await statusIs(page, 'FAILED');
    await press(page, 'Try again');
    await hasText(page, '.state', 'The chart is complete.');
    await cells(page, '[data-tasks="done"]', 64);
  } finally {
    await page.context().close();
    await second.stop();
  }
});
