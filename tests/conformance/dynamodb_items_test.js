// PutItem, GetItem, UpdateItem, DeleteItem: values, conditions, updates, what they return.
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
const put = (Item, more = {}) => send(new ddb.PutItemCommand({TableName, Item, ...more}));
const get = async (Key, more = {}) =>
  (await send(new ddb.GetItemCommand({TableName, Key, ConsistentRead: true, ...more}))).Item;
const update = (Key, UpdateExpression, values, more = {}) =>
  send(
    new ddb.UpdateItemCommand({
      TableName,
      Key,
      UpdateExpression,
      ...(values ? {ExpressionAttributeValues: values} : {}),
      ...more,
    }),
  );

/** As AWS words what is wrong with a write before it looks at the table. */
const counted = (message) => (message instanceof RegExp ? message : `1 validation error detected: ${message}`);

test('every type comes back as it was put', async () => {
  const Item = {
    ...newKey(),
    s: {S: 'text, "quotes", \\ and \u0001, 秒 and 😀'},
    n: {N: '-12345678901234567890123456789012345678'},
    b: {B: new Uint8Array([0, 1, 127, 128, 255])},
    yes: {BOOL: true},
    no: {BOOL: false},
    nothing: {NULL: true},
    ss: {SS: ['a']},
    ns: {NS: ['1.5']},
    bs: {BS: [new Uint8Array([9])]},
    l: {L: [{S: 'x'}, {L: []}, {M: {}}, {NULL: true}]},
    m: {M: {deep: {M: {er: {L: [{N: '1'}]}}}}},
    empty: {S: ''},
    emptyBytes: {B: new Uint8Array()},
  };
  await put(Item);
  assert.deepEqual(await get({h: Item.h}), Item);
});

test('numbers are normalised, and exact to 38 digits', async () => {
  const key = newKey();
  const cases = {
    '1.50': '1.5',
    '007': '7',
    '-0': '0',
    '1e2': '100',
    '12E-1': '1.2',
    '0.00000000000000000000000000000000000001': '0.00000000000000000000000000000000000001',
    '99999999999999999999999999999999999999': '99999999999999999999999999999999999999',
    '1E125': '1' + '0'.repeat(125),
    '1E-130': '0.' + '0'.repeat(129) + '1',
  };
  for (const [written, read] of Object.entries(cases)) {
    await put({...key, n: {N: written}});
    assert.equal((await get(key)).n.N, read, written);
  }
});

test('numbers that DynamoDB can not hold are refused', async () => {
  const wrong = {
    '1E126': 'Number overflow. Attempting to store a number with magnitude larger than supported range',
    '1E-131': 'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    '123456789012345678901234567890123456789': 'Attempting to store more than 38 significant digits in a Number',
    abc: 'The parameter cannot be converted to a numeric value: abc',
    '': 'The parameter cannot be converted to a numeric value: ',
  };
  for (const [number, message] of Object.entries(wrong)) {
    await refused(put({...newKey(), n: {N: number}}), 'ValidationException', counted(message));
  }
});

test('sets must have members, each once', async () => {
  const wrong = [
    [{SS: []}, 'One or more parameter values were invalid: An string set  may not be empty'],
    [{NS: []}, 'One or more parameter values were invalid: An number set  may not be empty'],
    [{BS: []}, 'One or more parameter values were invalid: Binary sets should not be empty'],
    [{SS: ['a', 'a']}, 'One or more parameter values were invalid: Input collection ["a", "a"] contains duplicates.'],
    [{NS: ['1', '1.0']}, 'One or more parameter values were invalid: Input collection contains duplicates.'],
  ];
  for (const [value, message] of wrong) {
    await refused(put({...newKey(), value}), 'ValidationException', counted(message));
  }
});

test('a key must be whole, of its type, and not empty', async () => {
  await refused(
    put({other: {S: 'a'}}),
    'ValidationException',
    'One or more parameter values were invalid: Missing the key h in the item',
  );
  await refused(
    put({h: {N: '1'}}),
    'ValidationException',
    'One or more parameter values were invalid: Type mismatch for key h expected: S actual: N',
  );
  await refused(
    put({h: {S: ''}}),
    'ValidationException',
    'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: h',
  );
  await refused(
    get({h: {S: 'a'}, more: {S: 'b'}}),
    'ValidationException',
    'The provided key element does not match the schema',
  );
  await refused(
    put({h: {S: 'x'.repeat(2049)}}),
    'ValidationException',
    'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes',
  );
});

test('an item may have 400 KB, but not more', async () => {
  const key = newKey();
  const room = 400 * 1024 - 'h'.length - key.h.S.length - 'data'.length;
  await put({...key, data: {S: 'x'.repeat(room)}});
  assert.equal((await get(key)).data.S.length, room);
  await refused(
    put({...key, data: {S: 'x'.repeat(room + 1)}}),
    'ValidationException',
    'Item size has exceeded the maximum allowed size',
  );
});

test('a condition that does not hold changes nothing', async () => {
  const key = newKey();
  const once = {ConditionExpression: 'attribute_not_exists(h)'};
  await put({...key, v: {N: '1'}}, once);
  const error = await refused(
    put({...key, v: {N: '2'}}, {...once, ReturnValuesOnConditionCheckFailure: 'ALL_OLD'}),
    'ConditionalCheckFailedException',
    'The conditional request failed',
  );
  assert.deepEqual(error.Item, {...key, v: {N: '1'}});
  assert.deepEqual(await get(key), {...key, v: {N: '1'}});
});

test('conditions: functions, comparisons, nesting', async () => {
  const key = newKey();
  await put({
    ...key,
    n: {N: '10'},
    s: {S: 'hello'},
    ss: {SS: ['a', 'b']},
    l: {L: [{S: 'x'}, {N: '2'}]},
    m: {M: {deep: {N: '5'}, name: {S: 'inner'}}},
    b: {BOOL: false},
  });
  const values = {
    ':five': {N: '5'}, ':ten': {N: '10.0'}, ':hell': {S: 'hell'}, ':a': {S: 'a'}, ':x': {S: 'x'},
    ':S': {S: 'S'}, ':L': {S: 'L'}, ':two': {N: '2'}, ':no': {BOOL: false}, ':ss': {SS: ['b', 'a']},
    ':m': {M: {name: {S: 'inner'}, deep: {N: '5'}}}, ':list': {L: [{S: 'x'}, {N: '2'}]},
  };
  const names = {'#n': 'n', '#name': 'name', '#size': 'size'};
  const holds = async (ConditionExpression) => {
    const used = (all) => Object.fromEntries(
      Object.entries(all).filter(([name]) => new RegExp(`${name}(?![\\w])`).test(ConditionExpression)),
    );
    const members = {ExpressionAttributeNames: used(names), ExpressionAttributeValues: used(values)};
    for (const name of Object.keys(members)) if (!Object.keys(members[name]).length) delete members[name];
    return update(key, undefined, undefined, {ConditionExpression, ...members}).then(
      () => true,
      (error) => {
        assert.equal(error.name, 'ConditionalCheckFailedException', `${ConditionExpression}: ${error.message}`);
        return false;
      },
    );
  };
  const cases = {
    '#n = :ten': true,
    '#n <> :ten': false,
    '#n > :five': true,
    ':five < #n': true,
    '#n BETWEEN :five AND :ten': true,
    '#n IN (:five, :ten)': true,
    's = :hell': false,
    'begins_with(s, :hell)': true,
    'contains(s, :hell)': true,
    'contains(ss, :a)': true,
    'contains(l, :x)': true,
    'contains(l, :a)': false,
    'attribute_type(s, :S)': true,
    'attribute_type(s, :L)': false,
    'attribute_exists(m.deep)': true,
    'attribute_not_exists(m.nowhere)': true,
    'attribute_exists(l[1])': true,
    'attribute_exists(l[2])': false,
    'm.deep = :five': true,
    'm.#name > :a': true,
    'l[1] = :two': true,
    'size(s) = :five': true,
    'size(ss) = :two': true,
    'size(l) = :two AND size(m) = :two': true,
    'b = :no': true,
    'ss = :ss': true,
    'm = :m': true,
    'l = :list': true,
    'NOT s = :hell AND #n = :ten': true,
    'NOT (s = :hell OR #n = :ten)': false,
    's = :hell OR #n = :five OR #n = :ten': true,
    'nowhere = :five': false,
    'nowhere <> :five': true,
    's > :five': false,
  };
  for (const [condition, expected] of Object.entries(cases)) assert.equal(await holds(condition), expected, condition);
});

test('mistakes in expressions have the words of AWS', async () => {
  const key = newKey();
  const condition = (ConditionExpression, more = {}) => put(key, {ConditionExpression, ...more});
  const cases = [
    ['', {}, 'Invalid ConditionExpression: The expression can not be empty;'],
    ['a = :v', {}, 'Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :v'],
    ['attribute_exists(#a)', {}, 'Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #a'],
    ['attribute_exists(size)', {}, 'Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: size'],
    ['nonsense(a)', {}, 'Invalid ConditionExpression: Invalid function name; function: nonsense'],
    ['attribute_exists(a, b)', {}, 'Invalid ConditionExpression: Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2'],
    ['a =', {}, /^1 validation error detected: Invalid ConditionExpression: Syntax error; token: "<EOF>", near: ".*"$/],
    ['a ! b', {}, /^1 validation error detected: Invalid ConditionExpression: Syntax error; token: "!", near: ".*!.*"$/],
    ['((a = b))', {}, 'Invalid ConditionExpression: The expression has redundant parentheses;'],
    ['attribute_exists(a)', {ExpressionAttributeNames: {'#b': 'b'}}, 'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}'],
    ['attribute_exists(a)', {ExpressionAttributeValues: {':b': {S: 'b'}}}, 'Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}'],
  ];
  for (const [text, more, message] of cases) {
    await refused(condition(text, more), 'ValidationException', counted(message));
  }
  await refused(
    put(key, {ExpressionAttributeNames: {'#b': 'b'}}),
    'ValidationException',
    counted('ExpressionAttributeNames can only be specified when using expressions'),
  );
});

test('UpdateItem: SET, REMOVE, ADD, DELETE', async () => {
  const key = newKey();
  await update(key, 'SET a = :a, n = if_not_exists(n, :zero) + :one, l = :l, m = :m ADD s :s', {
    ':a': {S: 'a'}, ':zero': {N: '0'}, ':one': {N: '1'}, ':l': {L: [{N: '0'}, {N: '1'}, {N: '2'}]},
    ':m': {M: {x: {N: '1'}}}, ':s': {SS: ['p', 'q']},
  });
  await update(key, 'SET n = n - :half, l = list_append(:l, l), m.y = a REMOVE a DELETE s :p', {
    ':half': {N: '0.5'}, ':l': {L: [{S: 'first'}]}, ':p': {SS: ['p']},
  });
  assert.deepEqual(await get(key), {
    ...key,
    n: {N: '0.5'},
    l: {L: [{S: 'first'}, {N: '0'}, {N: '1'}, {N: '2'}]},
    m: {M: {x: {N: '1'}, y: {S: 'a'}}},
    s: {SS: ['q']},
  });
  // Positions are those before the update; a set without members is gone.
  await update(key, 'REMOVE l[0], l[2] DELETE s :q', {':q': {SS: ['q']}});
  assert.deepEqual(await get(key), {
    ...key, n: {N: '0.5'}, l: {L: [{N: '0'}, {N: '2'}]}, m: {M: {x: {N: '1'}, y: {S: 'a'}}},
  });
  await update(key, 'SET l[9] = :v, l[0] = :v', {':v': {S: 'v'}});
  assert.deepEqual((await get(key)).l, {L: [{S: 'v'}, {N: '2'}, {S: 'v'}]});
});

test('UpdateItem returns what it is asked for', async () => {
  const key = newKey();
  const one = {':one': {N: '1'}};
  const ask = async (ReturnValues) => (await update(key, 'ADD n :one', one, {ReturnValues})).Attributes;
  assert.equal(await ask('ALL_OLD'), undefined);
  await update(key, 'SET extra = :one', one);
  assert.deepEqual(await ask('UPDATED_NEW'), {n: {N: '2'}});
  assert.deepEqual(await ask('UPDATED_OLD'), {n: {N: '2'}});
  assert.deepEqual(await ask('ALL_NEW'), {...key, n: {N: '4'}, extra: {N: '1'}});
  assert.deepEqual(await ask('ALL_OLD'), {...key, n: {N: '4'}, extra: {N: '1'}});
  assert.equal(await ask('NONE'), undefined);
  await refused(
    put({...key}, {ReturnValues: 'ALL_NEW'}),
    'ValidationException',
    counted('ReturnValues can only be ALL_OLD or NONE'),
  );
});

test('mistakes in updates have the words of AWS', async () => {
  const key = newKey();
  await put({...key, s: {S: 'text'}, n: {N: '1'}});
  const one = {':v': {N: '1'}};
  const cases = [
    ['SET s = s + :v', one, 'An operand in the update expression has an incorrect data type'],
    ['SET a = nowhere + :v', one, 'The provided expression refers to an attribute that does not exist in the item'],
    ['SET nowhere.x = :v', one, 'The document path provided in the update expression is invalid for update'],
    ['SET h = :v', one, 'One or more parameter values were invalid: Cannot update attribute h. This attribute is part of the key'],
    ['SET a = :v, a = :v', one, counted('Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]')],
    ['ADD s :v', one, 'An operand in the update expression has an incorrect data type'],
    ['SET a = :v SET b = :v', one, counted('Invalid UpdateExpression: The "SET" section can only be used once in an update expression;')],
  ];
  for (const [text, values, message] of cases) await refused(update(key, text, values), 'ValidationException', message);
  assert.deepEqual(await get(key), {...key, s: {S: 'text'}, n: {N: '1'}});
});

test('UpdateItem of an item that is not there makes it, unless the condition forbids', async () => {
  const key = newKey();
  await refused(
    update(key, 'SET a = :a', {':a': {N: '1'}}, {ConditionExpression: 'attribute_exists(h)'}),
    'ConditionalCheckFailedException',
  );
  assert.equal(await get(key), undefined);
  await update(key, undefined);
  assert.deepEqual(await get(key), key);
});

test('DeleteItem returns what it deletes, and does not mind if there is nothing', async () => {
  const key = newKey();
  await put({...key, a: {N: '1'}});
  const gone = (ReturnValues) => send(new ddb.DeleteItemCommand({TableName, Key: key, ReturnValues}));
  assert.deepEqual((await gone('ALL_OLD')).Attributes, {...key, a: {N: '1'}});
  assert.equal((await gone('ALL_OLD')).Attributes, undefined);
});

test('GetItem gives the parts that are asked for', async () => {
  const key = newKey();
  await put({...key, a: {N: '1'}, 'b-c': {S: 'x'}, l: {L: [{N: '0'}, {N: '1'}, {N: '2'}]}, m: {M: {x: {N: '1'}, y: {N: '2'}}}});
  const item = await get(key, {
    ProjectionExpression: '#bc, l[2], l[0], m.y, nowhere',
    ExpressionAttributeNames: {'#bc': 'b-c'},
  });
  assert.deepEqual(item, {'b-c': {S: 'x'}, l: {L: [{N: '0'}, {N: '2'}]}, m: {M: {y: {N: '2'}}}});
});

test('capacity is counted as on AWS', async () => {
  const key = newKey();
  const write = async (bytes) =>
    (await put({...key, data: {S: 'x'.repeat(bytes)}}, {ReturnConsumedCapacity: 'TOTAL'})).ConsumedCapacity;
  assert.deepEqual(await write(10), {TableName, CapacityUnits: 1});
  assert.equal((await write(1024)).CapacityUnits, 2);
  const read = async (ConsistentRead) => {
    const input = {TableName, Key: key, ConsistentRead, ReturnConsumedCapacity: 'TOTAL'};
    return (await send(new ddb.GetItemCommand(input))).ConsumedCapacity.CapacityUnits;
  };
  assert.equal(await read(true), 1);
  assert.equal(await read(false), 0.5);
  await write(5000);
  assert.equal(await read(true), 2);
  assert.equal(await read(false), 1);
});

test('writers that count at the same time lose nothing', async () => {
  const key = newKey();
  await Promise.all(
    Array.from({length: 100}, () => update(key, 'ADD n :one', {':one': {N: '1'}})),
  );
  assert.deepEqual((await get(key)).n, {N: '100'});
});
