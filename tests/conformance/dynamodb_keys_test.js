// Global indexes with keys of several attributes, and compressed requests.
'use strict';

const assert = require('node:assert/strict');
const {gzipSync} = require('node:zlib');
const {test} = require('node:test');
const ddb = require('@aws-sdk/client-dynamodb');
const {cloud, refused} = require('./cloud');
const {makeTable} = require('./tables');

const send = (command) => cloud.dynamodb.send(command);
const keySchema = (hash, range) => [
  ...hash.map((AttributeName) => ({AttributeName, KeyType: 'HASH'})),
  ...range.map((AttributeName) => ({AttributeName, KeyType: 'RANGE'})),
];

test('an index with keys of several attributes is filled, queried and paged', async () => {
  const TableName = await makeTable({id: 'S'});
  const put = (id, tenant, year, month, day) =>
    send(
      new ddb.PutItemCommand({
        TableName,
        Item: {id: {S: id}, tenant: {S: tenant}, year: {N: year}, month: {N: month}, day: {N: day}},
      }),
    );
  await put('a', 't', '2026', '2', '10');
  await put('b', 't', '2026', '10', '1');
  await put('c', 't', '2025', '1', '1');
  await send(
    new ddb.UpdateTableCommand({
      TableName,
      AttributeDefinitions: Object.entries({tenant: 'S', year: 'N', month: 'N', day: 'N'}).map(
        ([AttributeName, AttributeType]) => ({AttributeName, AttributeType}),
      ),
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'by-date',
            KeySchema: keySchema(['tenant', 'year'], ['month', 'day']),
            Projection: {ProjectionType: 'KEYS_ONLY'},
          },
        },
      ],
    }),
  );
  await put('d', 't', '2026', '2', '9');
  const {Table} = await send(new ddb.DescribeTableCommand({TableName}));
  assert.deepEqual(Table.GlobalSecondaryIndexes[0].KeySchema, keySchema(['tenant', 'year'], ['month', 'day']));
  assert.equal(Table.WarmThroughput.ReadUnitsPerSecond, 12000);

  const names = {'#y': 'year', '#m': 'month', '#d': 'day'};
  const values = {':t': {S: 't'}, ':y': {N: '2026'}, ':m': {N: '2'}, ':d': {N: '9'}};
  const used = (all, text) => Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(name)));
  const query = (KeyConditionExpression) => ({
    TableName,
    IndexName: 'by-date',
    KeyConditionExpression,
    ExpressionAttributeNames: used(names, KeyConditionExpression),
    ExpressionAttributeValues: used(values, KeyConditionExpression),
  });
  const found = async (text) => (await send(new ddb.QueryCommand(query(text)))).Items.map(({id}) => id.S);
  assert.deepEqual(await found('tenant = :t AND #y = :y'), ['d', 'a', 'b']);
  assert.deepEqual(await found('tenant = :t AND #y = :y AND #m = :m AND #d > :d'), ['a']);
  const pages = [];
  const paginator = ddb.paginateQuery({client: cloud.dynamodb, pageSize: 1}, query('tenant = :t AND #y = :y'));
  for await (const {Items} of paginator) pages.push(...Items.map(({id}) => id.S));
  assert.deepEqual(pages, ['d', 'a', 'b']);
  await refused(
    send(new ddb.QueryCommand(query('tenant = :t AND #y = :y AND #d = :d'))),
    'ValidationException',
    'RANGE key attributes month must have equality conditions specified in the query because a condition is present ' +
      'on key attribute day',
  );
});

test('requests may be compressed', async () => {
  const TableName = await makeTable({id: 'S'});
  const client = cloud.client(ddb.DynamoDBClient);
  client.middlewareStack.add(
    (next) => (args) => {
      const {request} = args;
      request.body = gzipSync(request.body);
      Object.assign(request.headers, {'content-encoding': 'gzip', 'content-length': String(request.body.length)});
      return next(args);
    },
    {step: 'build', priority: 'low'},
  );
  const Item = {id: {S: 'a'}, text: {S: 'x'.repeat(100000)}};
  await client.send(new ddb.PutItemCommand({TableName, Item}));
  assert.deepEqual((await client.send(new ddb.GetItemCommand({TableName, Key: {id: {S: 'a'}}}))).Item, Item);
});
