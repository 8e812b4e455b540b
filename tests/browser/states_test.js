// State machines and executions of the real cloud on its page, in a real browser.
//   states_test.js CHROMIUM PLAYWRIGHT BYOSHIN TEMPLATE ZIP
// Pictures go to the test's outputs.
'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const { after, afterEach, before, test } = require('node:test');
const { ReceiveMessageCommand, SQSClient } = require('@aws-sdk/client-sqs');
const { isAccessible } = require('./accessibility.js');
const { launch, until, PATIENCE_MS } = require('./browser.js');
const { fits } = require('./layout.js');
const { sign } = require('./sigv4.js');

const [chromium, playwright, program, template, zip] = process.argv.slice(2);
const OUT = process.env.TEST_UNDECLARED_OUTPUTS_DIR ?? '/tmp';
const SCRATCH = process.env.TEST_TMPDIR ?? fs.mkdtempSync('/tmp/states-');
const ENVIRONMENT = { HOME: SCRATCH, TMPDIR: SCRATCH };
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

const pass = (more) => ({ Type: 'Pass', ...more });
const ORDERS = {
  StartAt: 'Check',
  States: {
    Check: { Type: 'Choice', Choices: [{ Variable: '$.amount', NumericGreaterThan: 100, Next: 'Refuse' }], Default: 'Both' },
    Both: {
      Type: 'Parallel', ResultPath: null, Next: 'Each',
      Branches: [
        { StartAt: 'Greet', States: { Greet: { Type: 'Task', Resource: '${FunctionArn}', End: true } } },
        { StartAt: 'Pick', States: { Pick: pass({ Next: 'Pack' }), Pack: pass({ End: true }) } },
      ],
    },
    Each: { Type: 'Map', ItemsPath: '$.items', ResultPath: null, Next: 'Charge', ItemProcessor: { StartAt: 'Item', States: { Item: pass({ End: true }) } } },
    Charge: {
      Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', ResultPath: null, Next: 'Approve',
      Parameters: { QueueUrl: 'http://127.0.0.1/000000000000/missing', MessageBody: 'x' },
      Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 1 }],
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Apologize' }],
    },
    Apologize: pass({ Next: 'Approve' }),
    Approve: {
      Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken', End: true,
      Parameters: { QueueUrl: '${QueueUrl}', MessageBody: { 'token.$': '$$.Task.Token' } },
    },
    Refuse: { Type: 'Fail', Error: 'TooMuch', Cause: 'more than 100' },
  },
};

let cloud; // the process
let url;
let browser;
let page;
let machine; // its ARN
let queue; // its URL
const complaints = [];
const output = [];

/** A stack with a function, a queue and the state machine. */
function writeTemplate() {
  const stack = JSON.parse(fs.readFileSync(template));
  const { Role, Function: fn } = stack.Resources;
  stack.Resources = {
    Role,
    Function: fn,
    Queue: { Type: 'AWS::SQS::Queue' },
    States: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Principal: { Service: 'states.amazonaws.com' }, Action: 'sts:AssumeRole' }] },
        Policies: [{ PolicyName: 'all', PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['lambda:InvokeFunction', 'sqs:SendMessage'], Resource: '*' }] } }],
      },
    },
    Orders: {
      Type: 'AWS::StepFunctions::StateMachine',
      Properties: {
        StateMachineName: 'orders', RoleArn: { 'Fn::GetAtt': ['States', 'Arn'] }, DefinitionString: JSON.stringify(ORDERS),
        DefinitionSubstitutions: { FunctionArn: { 'Fn::GetAtt': ['Function', 'Arn'] }, QueueUrl: { Ref: 'Queue' } },
      },
    },
  };
  stack.Outputs = { Machine: { Value: { Ref: 'Orders' } }, QueueUrl: { Value: { Ref: 'Queue' } } };
  fs.writeFileSync(`${SCRATCH}/template.json`, JSON.stringify(stack));
}

function start() {
  writeTemplate();
  cloud = spawn(path.resolve(program), ['up', '--port=0', '--api-port=0', '--in-memory', `--template=${SCRATCH}/template.json`,
    `--zips=${path.resolve(path.dirname(zip))}`], { stdio: ['ignore', 'pipe', 'pipe'], env: ENVIRONMENT });
  process.on('exit', () => cloud.kill('SIGKILL')); // it must not outlive the test
  readline.createInterface({ input: cloud.stderr }).on('line', (line) => output.push(line));
  return new Promise((resolve, reject) => {
    readline.createInterface({ input: cloud.stdout }).on('line', (line) => {
      output.push(line);
      const found = /^Dashboard: (http:\S+)\/$/.exec(line);
      if (found) resolve(found[1]);
    });
    cloud.once('exit', (code) => reject(new Error(`byoshin up ended with ${code}:\n${output.join('\n')}`)));
  });
}

async function states(operation, request) {
  const body = JSON.stringify(request);
  const headers = sign({
    url: `${url}/`, service: 'states', credentials, body,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AWSStepFunctions.${operation}` },
  });
  const response = await fetch(`${url}/`, { method: 'POST', headers, body });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}
const startOrder = (name, input) => states('StartExecution', { stateMachineArn: machine, name, input: JSON.stringify(input) });

function run(...words) {
  const { status, stdout, stderr } = spawnSync(path.resolve(program), [...words, `--endpoint=${url}`], { encoding: 'utf8', env: ENVIRONMENT });
  assert.equal(status, 0, `${words}: ${stderr}`);
  return stdout;
}

const hasText = (selector, wanted) => until(page, ([s, w]) => document.querySelector(s)?.innerText.includes(w), [selector, wanted]);
const picture = (name, options = {}) => page.screenshot({ path: path.join(OUT, `states-${name}.png`), ...options });
const state = (name) => page.locator(`.states-graph [data-state="${name}"]`);
const isState = (name, status) => until(page, ([n, s]) => document.querySelector(`.states-graph [data-state="${n}"]`)?.dataset.status === s, [name, status]);
const openExecution = (name) => page.locator('.states-lists').getByRole('button', { name, exact: true }).click();

before(async () => {
  const launching = launch({ chromium, playwright, scratch: SCRATCH }).then((launched) => { browser = launched; });
  try {
    url = await start();
  } finally {
    await launching; // so that it is closed, come what may
  }
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  page = await context.newPage();
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const { stacks } = await (await fetch(`${url}/_byoshin/api/stacks`)).json();
  machine = stacks[0].outputs.Machine;
  queue = stacks[0].outputs.QueueUrl;
  await page.goto(`${url}/`);
});
after(async () => {
  await browser?.close();
  cloud?.kill('SIGKILL');
});
afterEach(() => assert.deepEqual(complaints.splice(0), [], 'the browser complained'));

test('a machine is shown before it has run', async () => {
  await hasText('.states-card', 'orders');
  await hasText('.states-card', 'Executions of orders');
  await hasText('.states-lists', 'none');
});

test('an execution appears, and its graph follows it to the state that waits', async () => {
  await startOrder('order-1', { amount: 5, items: [1, 2, 3], note: HOSTILE });
  await hasText('.states-lists', 'order-1');
  await openExecution('order-1');
  await isState('Approve', 'running');
  for (const name of ['Check', 'Both', 'Greet', 'Pick', 'Pack', 'Each', 'Item', 'Apologize']) await isState(name, 'succeeded');
  await isState('Charge', 'caught');
  await isState('Refuse', 'none');
  await hasText('.states-execution', 'RUNNING');
});

test('a state that was retried and caught shows its attempts and its error', async () => {
  await state('Charge').click();
  await hasText('.states-detail', 'retry 1');
  await hasText('.states-detail', 'QueueDoesNotExist');
  assert.match(await state('Charge').getAttribute('aria-label'), /^Charge Task, failed and caught, 1 retry$/);
  await picture('caught', { fullPage: true });
});

test('a state in a Map shows each item', async () => {
  await state('Item').click();
  await hasText('.states-detail', 'Entered 3 times');
  await page.locator('#states-visit').selectOption({ index: 1 });
  await until(page, () => document.querySelector('.states-detail .data pre')?.innerText === '2');
});

test('what an input contains is text', async () => {
  await state('Check').click();
  await hasText('.states-detail', 'onerror');
  assert.equal(await page.title(), 'Byoshin');
  assert.equal(await page.locator('.states-card img, .states-card script').count(), 0);
});

test('a task that calls a function leads to its logs', async () => {
  await state('Greet').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Logs of / }).click();
  const chosen = await page.locator('#log-function').inputValue();
  assert.match(chosen, /Function/);
  await until(page, () => document.querySelectorAll('#logs li').length > 0);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'logs');
});

test('the execution goes on while the page is open', async () => {
  const sqs = new SQSClient({ endpoint: url, region: 'us-east-1', credentials });
  const { Messages: [message] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: queue, WaitTimeSeconds: 20 }));
  sqs.destroy();
  await states('SendTaskSuccess', { taskToken: JSON.parse(message.Body).token, output: '{"approved":true}' });
  await isState('Approve', 'succeeded');
  await hasText('.states-execution', 'SUCCEEDED');
  await page.locator('.states-history summary').click();
  await hasText('.states-history', 'ExecutionSucceeded');
});

test('arrow keys scroll the graph, and leave the range of the page alone', async () => {
  await state('Greet').focus();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.locator('#live').getAttribute('aria-pressed'), 'true');
  await page.locator('#live').focus();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.locator('#live').getAttribute('aria-pressed'), 'false');
  await page.locator('#live').click();
});

test('a failed execution says why', async () => {
  await startOrder('order-2', { amount: 500, items: [] });
  await hasText('.states-lists', 'order-2');
  await page.locator('.states-lists select').selectOption({ label: 'failed' });
  await until(page, () => !document.querySelector('.states-lists').innerText.includes('order-1'));
  await openExecution('order-2');
  await isState('Refuse', 'failed');
  await isState('Both', 'none');
  await hasText('.states-detail', 'TooMuch');
  await hasText('.states-detail', 'more than 100');
});

test('the children of a distributed Map can be opened, also of a machine that no template has made', async () => {
  const { roleArn } = await states('DescribeStateMachine', { stateMachineArn: machine });
  const processor = { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, StartAt: 'Item', States: { Item: pass({ End: true }) } };
  const { stateMachineArn } = await states('CreateStateMachine', {
    name: 'batch', roleArn, definition: JSON.stringify({ StartAt: 'All', States: { All: { Type: 'Map', End: true, ItemProcessor: processor } } }),
  });
  await states('StartExecution', { stateMachineArn, name: 'batch-1', input: '["a","b"]' });
  await page.locator('.states-lists').getByRole('button', { name: 'batch', exact: true }).click();
  await page.locator('.states-lists select').selectOption({ label: 'all' });
  await openExecution('batch-1');
  await isState('All', 'succeeded');
  await isState('Item', 'none');
  await state('All').locator('.name').click(); // in its middle is what is in it
  await hasText('.states-detail', '2 items: 2 succeeded');
  await page.locator('.states-detail .children button').first().click();
  await isState('Item', 'succeeded');
  await state('Item').click();
  await until(page, () => document.querySelector('.states-detail .data pre')?.innerText === '"a"');
  await page.getByRole('button', { name: 'Back to the parent' }).click();
  await isState('All', 'succeeded');
  await page.getByRole('button', { name: 'Close' }).click();
  await until(page, () => document.activeElement.dataset.key?.endsWith(':batch-1'));
  await page.locator('.states-lists').getByRole('button', { name: 'orders', exact: true }).click();
  await openExecution('order-2');
});

test('it is accessible, in light and dark, and fits its window', async () => {
  await isState('Refuse', 'failed');
  await state('Refuse').click();
  await isAccessible(page, 'a failed state');
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await until(page, (theme) => document.documentElement.dataset.theme === theme, colorScheme);
    await picture(colorScheme, { fullPage: true });
  }
  await fits(page, 'a failed state');
  await page.setViewportSize({ width: 375, height: 812 });
  await picture('phone', { fullPage: true });
  await page.getByRole('button', { name: 'Close' }).click();
  await until(page, () => !document.querySelector('.states-execution'));
});

test('the command line prints the same', () => {
  const list = run('executions');
  assert.match(list, /^orders +order-2 +FAILED /m);
  assert.match(list, /^orders +order-1 +SUCCEEDED /m);
  assert.doesNotMatch(run('executions', 'ord', '--failed'), /order-1/);
  const shown = run('executions', '--name=order-2');
  assert.match(shown, /^error +TooMuch$/m);
  assert.match(shown, / FailStateEntered +Refuse$/m);
  const { events, execution } = JSON.parse(run('executions', 'orders', '--name=order-1', '--json'));
  assert.equal(execution.output, '{"approved":true}');
  assert.ok(events.length > 20);
});
