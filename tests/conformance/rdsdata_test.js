// The AWS SDK for JavaScript drives the Data API.
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const {
  BatchExecuteStatementCommand, BeginTransactionCommand, CommitTransactionCommand, DatabaseErrorException,
  ExecuteSqlCommand, ExecuteStatementCommand, RollbackTransactionCommand, StatementTimeoutException,
  TransactionNotFoundException,
} = require('@aws-sdk/client-rds-data');
const {database, useDatabase, refused} = require('./rdsdata_cloud');

useDatabase();

const send = (Command, input) => database.client.send(new Command({...database.target, ...input}));
const execute = (sql, input = {}) => send(ExecuteStatementCommand, {sql, ...input});
const named = (values) => Object.entries(values).map(([name, value]) => ({name, value}));

test('values of all types come back as they were sent', async () => {
  const fields = {
    truth: {booleanValue: true},
    number: {longValue: 42},
    fraction: {doubleValue: 0.25},
    text: {stringValue: 'naïve “text”'},
    bytes: {blobValue: Uint8Array.from([0, 1, 255])},
    nothing: {isNull: true},
  };
  const {records, numberOfRecordsUpdated} = await execute(
    'SELECT :truth, :number, :fraction, :text, :bytes, :nothing', {parameters: named(fields)});
  assert.deepEqual(records, [Object.values(fields)]);
  assert.equal(numberOfRecordsUpdated, 0);
});

test('numbers that JSON lacks are understood', async () => {
  const {records} = await execute("SELECT :x, 'NaN'::float8", {parameters: named({x: {doubleValue: -Infinity}})});
  assert.deepEqual(records, [[{doubleValue: -Infinity}, {doubleValue: NaN}]]);
});

test('arrays are returned', async () => {
  const {records} = await execute("SELECT '{1,2}'::int[], '{a,NULL}'::text[], '{t}'::bool[], '{}'::float8[]");
  assert.deepEqual(records, [[
    {arrayValue: {longValues: [1, 2]}},
    {arrayValue: {stringValues: ['a', null]}},
    {arrayValue: {booleanValues: [true]}},
    {arrayValue: {doubleValues: []}},
  ]]);
});

test('array parameters are refused', async () => {
  await refused(execute('SELECT :x', {parameters: named({x: {arrayValue: {longValues: [1]}}})}),
    'BadRequestException', 'Array parameters are not supported.');
});

test('type hints are followed', async () => {
  const {records} = await execute(
    'SELECT pg_typeof(:u)::text, pg_typeof(:d)::text, :d + 1', {parameters: [
      {name: 'u', value: {stringValue: '8476a536-e9f4-41e8-9739-2dfe598c3fcd'}, typeHint: 'UUID'},
      {name: 'd', value: {stringValue: '2024-02-28'}, typeHint: 'DATE'},
    ]});
  assert.deepEqual(records, [[{stringValue: 'uuid'}, {stringValue: 'date'}, {stringValue: '2024-02-29'}]]);
});

test('rows are inserted, described and formatted', async () => {
  await execute('CREATE TABLE users (id bigserial PRIMARY KEY, name varchar(20) NOT NULL)');
  const inserted = await execute('INSERT INTO users (name) VALUES (:a), (:b)',
    {parameters: named({a: {stringValue: 'Ann'}, b: {stringValue: 'Bob'}})});
  assert.equal(inserted.numberOfRecordsUpdated, 2);
  assert.deepEqual(inserted.generatedFields, []);
  const returned = await execute("UPDATE users SET name = 'Bea' WHERE name = 'Bob' RETURNING id");
  assert.deepEqual(returned.records, [[{longValue: 2}]]);
  const {columnMetadata} = await execute('SELECT id, name FROM users', {includeResultMetadata: true});
  assert.deepEqual(columnMetadata.map(({name, typeName, type, nullable, tableName}) =>
    ({name, typeName, type, nullable, tableName})), [
    {name: 'id', typeName: 'int8', type: -5, nullable: 0, tableName: 'users'},
    {name: 'name', typeName: 'varchar', type: 12, nullable: 0, tableName: 'users'},
  ]);
  const {formattedRecords} = await execute('SELECT id, name FROM users ORDER BY id', {formatRecordsAs: 'JSON'});
  assert.deepEqual(JSON.parse(formattedRecords), [{id: 1, name: 'Ann'}, {id: 2, name: 'Bea'}]);
});

test('a batch is executed for each set', async () => {
  await execute('CREATE TABLE numbers (n int PRIMARY KEY)');
  const sets = (...values) => values.map((longValue) => named({n: {longValue}}));
  const sql = 'INSERT INTO numbers VALUES (:n)';
  const {updateResults} = await send(BatchExecuteStatementCommand, {sql, parameterSets: sets(1, 2, 3)});
  assert.deepEqual(updateResults, Array(3).fill({generatedFields: []}));
  await refused(send(BatchExecuteStatementCommand, {sql, parameterSets: sets(4, 1)}),
    'DatabaseErrorException', /SQLState: 23505$/);
  assert.deepEqual((await execute('SELECT count(*) FROM numbers')).records, [[{longValue: 3}]]);
});

test('a transaction is committed or rolled back', async () => {
  await execute('CREATE TABLE log (line text)');
  const lines = async () => (await execute('SELECT line FROM log')).records.map(([{stringValue}]) => stringValue);
  const first = await send(BeginTransactionCommand);
  await execute("INSERT INTO log VALUES ('kept')", {transactionId: first.transactionId});
  assert.deepEqual(await lines(), []);
  const committed = await send(CommitTransactionCommand, {transactionId: first.transactionId});
  assert.equal(committed.transactionStatus, 'Transaction Committed');
  const second = await send(BeginTransactionCommand);
  await execute("INSERT INTO log VALUES ('dropped')", {transactionId: second.transactionId});
  const rolledBack = await send(RollbackTransactionCommand, {transactionId: second.transactionId});
  assert.equal(rolledBack.transactionStatus, 'Rollback Complete');
  assert.deepEqual(await lines(), ['kept']);
  const error = await refused(execute('SELECT 1', {transactionId: first.transactionId}),
    'TransactionNotFoundException', `Transaction ${first.transactionId} is not found`);
  assert.ok(error instanceof TransactionNotFoundException);
  assert.equal(error.$metadata.httpStatusCode, 404);
});

test('a transaction runs one statement at a time', async () => {
  const {transactionId} = await send(BeginTransactionCommand);
  const attempts = Array.from({length: 8}, () => execute('SELECT pg_sleep(0.1)', {transactionId}));
  const outcomes = await Promise.allSettled(attempts);
  assert.ok(outcomes.some(({status}) => status === 'fulfilled'));
  for (const {reason} of outcomes.filter(({status}) => status === 'rejected')) {
    assert.equal(reason.name, 'DatabaseErrorException');
    assert.equal(reason.message, 'Transaction is still running a query');
  }
  await send(RollbackTransactionCommand, {transactionId});
});

test('errors are those of the database', async () => {
  const error = await refused(execute('SELECT * FROM missing'), 'DatabaseErrorException',
    'ERROR: relation "missing" does not exist; Position: 15; SQLState: 42P01');
  assert.ok(error instanceof DatabaseErrorException);
  await refused(execute('SELECT 1; SELECT 2'), 'ValidationException', "Multistatements aren't supported.");
  await refused(execute("SELECT 'int'::regtype"), 'UnsupportedResultException',
    'The result contains the unsupported data type regtype.');
  await refused(execute('SELECT 1', {secretArn: `${database.target.secretArn.slice(0, -6)}absent`}),
    'SecretsErrorException');
  await refused(execute('SELECT 1', {resourceArn: `${database.target.resourceArn}2`}),
    'HttpEndpointNotEnabledException');
  await refused(database.client.send(new ExecuteSqlCommand({
    dbClusterOrInstanceArn: database.target.resourceArn, awsSecretStoreArn: database.target.secretArn,
    sqlStatements: 'SELECT 1',
  })), 'BadRequestException', /ExecuteSql is deprecated/);
});

test('a statement that PostgreSQL ends for its time is a time-out', async () => {
  const {transactionId} = await send(BeginTransactionCommand);
  await execute("SET LOCAL statement_timeout = '50ms'", {transactionId});
  const error = await refused(execute('SELECT pg_sleep(60)', {transactionId}), 'StatementTimeoutException');
  assert.ok(error instanceof StatementTimeoutException);
  assert.ok(error.dbConnectionId > 0);
  await send(RollbackTransactionCommand, {transactionId});
});
