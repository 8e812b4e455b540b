// The AWS SDK for JavaScript in a real browser: a page of an origin that --allow-origin names uses DynamoDB and SQS; a
// page of another origin gets nothing.
//   sdk_test.js CHROMIUM PLAYWRIGHT SERVE BUNDLE
'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { after, before, test } = require('node:test');
const { launch, PATIENCE_MS } = require('./browser.js');
const { startServe } = require('../conformance/serve.js');

const [chromium, playwright, program, bundle] = process.argv.slice(2);
const SCRATCH = process.env.TEST_TMPDIR ?? fs.mkdtempSync('/tmp/sdk-');

let friend; // origin of a page that may call
let stranger; // origin of another
let serve;
let browser;
let page;
const sites = [];

/** A site whose page has the SDK. */
async function site() {
  const script = fs.readFileSync(path.resolve(bundle));
  const server = http.createServer((request, response) => {
    const isScript = request.url === '/sdk.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><meta charset="utf-8"><title>x</title><script src="sdk.js"></script>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  sites.push(server);
  return `http://127.0.0.1:${server.address().port}`;
}

before(async () => {
  [friend, stranger] = [await site(), await site()];
  [serve, browser] = await Promise.all([
    startServe(path.resolve(program), ['--in-memory', `--allow-origin=${friend}`]),
    launch({ chromium, playwright, scratch: SCRATCH }),
  ]);
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  page = await context.newPage();
});

after(async () => {
  await browser?.close();
  for (const server of sites) server.close();
  await serve?.stop();
});

/** What `work` comes to in a page of this origin; the name of the error if it fails. */
async function inPage(origin, work) {
  await page.goto(origin);
  return page.evaluate(`(${work})(window.clients(${JSON.stringify(serve.url)})).catch((error) => error.name)`);
}

test('a page of an allowed origin uses DynamoDB', async () => {
  const answer = await inPage(friend, async ({ dynamodb, commands }) => {
    const TableName = 'pages';
    await dynamodb.send(new commands.CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }));
    // So long that the answer is compressed: a browser accepts that.
    const Item = { id: { S: 'a' }, text: { S: '秒針'.repeat(3000) } };
    await dynamodb.send(new commands.PutItemCommand({ TableName, Item }));
    const read = await dynamodb.send(new commands.GetItemCommand({ TableName, Key: { id: Item.id } }));
    const failed = await dynamodb
      .send(new commands.PutItemCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(id)' }))
      .catch((error) => error);
    return { same: read.Item.text.S === Item.text.S, requestId: read.$metadata.requestId, failed: failed.name };
  });
  assert.equal(answer.same, true, JSON.stringify(answer));
  assert.match(answer.requestId, /^[A-Z0-9]{52}$/); // a header that only CORS lets the page see
  assert.equal(answer.failed, 'ConditionalCheckFailedException');
});

test('a page of an allowed origin uses SQS', async () => {
  const body = await inPage(friend, async ({ sqs, commands }) => {
    const { QueueUrl } = await sqs.send(new commands.CreateQueueCommand({ QueueName: 'pages' }));
    await sqs.send(new commands.SendMessageCommand({ QueueUrl, MessageBody: 'from a page' }));
    const { Messages: [message] } = await sqs.send(new commands.ReceiveMessageCommand({ QueueUrl }));
    return message.Body;
  });
  assert.equal(body, 'from a page');
});

test('a page of another origin gets nothing', async () => {
  const answer = await inPage(stranger, async ({ dynamodb, commands }) => dynamodb.send(new commands.ListTablesCommand({})));
  assert.equal(answer, 'TypeError'); // as fetch says that it must not read the answer
});
