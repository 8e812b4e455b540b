// Kills PostgreSQL, and the cloud, under the Data API: nothing that was committed is lost, and the next call works.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const {after, before} = require('node:test');
const {
  BeginTransactionCommand, CommitTransactionCommand, ExecuteStatementCommand,
} = require('@aws-sdk/client-rds-data');
const {database, startDatabase, stopDatabase, refused} = require('./rdsdata_cloud');

const DATA = `--data=${path.join(process.env.TEST_TMPDIR, 'data')}`;
const ROUNDS = 3;
const WRITERS = 4;

before(() => startDatabase([DATA]));
after(() => stopDatabase());

const send = (Command, input) => database.client.send(new Command({...database.target, ...input}));
const execute = (sql, input = {}) => send(ExecuteStatementCommand, {sql, ...input});
const count = async () => (await execute('SELECT count(*) FROM entries')).records[0][0].longValue;

/** Kills the server's main process, and those that answer, which would end a little later by themselves. */
async function killPostgres() {
  const {records} = await execute(
    'SELECT pg_backend_pid() UNION SELECT pid FROM pg_stat_activity WHERE usename = current_user');
  const pids = records.map(([{longValue}]) => longValue);
  const [, parent] = /\) \S (\d+) /.exec(fs.readFileSync(`/proc/${pids[0]}/stat`, 'utf8'));
  process.kill(Number(parent), 'SIGKILL');
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // It was quicker.
      assert.equal(error.code, 'ESRCH');
    }
  }
}

let next = 0;
let writing = false;
const committed = [];
let onCommitted = () => {};

/** Inserts numbers while `writing`, and remembers those that were confirmed. Returns the errors of the others. */
async function write() {
  const errors = [];
  while (writing) {
    const n = ++next;
    try {
      await execute('INSERT INTO entries VALUES (:n)', {parameters: [{name: 'n', value: {longValue: n}}]});
      committed.push(n);
      onCommitted();
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}

function startWriters() {
  writing = true;
  return Array.from({length: WRITERS}, write);
}

async function stopWriters(writers) {
  writing = false;
  return (await Promise.all(writers)).flat();
}

/** All that was confirmed is there. */
async function check() {
  const {formattedRecords} = await execute('SELECT n FROM entries', {formatRecordsAs: 'JSON'});
  const kept = new Set(JSON.parse(formattedRecords).map(({n}) => n));
  assert.deepEqual(committed.filter((n) => !kept.has(n)), []);
}

/** Resolves when some more were confirmed. */
function moreCommitted() {
  const goal = committed.length + 20;
  return new Promise((resolve) => {
    onCommitted = () => {
      if (committed.length >= goal) resolve();
    };
  });
}

test('nothing that was committed is lost when PostgreSQL is killed', async () => {
  await execute('CREATE TABLE entries (n int PRIMARY KEY)');
  for (let round = 0; round < ROUNDS; ++round) {
    const writers = startWriters();
    await moreCommitted();
    await killPostgres();
    // Also that it works again.
    await moreCommitted();
    for (const error of await stopWriters(writers)) {
      assert.match(error.name, /^(DatabaseUnavailableException|DatabaseErrorException)$/, error.message);
    }
    await check();
  }
});

test('a transaction ends with PostgreSQL, and the next one works', async () => {
  const rows = await count();
  const {transactionId} = await send(BeginTransactionCommand);
  await execute('INSERT INTO entries VALUES (-1)', {transactionId});
  await killPostgres();
  await refused(send(CommitTransactionCommand, {transactionId}), 'DatabaseUnavailableException');
  await refused(execute('SELECT 1', {transactionId}), 'TransactionNotFoundException');
  assert.equal(await count(), rows);
  const second = await send(BeginTransactionCommand);
  await execute('INSERT INTO entries VALUES (-2)', second);
  await send(CommitTransactionCommand, second);
  assert.equal(await count(), rows + 1);
});

test('nothing that was committed is lost when the cloud is killed', async () => {
  const writers = startWriters();
  await moreCommitted();
  const stopped = database.serve.stop('SIGKILL');
  await stopWriters(writers);
  await stopped;
  database.client.destroy();
  await startDatabase([DATA]);
  await check();
});
