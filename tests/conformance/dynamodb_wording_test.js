// How errors are worded, operation by operation. The words were recorded on AWS in September and October 2026, as most
// regions answer: https://github.com/paritysuite/dynamodb-conformance/tree/main/captures
'use strict';

const assert = require('node:assert/strict');
const {test} = require('node:test');
const ddb = require('@aws-sdk/client-dynamodb');
const {cloud, setUp, refused} = require('./cloud');
const {makeTable} = require('./tables');

let TableName;
setUp(async () => {
  TableName = await makeTable({h: 'S'});
});

const Key = {h: {S: 'a'}};
const send = (operation, input) => cloud.dynamodb.send(new ddb[`${operation}Command`](input));
const invalid = (operation, input, message) => refused(send(operation, input), 'ValidationException', message);
/** On the table, with a key. */
const invalidOn = (operation, more, message) => {
  const keyed = {PutItem: {Item: Key}, UpdateItem: {Key}, DeleteItem: {Key}, GetItem: {Key}};
  return invalid(operation, {TableName, ...keyed[operation], ...more}, message);
};

const one = (message) => `1 validation error detected: ${message}`;
const several = (...messages) => `${messages.length} validation errors detected: ${messages.join('; ')}`;
const notIn = (value, name, set) =>
  `Value '${value}' at '${name}' failed to satisfy constraint: Member must satisfy enum value set: [${set}]`;
const notCapacity = notIn('BOGUS', 'returnConsumedCapacity', 'INDEXES, TOTAL, NONE');
const notMetrics = notIn('BOGUS', 'returnItemCollectionMetrics', 'SIZE, NONE');
// UPDATE_NEW is as AWS spells it.
const notReturnValues =
  'Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]';
const wrongValue = (message) => `One or more parameter values were invalid: ${message}`;

test('an empty TableName is the only error, and is not repeated', async () => {
  const mistakes = {
    PutItem: {Item: {}, ReturnValues: 'BOGUS'},
    UpdateItem: {Key: {}, ReturnValues: 'BOGUS', ReturnConsumedCapacity: 'BOGUS'},
    DeleteItem: {Key: {}, ReturnConsumedCapacity: 'BOGUS'},
    GetItem: {Key: {}},
    Query: {KeyConditionExpression: 'h = :h'},
  };
  for (const [operation, more] of Object.entries(mistakes)) {
    await invalid(
      operation,
      {TableName: '', ...more},
      one("Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1"),
    );
  }
});

test('any other TableName is repeated', async () => {
  const wrong = (value, constraint) => one(`Value ${value} at 'tableName' failed to satisfy constraint: Member must ${constraint}`);
  const long = 'a'.repeat(256);
  await invalid('PutItem', {Item: Key}, wrong('null', 'not be null'));
  await invalid('PutItem', {TableName: long, Item: Key}, wrong(`'${long}'`, 'have length less than or equal to 255'));
  for (const operation of ['PutItem', 'UpdateItem', 'DeleteItem', 'GetItem']) {
    await invalidOn(
      operation,
      {TableName: 'bad table!@#'},
      wrong("'bad table!@#'", 'satisfy regular expression pattern: [a-zA-Z0-9_.-]+'),
    );
  }
  for (const operation of ['DescribeTable', 'DeleteTable', 'DescribeTimeToLive']) {
    await invalid(operation, {TableName: 'ab'}, wrong("'ab'", 'have length greater than or equal to 3'));
  }
  await refused(send('GetItem', {TableName: 'ab', Key}), 'ResourceNotFoundException', 'Requested resource not found');
});

test('unknown ReturnValues are not repeated, and are the only error of an update', async () => {
  const unknown = {ReturnValues: 'BOGUS', ReturnConsumedCapacity: 'BOGUS'};
  await invalidOn(
    'PutItem',
    {...unknown, ReturnItemCollectionMetrics: 'BOGUS'},
    several(notCapacity, notReturnValues, notMetrics),
  );
  await invalidOn('DeleteItem', unknown, several(notCapacity, notReturnValues));
  await invalidOn('UpdateItem', unknown, one(notReturnValues));
  for (const operation of ['PutItem', 'UpdateItem', 'DeleteItem']) {
    await invalidOn(operation, {ReturnValues: 'all_old'}, one(notReturnValues));
  }
  for (const operation of ['PutItem', 'DeleteItem']) {
    await invalidOn(operation, {ReturnValues: 'UPDATED_OLD'}, one('ReturnValues can only be ALL_OLD or NONE'));
  }
});

test('other unknown members of enumerations are repeated', async () => {
  for (const operation of ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Scan']) {
    await invalidOn(operation, {ReturnConsumedCapacity: 'BOGUS'}, one(notCapacity));
  }
  await invalid('Scan', {TableName, Select: 'SOME'}, one(notIn('SOME', 'select', 'SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES')));
});

test('the mistakes of a write that need no table are counted', async () => {
  const put = (ConditionExpression, more = {}) => ['PutItem', {ConditionExpression, ...more}];
  const update = (UpdateExpression, more = {}) => ['UpdateItem', {UpdateExpression, ...more}];
  let deep = {S: 'x'};
  for (let level = 0; level < 32; ++level) deep = {L: [deep]};
  const cases = [
    [put('a = b', {ExpressionAttributeNames: {'#unused': 'x'}}), 'Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}'],
    [update('REMOVE a', {ExpressionAttributeValues: {':unused': {S: 'x'}}}), 'Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}'],
    [put('((attribute_exists(a)))'), 'Invalid ConditionExpression: The expression has redundant parentheses;'],
    [put(''), 'Invalid ConditionExpression: The expression can not be empty;'],
    [put('contains(a, a)'), 'Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [a]'],
    [put('a = b', {Expected: {a: {Exists: false}}}), 'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}'],
    [update('INVALID SYNTAX'), 'Invalid UpdateExpression: Syntax error; token: "INVALID", near: "INVALID SYNTAX"'],
    [update(''), 'Invalid UpdateExpression: The expression can not be empty;'],
    [update('SET a = :v'), 'Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :v'],
    [update('SET a = :v', {ExpressionAttributeValues: {':v': deep}}), 'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit'],
    [['PutItem', {ExpressionAttributeValues: {':v': {S: 'x'}}}], 'ExpressionAttributeValues can only be specified when using expressions'],
    [['PutItem', {Item: {...Key, a: {SS: []}}}], wrongValue('An string set  may not be empty')],
    [['PutItem', {Item: {...Key, a: {NS: []}}}], wrongValue('An number set  may not be empty')],
    [['PutItem', {Item: {...Key, a: {NULL: false}}}], wrongValue('Null attribute value types must have the value of true')],
    [['PutItem', {Item: {...Key, a: {SS: ['a', 'a']}}}], wrongValue('Input collection ["a", "a"] contains duplicates.')],
  ];
  for (const [[operation, more], message] of cases) await invalidOn(operation, more, one(message));
});

test('the mistakes of a write that need the table are not counted', async () => {
  await invalidOn(
    'UpdateItem',
    {UpdateExpression: 'SET h = :v', ExpressionAttributeValues: {':v': {S: 'x'}}},
    wrongValue('Cannot update attribute h. This attribute is part of the key'),
  );
  for (const operation of ['GetItem', 'DeleteItem']) {
    await invalidOn(operation, {Key: {h: {N: '1'}}}, 'The provided key element does not match the schema');
    await invalidOn(
      operation,
      {Key: {h: {S: ''}}},
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: h',
    );
  }
});

test('what is wrong with a projection is not counted', async () => {
  const overlapping = (paths) => `Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; ${paths}`;
  const cases = [
    ['#a, #b', {'#a': 'a', '#b': 'a'}, 'path one: [a], path two: [a]'],
    ['#a.#b, #a', {'#a': 'a', '#b': 'b'}, 'path one: [a, b], path two: [a]'],
  ];
  for (const [ProjectionExpression, ExpressionAttributeNames, paths] of cases) {
    const projection = {ProjectionExpression, ExpressionAttributeNames};
    const query = {KeyConditionExpression: 'h = :h', ExpressionAttributeValues: {':h': Key.h}};
    await invalidOn('GetItem', projection, overlapping(paths));
    await invalidOn('Query', {...query, ...projection}, overlapping(paths));
    await invalidOn('Scan', projection, overlapping(paths));
    await invalid('BatchGetItem', {RequestItems: {[TableName]: {Keys: [Key], ...projection}}}, overlapping(paths));
  }
});

test('a Query counts the mistakes in its parameters, a Scan does not', async () => {
  const message = 'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES';
  const query = {KeyConditionExpression: 'h = :h', ExpressionAttributeValues: {':h': Key.h}};
  await invalidOn('Query', {...query, Select: 'SPECIFIC_ATTRIBUTES'}, one(message));
  await invalidOn('Scan', {Select: 'SPECIFIC_ATTRIBUTES'}, message);
});

test('a Query does not repeat its Limit, a Scan does', async () => {
  const tooLow = (where) => one(`Value ${where} failed to satisfy constraint: Member must have value greater than or equal to 1`);
  const query = {KeyConditionExpression: 'h = :h', ExpressionAttributeValues: {':h': Key.h}};
  await invalidOn('Query', {...query, Limit: 0}, tooLow("at 'Limit'"));
  await invalidOn('Scan', {Limit: 0}, tooLow("'0' at 'limit'"));
});

test('a condition of a key is told apart from one of an item', async () => {
  const table = await makeTable({h: 'S', r: 'S'});
  const query = (KeyConditionExpression, values, message) =>
    invalid('Query', {TableName: table, KeyConditionExpression, ExpressionAttributeValues: values}, message);
  const values = {':h': Key.h, ':a': {S: 'a'}, ':b': {S: 'b'}};
  await query(
    'h = :h AND r > :a AND r < :b',
    values,
    'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key',
  );
  await query(
    'h = :h AND r > :a AND extra = :b',
    values,
    'The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)',
  );
  for (const condition of ['r > :e', 'r <= :e', 'begins_with(r, :e)', 'r BETWEEN :e AND :e']) {
    await query(
      `h = :h AND ${condition}`,
      {':h': Key.h, ':e': {S: ''}},
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: r',
    );
  }
});

test('a batch says where it is empty', async () => {
  const empty = (where) => one(`Value at '${where}' failed to satisfy constraint: Member must have length greater than or equal to 1`);
  await invalid('BatchGetItem', {RequestItems: {}}, empty('RequestItems'));
  await invalid('BatchGetItem', {RequestItems: {[TableName]: {Keys: []}}}, empty(`RequestItems.${TableName}.member.Keys`));
  await invalid('BatchWriteItem', {RequestItems: {}}, 'The requestItems parameter is required for BatchWriteItem');
  for (const h of [{N: '1'}, {L: []}]) {
    await invalid(
      'BatchWriteItem',
      {RequestItems: {[TableName]: [{PutRequest: {Item: {h}}}]}},
      'The provided key element does not match the schema',
    );
  }
});

test('a transaction is refused for an empty key, and cancelled for one of the wrong type', async () => {
  const writes = (h) => [
    {Update: {TableName, Key: {h}, UpdateExpression: 'REMOVE a'}},
    {Delete: {TableName, Key: {h}}},
    {ConditionCheck: {TableName, Key: {h}, ConditionExpression: 'attribute_exists(h)'}},
  ];
  for (const write of writes({S: ''})) {
    await invalid(
      'TransactWriteItems',
      {TransactItems: [write]},
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: h',
    );
  }
  for (const write of [...writes({N: '1'}), ...writes({L: []})]) {
    const error = await refused(
      send('TransactWriteItems', {TransactItems: [write]}),
      'TransactionCanceledException',
      'Transaction cancelled, please refer cancellation reasons for specific reasons [ValidationError]',
    );
    const [{Code, Message}] = error.CancellationReasons;
    assert.deepEqual({Code, Message}, {Code: 'ValidationError', Message: 'The provided key element does not match the schema'});
  }
  for (const operation of ['TransactWriteItems', 'TransactGetItems']) {
    await invalid(
      operation,
      {TransactItems: []},
      one("Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1"),
    );
  }
});
