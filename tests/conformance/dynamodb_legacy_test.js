// The parameters from before expressions, as older libraries send them.
'use strict';

const assert = require('node:assert/strict');
const {test} = require('node:test');
const ddb = require('@aws-sdk/client-dynamodb');
const {cloud, setUp, refused} = require('./cloud');
const {makeTable} = require('./tables');

const send = (command) => cloud.dynamodb.send(command);
let TableName;
setUp(async () => {
  TableName = await makeTable({h: 'S', r: 'N'});
});

const keyOf = (h, r = 1) => ({h: {S: h}, r: {N: String(r)}});
const equals = (value) => ({ComparisonOperator: 'EQ', AttributeValueList: [value]});

test('a lock is taken once, as the Kinesis Client Library does it', async () => {
  const Key = keyOf('lease');
  const take = (owner, Expected, more = {}) =>
    send(
      new ddb.UpdateItemCommand({
        TableName,
        Key,
        Expected,
        AttributeUpdates: {
          owner: {Action: 'PUT', Value: {S: owner}},
          counter: {Action: 'ADD', Value: {N: '1'}},
        },
        ReturnValues: 'ALL_NEW',
        ...more,
      }),
    );
  const {Attributes} = await take('a', {owner: {Exists: false}});
  assert.deepEqual(Attributes, {...Key, owner: {S: 'a'}, counter: {N: '1'}});
  await refused(take('b', {owner: {Exists: false}}), 'ConditionalCheckFailedException', 'The conditional request failed');
  await take('a', {owner: {Value: {S: 'a'}}, counter: {Value: {N: '1'}}});
  const either = {owner: equals({S: 'nobody'}), counter: {ComparisonOperator: 'GE', AttributeValueList: [{N: '2'}]}};
  await refused(take('b', either), 'ConditionalCheckFailedException');
  assert.equal((await take('b', either, {ConditionalOperator: 'OR'})).Attributes.counter.N, '3');
  await refused(
    take('b', {owner: {Exists: false}}, {ConditionalOperator: 'OR'}),
    'ValidationException',
    '1 validation error detected: ConditionalOperator can only be used when Filter or Expected has two or more elements',
  );
});

test('attributes are put, added to and deleted', async () => {
  const Key = keyOf('updated');
  const update = async (AttributeUpdates) =>
    (await send(new ddb.UpdateItemCommand({TableName, Key, AttributeUpdates, ReturnValues: 'ALL_NEW'}))).Attributes;
  await update({s: {Value: {SS: ['a', 'b']}}, l: {Value: {L: [{N: '1'}]}}, 'a.b[0]': {Action: 'PUT', Value: {S: 'x'}}});
  const attributes = await update({
    s: {Action: 'DELETE', Value: {SS: ['a']}},
    l: {Action: 'ADD', Value: {L: [{N: '2'}]}},
    none: {Action: 'DELETE'},
  });
  assert.deepEqual(attributes, {...Key, s: {SS: ['b']}, l: {L: [{N: '1'}, {N: '2'}]}, 'a.b[0]': {S: 'x'}});
  await refused(
    update({s: {Action: 'ADD', Value: {N: '1'}}}),
    'ValidationException',
    'Type mismatch for attribute to update',
  );
});

test('items are put and deleted if they are as expected', async () => {
  const Item = {...keyOf('guarded'), v: {N: '1'}};
  await send(new ddb.PutItemCommand({TableName, Item, Expected: {h: {Exists: false}}}));
  await refused(
    send(new ddb.PutItemCommand({TableName, Item, Expected: {h: {Exists: false}}})),
    'ConditionalCheckFailedException',
  );
  const deletion = (v) =>
    send(new ddb.DeleteItemCommand({TableName, Key: keyOf('guarded'), Expected: {v: {Value: {N: v}}}, ReturnValues: 'ALL_OLD'}));
  await refused(deletion('2'), 'ConditionalCheckFailedException');
  assert.deepEqual((await deletion('1')).Attributes, Item);
});

test('queries and scans are filtered and projected', async () => {
  for (let r = 1; r <= 6; ++r) {
    await send(new ddb.PutItemCommand({TableName, Item: {...keyOf('read', r), n: {N: String(r % 2)}, s: {S: `s${r}`}}}));
  }
  const query = async (more) => {
    const {Items, Count} = await send(
      new ddb.QueryCommand({
        TableName,
        ...more,
        KeyConditions: {h: equals({S: 'read'}), ...more.KeyConditions},
      }),
    );
    return Items?.map(({r, s}) => r?.N ?? s.S) ?? Count;
  };
  assert.deepEqual(await query({}), ['1', '2', '3', '4', '5', '6']);
  const between = {r: {ComparisonOperator: 'BETWEEN', AttributeValueList: [{N: '2'}, {N: '5'}]}};
  assert.deepEqual(await query({KeyConditions: between, ScanIndexForward: false}), ['5', '4', '3', '2']);
  assert.deepEqual(await query({QueryFilter: {n: equals({N: '1'})}}), ['1', '3', '5']);
  assert.deepEqual(await query({KeyConditions: between, AttributesToGet: ['s']}), ['s2', 's3', 's4', 's5']);
  assert.equal(await query({KeyConditions: between, Select: 'COUNT'}), 4);
  const ScanFilter = {
    s: {ComparisonOperator: 'BEGINS_WITH', AttributeValueList: [{S: 's'}]},
    r: {ComparisonOperator: 'IN', AttributeValueList: [{N: '2'}, {N: '3'}]},
  };
  const {Items} = await send(new ddb.ScanCommand({TableName, ScanFilter, AttributesToGet: ['s']}));
  assert.deepEqual(Items, [{s: {S: 's2'}}, {s: {S: 's3'}}]);
  const {Responses} = await send(
    new ddb.BatchGetItemCommand({
      RequestItems: {[TableName]: {Keys: [keyOf('read', 4)], AttributesToGet: ['n', 'none']}},
    }),
  );
  assert.deepEqual(Responses[TableName], [{n: {N: '0'}}]);
  const {Item} = await send(new ddb.GetItemCommand({TableName, Key: keyOf('read', 4), AttributesToGet: ['s']}));
  assert.deepEqual(Item, {s: {S: 's4'}});
});
