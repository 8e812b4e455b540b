// Performs an operation on one of the two sides and brings the answer into a form that can be compared.
'use strict';

const MAX_SEGMENTS = 1000000;

/** What `operation` (see operations.js) comes to: {status, body}. */
async function perform(client, made) {
  if (made.drain) return drain(client, made);
  return client.call(made.operation, made.input);
}

/** All pages of all segments as one answer. The first error ends it. */
async function drain(client, {operation, input}) {
  const whole = {Items: [], Count: 0, ScannedCount: 0, pages: 0};
  const {Segment, TotalSegments} = input;
  const isWhole = Segment === 0 && TotalSegments >= 1 && TotalSegments <= MAX_SEGMENTS;
  // What AWS refuses is asked once.
  const segments = isWhole && Number.isInteger(TotalSegments) ? TotalSegments : 1;
  for (let segment = 0; segment < segments; ++segment) {
    const page = {...input};
    if (segments > 1) page.Segment = segment;
    for (;;) {
      const answer = await client.call(operation, page);
      if (answer.status !== 200) return answer;
      add(whole, answer.body);
      if (!answer.body.LastEvaluatedKey) break;
      page.ExclusiveStartKey = answer.body.LastEvaluatedKey;
    }
  }
  if (input.Select === 'COUNT') delete whole.Items;
  return {status: 200, body: whole};
}

function add(whole, {Items, Count, ScannedCount, ConsumedCapacity}) {
  whole.Items.push(...(Items ?? []));
  whole.Count += Count;
  whole.ScannedCount += ScannedCount;
  whole.pages += 1;
  if (ConsumedCapacity) whole.ConsumedCapacity = ConsumedCapacity;
}

/**
 * The same on dynalite, which has no transactions: there they are single operations, taken back if one fails. That
 * their outcomes don't depend on each other is because no two touch the same item.
 */
async function performOnDynalite(client, made) {
  if (made.operation === 'TransactGetItems') return transactGet(client, made.input);
  if (made.operation === 'TransactWriteItems') return transactWrite(client, made.input);
  return perform(client, made);
}

async function transactGet(client, {TransactItems}) {
  const Responses = [];
  for (const {Get} of TransactItems) {
    const {status, body} = await client.call('GetItem', {...Get, ConsistentRead: true});
    if (status !== 200) return {status, body};
    Responses.push(body.Item ? {Item: body.Item} : {});
  }
  return {status: 200, body: {Responses}};
}

async function transactWrite(client, {TransactItems}) {
  const before = [];
  const reasons = [];
  for (const item of TransactItems) {
    const [[kind, input]] = Object.entries(item);
    const Key = input.Key ?? keyOf(input.Item);
    const found = await client.call('GetItem', {TableName: input.TableName, Key, ConsistentRead: true});
    // A check is a deletion that is taken back.
    const operation = {Put: 'PutItem', Update: 'UpdateItem', Delete: 'DeleteItem', ConditionCheck: 'DeleteItem'}[kind];
    const {status, body} = await client.call(operation, input);
    before.push({TableName: input.TableName, Key, Item: found.body.Item, kind});
    reasons.push(status === 200 ? null : {type: body.__type, message: body.message});
  }
  const failed = reasons.some(Boolean);
  for (const {TableName, Key, Item, kind} of before) {
    if (!failed && kind !== 'ConditionCheck') continue;
    if (Item) await client.call('PutItem', {TableName, Item});
    else await client.call('DeleteItem', {TableName, Key});
  }
  return failed ? {status: 400, body: {reasons}} : {status: 200, body: {}};
}

const keyOf = ({h, r}) => (r ? {h, r} : {h});

module.exports = {perform, performOnDynalite};
