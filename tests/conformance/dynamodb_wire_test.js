// What is on the wire: headers, compression, how members of errors are spelled, and what descriptions of tables have.
'use strict';

const assert = require('node:assert/strict');
const {Readable} = require('node:stream');
const {gunzipSync} = require('node:zlib');
const {test} = require('node:test');
const ddb = require('@aws-sdk/client-dynamodb');
const {cloud, freshName, refused} = require('./cloud');
const {makeTable} = require('./tables');

const Key = {h: {S: 'a'}};

/** A client whose requests have other headers or another body, and which keeps the last answer as it came. */
function rawClient({headers = {}, body} = {}) {
  const client = cloud.client(ddb.DynamoDBClient);
  client.middlewareStack.add(
    (next) => (args) => {
      Object.assign(args.request.headers, headers);
      if (body !== undefined) {
        args.request.body = body;
        args.request.headers['content-length'] = String(body.length);
      }
      return next(args);
    },
    {step: 'build', priority: 'low'},
  );
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const bytes = Buffer.concat(await result.response.body.toArray());
      client.answer = {headers: result.response.headers, bytes};
      const isCompressed = result.response.headers['content-encoding'] === 'gzip';
      result.response.body = Readable.from([isCompressed ? gunzipSync(bytes) : bytes]);
      return result;
    },
    {step: 'deserialize', priority: 'low'},
  );
  return client;
}

test('some errors have Message, the others message', async () => {
  const TableName = await makeTable({h: 'S'});
  await cloud.dynamodb.send(new ddb.PutItemCommand({TableName, Item: Key}));
  const members = async (command, name, options) => {
    const client = rawClient(options);
    await refused(client.send(command), name);
    return Object.keys(JSON.parse(client.answer.bytes)).slice(1);
  };
  const failing = {TableName, Item: Key, ConditionExpression: 'attribute_not_exists(h)'};
  const get = new ddb.GetItemCommand({TableName, Key});
  assert.deepEqual(await members(get, 'SerializationException', {body: '{'}), ['Message']);
  const ResourceArn = 'arn:aws:dynamodb:us-east-1:123456789012:table/of-others';
  const tag = new ddb.TagResourceCommand({ResourceArn, Tags: [{Key: 'k', Value: 'v'}]});
  assert.deepEqual(await members(tag, 'AccessDeniedException'), ['Message']);
  const put = (more) => new ddb.PutItemCommand({...failing, ...more});
  assert.deepEqual(await members(put(), 'ConditionalCheckFailedException'), ['message']);
  assert.deepEqual(
    await members(put({ReturnValuesOnConditionCheckFailure: 'ALL_OLD'}), 'ConditionalCheckFailedException'),
    ['Message', 'Item'],
  );
  const missing = new ddb.GetItemCommand({TableName: freshName('None'), Key});
  assert.deepEqual(await members(missing, 'ResourceNotFoundException'), ['message']);
});

test('an answer is of the type of the request, and has a Server', async () => {
  for (const type of ['application/x-amz-json-1.0', 'application/json']) {
    const client = rawClient({headers: {'content-type': type}});
    await client.send(new ddb.ListTablesCommand({}));
    assert.equal(client.answer.headers['content-type'], type);
    assert.equal(client.answer.headers.server, 'Server');
  }
});

test('a long answer is compressed if the client accepts it', async () => {
  const TableName = await makeTable({h: 'S'});
  const Item = {...Key, text: {S: '秒針'.repeat(2000)}};
  await cloud.dynamodb.send(new ddb.PutItemCommand({TableName, Item}));
  const get = new ddb.GetItemCommand({TableName, Key});
  const client = rawClient({headers: {'accept-encoding': 'gzip'}});
  assert.deepEqual((await client.send(get)).Item, Item);
  assert.equal(client.answer.headers['content-encoding'], 'gzip');
  assert.ok(client.answer.bytes.length < 1000);
  const plain = rawClient();
  await plain.send(get);
  assert.equal(plain.answer.headers['content-encoding'], undefined);
});

test('what is described depends on when it is asked for', async () => {
  const TableName = freshName('Table');
  const WarmThroughput = {ReadUnitsPerSecond: 13000, WriteUnitsPerSecond: 5000};
  const {TableDescription: created} = await cloud.dynamodb.send(
    new ddb.CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: {Enabled: true},
      AttributeDefinitions: ['h', 'g'].map((AttributeName) => ({AttributeName, AttributeType: 'S'})),
      KeySchema: [{AttributeName: 'h', KeyType: 'HASH'}],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-g',
          KeySchema: [{AttributeName: 'g', KeyType: 'HASH'}],
          Projection: {ProjectionType: 'ALL'},
          WarmThroughput,
        },
      ],
    }),
  );
  assert.deepEqual(created.BillingModeSummary, {BillingMode: 'PAY_PER_REQUEST'});
  assert.ok(!('KMSMasterKeyArn' in created.SSEDescription));
  const {Table} = await cloud.dynamodb.send(new ddb.DescribeTableCommand({TableName}));
  assert.ok(Table.BillingModeSummary.LastUpdateToPayPerRequestDateTime instanceof Date);
  assert.deepEqual(Table.WarmThroughput, {ReadUnitsPerSecond: 12000, WriteUnitsPerSecond: 4000, Status: 'ACTIVE'});
  assert.deepEqual(Table.GlobalSecondaryIndexes[0].WarmThroughput, {...WarmThroughput, Status: 'ACTIVE'});
  const {TableDescription: deleted} = await cloud.dynamodb.send(new ddb.DeleteTableCommand({TableName}));
  assert.equal(deleted.TableStatus, 'DELETING');
  for (const name of ['KeySchema', 'AttributeDefinitions', 'CreationDateTime', 'GlobalSecondaryIndexes']) {
    assert.ok(!(name in deleted), name);
  }
});
