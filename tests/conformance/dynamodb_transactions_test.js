// TransactWriteItems and TransactGetItems: all or nothing, reasons, idempotency.
'use strict';

const assert = require('node:assert/strict');
const {test} = require('node:test');
const ddb = require('@aws-sdk/client-dynamodb');
const {cloud, setUp, refused, freshName} = require('./cloud');
const {makeTable} = require('./tables');

const send = (command) => cloud.dynamodb.send(command);
let TableName;
setUp(async () => {
  TableName = await makeTable({h: 'S'});
});

const newKey = () => ({h: {S: freshName('item')}});
const transact = (TransactItems, more = {}) => send(new ddb.TransactWriteItemsCommand({TransactItems, ...more}));
const add = (Key, more = {}) => ({
  Update: {
    TableName,
    Key,
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: {':one': {N: '1'}},
    ...more,
  },
});
const get = async (Key) => (await send(new ddb.GetItemCommand({TableName, Key, ConsistentRead: true}))).Item;

test('a transaction does all of it', async () => {
  const [a, b, c, d] = [newKey(), newKey(), newKey(), newKey()];
  await send(new ddb.PutItemCommand({TableName, Item: c}));
  await send(new ddb.PutItemCommand({TableName, Item: d}));
  await transact([
    {Put: {TableName, Item: {...a, v: {S: 'put'}}, ConditionExpression: 'attribute_not_exists(h)'}},
    add(b),
    {Delete: {TableName, Key: c}},
    {ConditionCheck: {TableName, Key: d, ConditionExpression: 'attribute_exists(h)'}},
  ]);
  assert.deepEqual(await get(a), {...a, v: {S: 'put'}});
  assert.deepEqual(await get(b), {...b, n: {N: '1'}});
  assert.equal(await get(c), undefined);
  assert.deepEqual(await get(d), d);
});

test('a transaction with a condition that does not hold does nothing, and says which', async () => {
  const [a, b] = [newKey(), newKey()];
  await send(new ddb.PutItemCommand({TableName, Item: {...b, v: {S: 'old'}}}));
  const error = await refused(
    transact([
      add(a),
      {
        Put: {
          TableName,
          Item: b,
          ConditionExpression: 'attribute_not_exists(h)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
    ]),
    'TransactionCanceledException',
    'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]',
  );
  assert.equal(error.CancellationReasons[0].Code, 'None');
  assert.deepEqual(error.CancellationReasons[1], {
    Code: 'ConditionalCheckFailed',
    Item: {...b, v: {S: 'old'}},
    Message: 'The conditional request failed',
  });
  assert.equal(await get(a), undefined);
});

test('an update that can not be done is a reason too', async () => {
  const [a, b] = [newKey(), newKey()];
  await send(new ddb.PutItemCommand({TableName, Item: {...b, n: {S: 'text'}}}));
  const error = await refused(transact([add(a), add(b)]), 'TransactionCanceledException');
  assert.deepEqual(error.CancellationReasons.map(({Code}) => Code), ['None', 'ValidationError']);
  assert.equal(await get(a), undefined);
});

test('a token makes a repetition harmless', async () => {
  const [a, b] = [newKey(), newKey()];
  const ClientRequestToken = freshName('token-');
  await transact([add(a), add(b)], {ClientRequestToken});
  await transact([add(a), add(b)], {ClientRequestToken});
  assert.deepEqual((await get(a)).n, {N: '1'});
  await refused(transact([add(a)], {ClientRequestToken}), 'IdempotentParameterMismatchException');
  await transact([add(a), add(b)], {ClientRequestToken: freshName('token-')});
  assert.deepEqual((await get(b)).n, {N: '2'});
});

test('an item may be in a transaction once', async () => {
  const a = newKey();
  await refused(
    transact([add(a), {Delete: {TableName, Key: a}}]),
    'ValidationException',
    'Transaction request cannot include multiple operations on one item',
  );
});

test('a transaction has 100 items at most', async () => {
  const items = Array.from({length: 100}, () => add(newKey()));
  await transact(items);
  await refused(
    transact([...items, add(newKey())]),
    'ValidationException',
    /Member must have length less than or equal to 100/,
  );
});

test('TransactGetItems reads at one moment', async () => {
  const [a, b, none] = [newKey(), newKey(), newKey()];
  await transact([add(a), add(b)]);
  const read = () =>
    send(
      new ddb.TransactGetItemsCommand({
        TransactItems: [
          {Get: {TableName, Key: a}},
          {Get: {TableName, Key: none}},
          {Get: {TableName, Key: b, ProjectionExpression: 'n'}},
        ],
      }),
    );
  const {Responses} = await read();
  assert.deepEqual(Responses, [{Item: {...a, n: {N: '1'}}}, {}, {Item: {n: {N: '1'}}}]);

  // Never one without the other, while both go up together.
  let writing = true;
  const writes = Promise.all(Array.from({length: 20}, () => transact([add(a), add(b)]))).finally(() => {
    writing = false;
  });
  while (writing) {
    const {Responses: now} = await read();
    assert.deepEqual(now[0].Item.n, now[2].Item.n);
  }
  await writes;
});

test('transactions cost twice', async () => {
  const a = newKey();
  const {ConsumedCapacity} = await transact([add(a)], {ReturnConsumedCapacity: 'TOTAL'});
  assert.equal(ConsumedCapacity[0].TableName, TableName);
  assert.equal(ConsumedCapacity[0].CapacityUnits, 2);
});
