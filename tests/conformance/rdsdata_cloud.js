// A cloud with a database cluster, from a template, and how to reach it.
//
//   const {database} = require('./rdsdata_cloud');
//   test('...', async () => {
//     await database.client.send(new ExecuteStatementCommand({...database.target, sql: 'SELECT 1'}));
//   });
'use strict';

const assert = require('node:assert/strict');
const {before, after} = require('node:test');
const {CloudFormationClient, DescribeStacksCommand} = require('@aws-sdk/client-cloudformation');
const {RDSDataClient} = require('@aws-sdk/client-rds-data');
const {startServe, CREDENTIALS, REGION} = require('./serve');

// PostgreSQL is initialised at the start.
const GUARD_MS = 120_000;

const [program, template] = process.argv.slice(2);
const database = {
  options: {region: REGION, credentials: CREDENTIALS, maxAttempts: 1},
};

/** Starts the cloud, which `database` then describes. */
async function startDatabase(flags = ['--in-memory']) {
  const serve = await startServe(program, ['--api-port=0', `--template=${template}`, ...flags],
    {command: ['up'], guardMs: GUARD_MS});
  database.serve = serve;
  database.options.endpoint = serve.url;
  const stacks = new CloudFormationClient(database.options);
  const {Stacks} = await stacks.send(new DescribeStacksCommand({}));
  stacks.destroy();
  const outputs = Object.fromEntries(Stacks[0].Outputs.map(({OutputKey, OutputValue}) => [OutputKey, OutputValue]));
  database.target = {resourceArn: outputs.ClusterArn, secretArn: outputs.SecretArn, database: 'app'};
  database.client = new RDSDataClient(database.options);
}

/** Ends it, and checks that it ends as it should. */
async function stopDatabase() {
  database.client.destroy();
  const {code, signal} = await database.serve.stop();
  assert.deepEqual({code, signal}, {code: 0, signal: null}, database.serve.output.join('\n'));
}

/** For all tests of a file; `setUp` runs before them. (Several before() of node:test would run at the same time.) */
function useDatabase(setUp = () => {}) {
  before(async () => {
    await startDatabase();
    await setUp();
  });
  after(() => stopDatabase());
}

/** The promise must be rejected with an error of this name and message (a text or a pattern). */
async function refused(promise, name, message) {
  const error = await promise.then(
    (output) => assert.fail(`accepted, with ${JSON.stringify(output)}; expected ${name}`), (reason) => reason);
  assert.equal(error.name, name, `${error.name}: ${error.message}`);
  if (message instanceof RegExp) assert.match(error.message, message);
  else if (message !== undefined) assert.equal(error.message, message);
  return error;
}

module.exports = {database, useDatabase, startDatabase, stopDatabase, refused};
