// CreateTable, DescribeTable, ListTables, UpdateTable, DeleteTable, tags, time to live, waiters.
'use strict';

const assert = require('node:assert/strict');
const {test} = require('node:test');
const ddb = require('@aws-sdk/client-dynamodb');
const {cloud, refused, freshName} = require('./cloud');
const {makeTable} = require('./tables');

const send = (command) => cloud.dynamodb.send(command);
const ACTIVE = {maxWaitTime: 20, minDelay: 1, maxDelay: 1};

test('a table is described as it was made', async () => {
  const TableName = freshName('Made');
  const made = await send(
    new ddb.CreateTableCommand({
      TableName,
      AttributeDefinitions: [
        {AttributeName: 'h', AttributeType: 'S'},
        {AttributeName: 'r', AttributeType: 'N'},
        {AttributeName: 'x', AttributeType: 'B'},
      ],
      KeySchema: [
        {AttributeName: 'h', KeyType: 'HASH'},
        {AttributeName: 'r', KeyType: 'RANGE'},
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'local',
          KeySchema: [
            {AttributeName: 'h', KeyType: 'HASH'},
            {AttributeName: 'x', KeyType: 'RANGE'},
          ],
          Projection: {ProjectionType: 'KEYS_ONLY'},
        },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'global',
          KeySchema: [{AttributeName: 'x', KeyType: 'HASH'}],
          Projection: {ProjectionType: 'INCLUDE', NonKeyAttributes: ['a', 'b']},
          ProvisionedThroughput: {ReadCapacityUnits: 3, WriteCapacityUnits: 4},
        },
      ],
      ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 6},
    }),
  );
  assert.equal(made.TableDescription.TableName, TableName);
  assert.ok(['CREATING', 'ACTIVE'].includes(made.TableDescription.TableStatus));

  await ddb.waitUntilTableExists({client: cloud.dynamodb, ...ACTIVE}, {TableName});
  const {Table} = await send(new ddb.DescribeTableCommand({TableName}));
  assert.equal(Table.TableStatus, 'ACTIVE');
  assert.equal(Table.TableArn, `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`);
  assert.match(Table.TableId, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  assert.ok(Table.CreationDateTime instanceof Date);
  assert.ok(Math.abs(Table.CreationDateTime - Date.now()) < 3_600_000);
  assert.equal(Table.ItemCount, 0);
  assert.deepEqual(Table.KeySchema, [
    {AttributeName: 'h', KeyType: 'HASH'},
    {AttributeName: 'r', KeyType: 'RANGE'},
  ]);
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 5);
  assert.equal(Table.ProvisionedThroughput.WriteCapacityUnits, 6);
  assert.equal(Table.LocalSecondaryIndexes[0].IndexName, 'local');
  assert.equal(Table.LocalSecondaryIndexes[0].IndexArn, `${Table.TableArn}/index/local`);
  const [global] = Table.GlobalSecondaryIndexes;
  assert.equal(global.IndexStatus, 'ACTIVE');
  assert.deepEqual([...global.Projection.NonKeyAttributes].sort(), ['a', 'b']);
  assert.equal(global.ProvisionedThroughput.WriteCapacityUnits, 4);
});

test('a table that is there is not made again', async () => {
  const TableName = await makeTable({h: 'S'});
  await refused(
    send(
      new ddb.CreateTableCommand({
        TableName,
        KeySchema: [{AttributeName: 'h', KeyType: 'HASH'}],
        AttributeDefinitions: [{AttributeName: 'h', AttributeType: 'S'}],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    ),
    'ResourceInUseException',
    `Table already exists: ${TableName}`,
  );
});

test('a table on demand says so and has no capacity', async () => {
  const TableName = await makeTable({h: 'S'});
  const {Table} = await send(new ddb.DescribeTableCommand({TableName}));
  assert.equal(Table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 0);
});

test('mistakes in CreateTable have the words of AWS', async () => {
  const create = (members) =>
    send(
      new ddb.CreateTableCommand({
        TableName: freshName('Wrong'),
        KeySchema: [{AttributeName: 'h', KeyType: 'HASH'}],
        AttributeDefinitions: [{AttributeName: 'h', AttributeType: 'S'}],
        BillingMode: 'PAY_PER_REQUEST',
        ...members,
      }),
    );
  await refused(
    create({TableName: 'x'}),
    'ValidationException',
    "1 validation error detected: Value 'x' at 'tableName' failed to satisfy constraint: " +
      'Member must have length greater than or equal to 3',
  );
  await refused(
    create({AttributeDefinitions: [{AttributeName: 'other', AttributeType: 'S'}]}),
    'ValidationException',
    /^One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions/,
  );
  await refused(
    create({BillingMode: 'PROVISIONED'}),
    'ValidationException',
    'One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
  );
  await refused(
    create({
      AttributeDefinitions: [
        {AttributeName: 'h', AttributeType: 'S'},
        {AttributeName: 'more', AttributeType: 'S'},
      ],
    }),
    'ValidationException',
    /^One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions/,
  );
});

test('ListTables comes in pages, in the order of names', async () => {
  const made = [];
  for (let i = 0; i < 5; ++i) made.push(await makeTable({h: 'S'}));
  const names = [];
  for await (const page of ddb.paginateListTables({client: cloud.dynamodb, pageSize: 2}, {})) {
    assert.ok(page.TableNames.length <= 2);
    names.push(...page.TableNames);
  }
  assert.deepEqual(names, [...names].sort());
  for (const name of made) assert.ok(names.includes(name));
});

test('a table that is not there is not found', async () => {
  const TableName = 'NoSuchTable';
  const missing = ['ResourceNotFoundException', `Requested resource not found: Table: ${TableName} not found`];
  await refused(send(new ddb.DescribeTableCommand({TableName})), ...missing);
  await refused(send(new ddb.DeleteTableCommand({TableName})), ...missing);
  await refused(
    send(new ddb.GetItemCommand({TableName, Key: {h: {S: 'a'}}})),
    'ResourceNotFoundException',
    'Requested resource not found',
  );
});

test('DeleteTable removes the table and what is in it', async () => {
  const TableName = await makeTable({h: 'S'});
  await send(new ddb.PutItemCommand({TableName, Item: {h: {S: 'a'}}}));
  const {TableDescription} = await send(new ddb.DeleteTableCommand({TableName}));
  assert.equal(TableDescription.TableStatus, 'DELETING');
  await ddb.waitUntilTableNotExists({client: cloud.dynamodb, ...ACTIVE}, {TableName});
  await send(
    new ddb.CreateTableCommand({
      TableName,
      KeySchema: [{AttributeName: 'h', KeyType: 'HASH'}],
      AttributeDefinitions: [{AttributeName: 'h', AttributeType: 'S'}],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  await ddb.waitUntilTableExists({client: cloud.dynamodb, ...ACTIVE}, {TableName});
  const {Count} = await send(new ddb.ScanCommand({TableName}));
  assert.equal(Count, 0);
});

test('UpdateTable changes billing and throughput', async () => {
  const TableName = await makeTable({h: 'S'});
  const throughput = {ReadCapacityUnits: 7, WriteCapacityUnits: 8};
  await send(
    new ddb.UpdateTableCommand({TableName, BillingMode: 'PROVISIONED', ProvisionedThroughput: throughput}),
  );
  await ddb.waitUntilTableExists({client: cloud.dynamodb, ...ACTIVE}, {TableName});
  const {Table} = await send(new ddb.DescribeTableCommand({TableName}));
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 7);
  await refused(
    send(new ddb.UpdateTableCommand({TableName, ProvisionedThroughput: throughput})),
    'ValidationException',
    /^The provisioned throughput for the table will not change\. The requested value equals the current value\./,
  );
});

test('a global index that is added later holds what was there before, until it is removed', async () => {
  const TableName = await makeTable({h: 'S'});
  for (let i = 0; i < 20; ++i) {
    await send(new ddb.PutItemCommand({TableName, Item: {h: {S: `${i}`}, ...(i % 2 ? {g: {N: `${i % 4}`}} : {})}}));
  }
  await send(
    new ddb.UpdateTableCommand({
      TableName,
      AttributeDefinitions: [
        {AttributeName: 'h', AttributeType: 'S'},
        {AttributeName: 'g', AttributeType: 'N'},
      ],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'later',
            KeySchema: [{AttributeName: 'g', KeyType: 'HASH'}],
            Projection: {ProjectionType: 'ALL'},
          },
        },
      ],
    }),
  );
  for (;;) {
    const {Table} = await send(new ddb.DescribeTableCommand({TableName}));
    if (Table.TableStatus === 'ACTIVE' && Table.GlobalSecondaryIndexes[0].IndexStatus === 'ACTIVE') break;
  }
  const query = new ddb.QueryCommand({
    TableName,
    IndexName: 'later',
    KeyConditionExpression: 'g = :g',
    ExpressionAttributeValues: {':g': {N: '3'}},
  });
  assert.equal((await send(query)).Count, 5);
  await send(new ddb.UpdateTableCommand({TableName, GlobalSecondaryIndexUpdates: [{Delete: {IndexName: 'later'}}]}));
  for (;;) {
    const {Table} = await send(new ddb.DescribeTableCommand({TableName}));
    if (Table.TableStatus === 'ACTIVE' && !Table.GlobalSecondaryIndexes?.length) break;
  }
  await refused(send(query), 'ValidationException', 'The table does not have the specified index: later');
});

test('tags are added, listed and removed', async () => {
  const TableName = await makeTable({h: 'S'}, {Tags: [{Key: 'stage', Value: 'test'}]});
  const {Table} = await send(new ddb.DescribeTableCommand({TableName}));
  const ResourceArn = Table.TableArn;
  await send(new ddb.TagResourceCommand({ResourceArn, Tags: [{Key: 'owner', Value: 'me'}]}));
  const list = async () => {
    const {Tags} = await send(new ddb.ListTagsOfResourceCommand({ResourceArn}));
    return Object.fromEntries(Tags.map(({Key, Value}) => [Key, Value]));
  };
  assert.deepEqual(await list(), {stage: 'test', owner: 'me'});
  await send(new ddb.UntagResourceCommand({ResourceArn, TagKeys: ['stage', 'none']}));
  assert.deepEqual(await list(), {owner: 'me'});
});

test('items whose time has come disappear', async () => {
  const TableName = await makeTable({h: 'S'});
  assert.deepEqual((await send(new ddb.DescribeTimeToLiveCommand({TableName}))).TimeToLiveDescription, {
    TimeToLiveStatus: 'DISABLED',
  });
  const TimeToLiveSpecification = {Enabled: true, AttributeName: 'until'};
  const updated = await send(new ddb.UpdateTimeToLiveCommand({TableName, TimeToLiveSpecification}));
  assert.deepEqual(updated.TimeToLiveSpecification, TimeToLiveSpecification);
  const {TimeToLiveDescription} = await send(new ddb.DescribeTimeToLiveCommand({TableName}));
  assert.match(TimeToLiveDescription.TimeToLiveStatus, /^ENABL(ED|ING)$/);
  assert.equal(TimeToLiveDescription.AttributeName, 'until');

  const now = Math.floor(Date.now() / 1000);
  const items = {past: now - 10, future: now + 3600};
  for (const [h, until] of Object.entries(items)) {
    await send(new ddb.PutItemCommand({TableName, Item: {h: {S: h}, until: {N: `${until}`}}}));
  }
  await send(new ddb.PutItemCommand({TableName, Item: {h: {S: 'text'}, until: {S: `${now - 10}`}}}));
  // Ends as soon as it is gone; the test's time-out is the only limit.
  for (;;) {
    const {Item} = await send(new ddb.GetItemCommand({TableName, Key: {h: {S: 'past'}}, ConsistentRead: true}));
    if (!Item) break;
  }
  const {Items} = await send(new ddb.ScanCommand({TableName}));
  assert.deepEqual(Items.map(({h}) => h.S).sort(), ['future', 'text']);
});

test('an operation that is not there is refused as unknown', async () => {
  for (const command of [
    new ddb.ExecuteStatementCommand({Statement: 'SELECT * FROM "T"'}),
    new ddb.ListBackupsCommand({}),
  ]) {
    const error = await send(command).then(
      () => assert.fail('accepted'),
      (reason) => reason,
    );
    assert.equal(error.$metadata.httpStatusCode, 400);
    assert.match(error.name, /^(UnknownOperationException|ValidationException)$/);
  }
});

test('resources of one region are not seen from another', async () => {
  const TableName = await makeTable({h: 'S'});
  const tokyo = cloud.client(ddb.DynamoDBClient, {region: 'ap-northeast-1'});
  await refused(tokyo.send(new ddb.DescribeTableCommand({TableName})), 'ResourceNotFoundException');
});
