// Query, Scan, BatchGetItem, BatchWriteItem: keys, indexes, filters, pages.
'use strict';

const assert = require('node:assert/strict');
const {test} = require('node:test');
const ddb = require('@aws-sdk/client-dynamodb');
const {cloud, setUp, refused} = require('./cloud');
const {makeTable} = require('./tables');

const send = (command) => cloud.dynamodb.send(command);

/** Writes items in batches until all are taken. */
async function putAll(TableName, items) {
  for (let at = 0; at < items.length; at += 25) {
    let RequestItems = {[TableName]: items.slice(at, at + 25).map((Item) => ({PutRequest: {Item}}))};
    while (Object.keys(RequestItems ?? {}).length) {
      RequestItems = (await send(new ddb.BatchWriteItemCommand({RequestItems}))).UnprocessedItems;
    }
  }
}

async function all(paginate, input, pageSize) {
  const items = [];
  let pages = 0;
  for await (const page of paginate({client: cloud.dynamodb, pageSize}, input)) {
    items.push(...page.Items);
    ++pages;
  }
  return {items, pages};
}

let TableName;
const NUMBERS = ['-1E125', '-100', '-10', '-9.5', '-1', '-1E-130', '0', '1E-130', '0.5', '1', '2', '10', '1E20', '1E125'];
setUp(async () => {
  const index = (IndexName, hash, range, Projection) => ({
    IndexName,
    KeySchema: [
      {AttributeName: hash, KeyType: 'HASH'},
      {AttributeName: range, KeyType: 'RANGE'},
    ],
    Projection,
  });
  TableName = await makeTable(
    {h: 'S', r: 'N'},
    {
      attributes: {x: 'S'},
      LocalSecondaryIndexes: [index('local', 'h', 'x', {ProjectionType: 'INCLUDE', NonKeyAttributes: ['a']})],
      GlobalSecondaryIndexes: [index('global', 'x', 'r', {ProjectionType: 'KEYS_ONLY'})],
    },
  );
  await putAll(
    TableName,
    NUMBERS.toReversed().flatMap((N, i) =>
      ['one', 'two'].map((S) => ({
        h: {S},
        r: {N},
        a: {N: `${i}`},
        b: {S: 'b'},
        ...(i % 2 ? {x: {S: `x${i % 4}`}} : {}),
      })),
    ),
  );
});

const query = (KeyConditionExpression, values, more = {}) =>
  send(
    new ddb.QueryCommand({
      TableName,
      KeyConditionExpression,
      ExpressionAttributeValues: {':h': {S: 'one'}, ...values},
      ...more,
    }),
  );
const numbers = ({Items}) => Items.map(({r}) => Number(r.N));
const EXPECTED = NUMBERS.map(Number);

test('a query gives a partition in the order of its range key', async () => {
  assert.deepEqual(numbers(await query('h = :h')), EXPECTED);
  assert.deepEqual(numbers(await query('h = :h', {}, {ScanIndexForward: false})), EXPECTED.toReversed());
});

test('a query gives the range that is asked for', async () => {
  const cases = [
    ['r = :a', ([a]) => (n) => n === a],
    ['r < :a', ([a]) => (n) => n < a],
    ['r <= :a', ([a]) => (n) => n <= a],
    ['r > :a', ([a]) => (n) => n > a],
    ['r >= :a', ([a]) => (n) => n >= a],
    ['r BETWEEN :a AND :b', ([a, b]) => (n) => n >= a && n <= b],
  ];
  for (const [condition, matches] of cases) {
    for (const [a, b] of [['-10', '1'], ['0', '1E20'], ['-1E125', '-1E-130'], ['3', '3']]) {
      const values = {':a': {N: a}, ...(condition.includes(':b') ? {':b': {N: b}} : {})};
      const found = numbers(await query(`h = :h AND ${condition}`, values));
      assert.deepEqual(found, EXPECTED.filter(matches([Number(a), Number(b)])), `${condition} ${a} ${b}`);
    }
  }
});

test('strings and bytes are in the order of their bytes, and have beginnings', async () => {
  const bytes = [[0], [0, 0], [0, 1], [1], [127], [128], [255], [255, 0], [255, 255]].map((b) => new Uint8Array(b));
  const byBytes = await makeTable({h: 'N', r: 'B'});
  await putAll(byBytes, bytes.toReversed().map((B) => ({h: {N: '1'}, r: {B}})));
  const input = {
    TableName: byBytes,
    KeyConditionExpression: 'h = :h',
    ExpressionAttributeValues: {':h': {N: '1.0'}},
  };
  const found = await send(new ddb.QueryCommand(input));
  assert.deepEqual(found.Items.map(({r}) => [...r.B]), bytes.map((b) => [...b]));
  input.KeyConditionExpression = 'h = :h AND begins_with(r, :b)';
  input.ExpressionAttributeValues[':b'] = {B: new Uint8Array([255])};
  assert.equal((await send(new ddb.QueryCommand(input))).Count, 3);

  const strings = ['A', 'B', 'a', 'ab', 'abc', 'b', 'é', 'ﬀ', '😀'];
  const byStrings = await makeTable({h: 'S', r: 'S'});
  await putAll(byStrings, strings.toReversed().map((S) => ({h: {S: 'h'}, r: {S}})));
  const {Items} = await send(
    new ddb.QueryCommand({
      TableName: byStrings,
      KeyConditionExpression: 'h = :h',
      ExpressionAttributeValues: {':h': {S: 'h'}},
    }),
  );
  assert.deepEqual(Items.map(({r}) => r.S), strings);
});

test('pages follow one another without gap or repetition, both ways', async () => {
  for (const ScanIndexForward of [true, false]) {
    for (const pageSize of [1, 3, 14, 15]) {
      const input = {
        TableName,
        KeyConditionExpression: 'h = :h',
        ExpressionAttributeValues: {':h': {S: 'two'}},
        ScanIndexForward,
      };
      const {items} = await all(ddb.paginateQuery, input, pageSize);
      const expected = ScanIndexForward ? EXPECTED : EXPECTED.toReversed();
      assert.deepEqual(items.map(({r}) => Number(r.N)), expected, `${pageSize}`);
    }
  }
});

test('an index knows the items that have its key, and what it projects', async () => {
  const local = await query('h = :h AND x = :x', {':x': {S: 'x1'}}, {IndexName: 'local'});
  assert.ok(local.Count > 1);
  for (const item of local.Items) assert.deepEqual(Object.keys(item).sort(), ['a', 'h', 'r', 'x']);

  const global = await send(
    new ddb.QueryCommand({
      TableName,
      IndexName: 'global',
      KeyConditionExpression: 'x = :x AND r > :zero',
      ExpressionAttributeValues: {':x': {S: 'x3'}, ':zero': {N: '0'}},
    }),
  );
  for (const item of global.Items) assert.deepEqual(Object.keys(item).sort(), ['h', 'r', 'x']);
  const {items} = await all(ddb.paginateScan, {TableName, IndexName: 'global'}, 3);
  assert.equal(items.length, NUMBERS.length);

  const whole = await query('h = :h AND x = :x', {':x': {S: 'x1'}}, {IndexName: 'local', Select: 'ALL_ATTRIBUTES'});
  for (const item of whole.Items) assert.equal(item.b.S, 'b');
});

test('what an index may not be asked', async () => {
  const ask = (members) =>
    send(
      new ddb.QueryCommand({
        TableName,
        IndexName: 'global',
        KeyConditionExpression: 'x = :x',
        ExpressionAttributeValues: {':x': {S: 'x1'}},
        ...members,
      }),
    );
  await refused(
    ask({ConsistentRead: true}),
    'ValidationException',
    'Consistent reads are not supported on global secondary indexes',
  );
  await refused(
    ask({Select: 'ALL_ATTRIBUTES'}),
    'ValidationException',
    'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index global because its projection type is not ALL',
  );
  await refused(ask({IndexName: 'none'}), 'ValidationException', 'The table does not have the specified index: none');
});

test('mistakes in queries have the words of AWS', async () => {
  const cases = [
    ['r = :h', 'Query condition missed key schema element: h'],
    ['h > :h', 'Query key condition not supported'],
    ['h = :h AND r <> :h', /^(Unsupported operator on KeyCondition|Invalid operator used in KeyConditionExpression: <>)/],
    ['h = :h OR r = :h', 'Invalid operator used in KeyConditionExpression: OR'],
    ['h = :h AND r = :h', 'One or more parameter values were invalid: Condition parameter type does not match schema type'],
    ['h = :h AND b = :h', 'Query condition missed key schema element: r'],
  ];
  for (const [condition, message] of cases) {
    await refused(query(condition), 'ValidationException', message);
  }
  await refused(
    query('h = :h', {}, {FilterExpression: 'r = :h'}),
    'ValidationException',
    'Filter Expression can only contain non-primary key attributes: Primary key attribute: r',
  );
});

test('a filter is applied after the page is read', async () => {
  const filtered = await query('h = :h', {':a': {N: '3'}}, {FilterExpression: 'a < :a'});
  assert.equal(filtered.Count, 3);
  assert.equal(filtered.ScannedCount, NUMBERS.length);
  const page = await query('h = :h', {':a': {N: '3'}}, {FilterExpression: 'a < :a', Limit: 2});
  assert.equal(page.Count, 0);
  assert.equal(page.ScannedCount, 2);
  assert.deepEqual(Object.keys(page.LastEvaluatedKey).sort(), ['h', 'r']);
  const counted = await query('h = :h', {}, {Select: 'COUNT'});
  assert.equal(counted.Count, NUMBERS.length);
  assert.equal(counted.Items, undefined);
});

test('segments of a scan have every item once', async () => {
  const seen = [];
  for (let Segment = 0; Segment < 5; ++Segment) {
    const {items} = await all(ddb.paginateScan, {TableName, Segment, TotalSegments: 5}, 4);
    seen.push(...items.map(({h, r}) => `${h.S} ${r.N}`));
  }
  assert.equal(seen.length, 2 * NUMBERS.length);
  assert.equal(new Set(seen).size, seen.length);
  await refused(
    send(new ddb.ScanCommand({TableName, Segment: 5, TotalSegments: 5})),
    'ValidationException',
    'The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is not less than TotalSegments: 5',
  );
});

test('a page ends at 1 MB', async () => {
  const big = await makeTable({h: 'S', r: 'N'});
  const items = Array.from({length: 30}, (_, i) => ({h: {S: 'h'}, r: {N: `${i}`}, data: {S: 'x'.repeat(100_000)}}));
  for (let at = 0; at < items.length; at += 10) await putAll(big, items.slice(at, at + 10));
  const input = {TableName: big, KeyConditionExpression: 'h = :h', ExpressionAttributeValues: {':h': {S: 'h'}}};
  const first = await send(new ddb.QueryCommand(input));
  assert.equal(first.Count, 11);
  assert.equal(first.LastEvaluatedKey.r.N, '10');
  assert.equal((await all(ddb.paginateQuery, input)).items.length, 30);
  assert.equal((await all(ddb.paginateScan, {TableName: big})).items.length, 30);
});

test('BatchGetItem finds what is there, in any order, of several tables', async () => {
  const other = await makeTable({h: 'S'});
  await putAll(other, [{h: {S: 'a'}, v: {N: '1'}}]);
  const {Responses, UnprocessedKeys} = await send(
    new ddb.BatchGetItemCommand({
      RequestItems: {
        [TableName]: {
          Keys: ['0', '1', '77'].map((N) => ({h: {S: 'one'}, r: {N}})),
          ProjectionExpression: '#r',
          ExpressionAttributeNames: {'#r': 'r'},
        },
        [other]: {Keys: [{h: {S: 'a'}}, {h: {S: 'b'}}], ConsistentRead: true},
      },
    }),
  );
  assert.deepEqual(UnprocessedKeys, {});
  assert.deepEqual(Responses[TableName].map((item) => item.r.N).sort(), ['0', '1']);
  assert.deepEqual(Responses[other], [{h: {S: 'a'}, v: {N: '1'}}]);
});

test('batches have limits', async () => {
  const keys = (count) => Array.from({length: count}, (_, i) => ({h: {S: 'one'}, r: {N: `${i}`}}));
  await refused(
    send(new ddb.BatchGetItemCommand({RequestItems: {[TableName]: {Keys: keys(101)}}})),
    'ValidationException',
    /Too many items requested for the BatchGetItem call|Member must have length less than or equal to 100/,
  );
  await refused(
    send(
      new ddb.BatchWriteItemCommand({
        RequestItems: {[TableName]: keys(26).map((Key) => ({DeleteRequest: {Key}}))},
      }),
    ),
    'ValidationException',
    /Too many items requested for the BatchWriteItem call|Member must have length less than or equal to 25/,
  );
  await refused(
    send(new ddb.BatchGetItemCommand({RequestItems: {[TableName]: {Keys: [...keys(1), {h: {S: 'one'}, r: {N: '0.0'}}]}}})),
    'ValidationException',
    'Provided list of item keys contains duplicates',
  );
});

test('BatchGetItem stops at 16 MB and says what is left', async () => {
  const big = await makeTable({h: 'S'});
  const Keys = Array.from({length: 50}, (_, i) => ({h: {S: `${i}`}}));
  for (const {h} of Keys) await putAll(big, [{h, data: {S: 'x'.repeat(390_000)}}]);
  let RequestItems = {[big]: {Keys}};
  let found = 0;
  let calls = 0;
  while (Object.keys(RequestItems ?? {}).length) {
    const {Responses, UnprocessedKeys} = await send(new ddb.BatchGetItemCommand({RequestItems}));
    assert.ok(Responses[big].length > 0);
    found += Responses[big].length;
    RequestItems = UnprocessedKeys;
    ++calls;
  }
  assert.equal(found, 50);
  assert.equal(calls, 2);
});
