// What every conformance test begins with: the local cloud, in memory, and clients of the AWS SDK that talk to it.
//
//   const {cloud, refused} = require('./cloud');
//   test('...', async () => {
//     await cloud.dynamodb.send(new GetItemCommand({...}));
//     await refused(cloud.sqs.send(...), 'QueueDoesNotExist', /does not exist/);
//   });
'use strict';

const assert = require('node:assert/strict');
const {before, after} = require('node:test');
const {DynamoDBClient} = require('@aws-sdk/client-dynamodb');
const {SQSClient} = require('@aws-sdk/client-sqs');
const {startServe, CREDENTIALS, REGION} = require('./serve');

const cloud = {
  /** Clients as a user would make them. An error shows at once: nothing is tried again. */
  client(Client, options = {}) {
    const client = new Client({endpoint: cloud.url, region: REGION, credentials: CREDENTIALS, maxAttempts: 1, ...options});
    clients.push(client);
    return client;
  },
};
const clients = [];
const steps = [];
let serve;

/** Runs before the tests, once there is a cloud. (Several before() of node:test would run at the same time.) */
const setUp = (step) => steps.push(step);

before(async () => {
  serve = await startServe(process.argv[2], ['--in-memory', '--credentials=test:test', '--credentials=other:secret']);
  cloud.url = serve.url;
  cloud.dynamodb = cloud.client(DynamoDBClient);
  cloud.sqs = cloud.client(SQSClient);
  for (const step of steps) await step();
});

after(async () => {
  for (const client of clients) client.destroy();
  const {code, signal} = await serve.stop();
  // Also that it has not died of anything, and ends when asked to.
  assert.deepEqual({code, signal}, {code: 0, signal: null}, serve.output.join('\n'));
});

/** The promise must be rejected with an error of this name and, if given, message (a text or a pattern). */
async function refused(promise, name, message) {
  const error = await promise.then(
    (output) => assert.fail(`accepted, with ${JSON.stringify(output)}; expected ${name}`),
    (reason) => reason,
  );
  assert.equal(error.name, name, `${error.name}: ${error.message}`);
  if (message instanceof RegExp) assert.match(error.message, message);
  else if (message !== undefined) assert.equal(error.message, message);
  return error;
}

let names = 0;
/** A name that no other test uses. */
const freshName = (prefix) => `${prefix}${++names}`;

module.exports = {cloud, setUp, refused, freshName};
