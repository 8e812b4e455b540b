// Tables and operations at random, as JSON that can be printed and sent again.
//
// An operation is {operation, input}, and for reads that come in pages {..., drain: true}: all pages are read and
// compared as one, since where a page ends among equals is nobody's promise.
'use strict';

const {ExpressionWriter, onlyTakesAway} = require('./expressions');
const {LegacyWriter} = require('./legacy');
const {Values} = require('./values');
const {spoil} = require('./mistakes');

const INDEX_KEYS = {gs: 'S', gn: 'N', gb: 'B'};

/** A table's keys and indexes: {TableName, hash: [name, type], range, local: [...], global: [...]}. */
function makeSchema(random, name) {
  const type = () => random.oneOf(['S', 'N', 'B']);
  const schema = {TableName: name, hash: ['h', type()], range: null, local: [], global: []};
  if (random.chance(0.65)) schema.range = ['r', type()];
  const projection = () =>
    random.oneOf([
      {ProjectionType: 'ALL'},
      {ProjectionType: 'KEYS_ONLY'},
      {ProjectionType: 'INCLUDE', NonKeyAttributes: ['s1', 'm1']},
    ]);
  if (schema.range && random.chance(0.5)) {
    for (const key of random.some(Object.keys(INDEX_KEYS), 1, 2)) {
      schema.local.push({IndexName: `local-${key}`, hash: 'h', range: key, Projection: projection()});
    }
  }
  if (random.chance(0.6)) {
    for (const [hash, range] of random.some([['gs', 'gn'], ['gn', null], ['gb', 'gs'], ['gs', 'h']], 1, 2)) {
      schema.global.push({IndexName: `global-${hash}-${range}`, hash, range, Projection: projection()});
    }
  }
  return schema;
}

const keyTypes = (schema) => ({
  ...INDEX_KEYS,
  [schema.hash[0]]: schema.hash[1],
  ...(schema.range ? {[schema.range[0]]: schema.range[1]} : {}),
});

function createTable(schema, random) {
  const types = keyTypes(schema);
  const used = new Set();
  const keySchema = (hash, range) => {
    used.add(hash);
    if (range) used.add(range);
    return [
      {AttributeName: hash, KeyType: 'HASH'},
      ...(range ? [{AttributeName: range, KeyType: 'RANGE'}] : []),
    ];
  };
  const throughput = {ReadCapacityUnits: 10, WriteCapacityUnits: 10};
  const provisioned = random.chance(0.5);
  const index = ({IndexName, hash, range, Projection}) => ({IndexName, KeySchema: keySchema(hash, range), Projection});
  const input = {TableName: schema.TableName, KeySchema: keySchema('h', schema.range && 'r')};
  if (schema.local.length) input.LocalSecondaryIndexes = schema.local.map(index);
  if (schema.global.length) {
    input.GlobalSecondaryIndexes = schema.global.map((global) => ({
      ...index(global),
      ...(provisioned ? {ProvisionedThroughput: throughput} : {}),
    }));
  }
  Object.assign(input, provisioned ? {ProvisionedThroughput: throughput} : {BillingMode: 'PAY_PER_REQUEST'});
  input.AttributeDefinitions = [...used].map((name) => ({AttributeName: name, AttributeType: types[name]}));
  return {operation: 'CreateTable', input};
}

/** Lets an update that would make no item find one: dynalite would make it. */
function wantItem(input, schema) {
  if (input.UpdateExpression === undefined || !onlyTakesAway(input.UpdateExpression)) return;
  const exists = `attribute_exists(${schema.hash[0]})`;
  input.ConditionExpression = input.ConditionExpression ? `${exists} AND (${input.ConditionExpression})` : exists;
}

class OperationMaker {
  constructor(random, schemas) {
    this.random = random;
    this.schemas = schemas;
    this.values = new Values(random);
    this.legacy = new LegacyWriter(random, this.values);
  }

  make() {
    const made = this.random.weighted([
      [30, () => this.putItem()],
      [30, () => this.updateItem()],
      [8, () => this.deleteItem()],
      [10, () => this.getItem()],
      [18, () => this.query()],
      [7, () => this.scan()],
      [4, () => this.batchWriteItem()],
      [4, () => this.batchGetItem()],
      [4, () => this.transactWriteItems()],
      [2, () => this.transactGetItems()],
      [20, () => this.legacyOperation()],
      [1, () => ({operation: 'DescribeTable', input: {TableName: this.schema().TableName}})],
    ])();
    // Emulated on the other side, where mistakes have other words.
    const emulated = made.operation.startsWith('Transact');
    return !emulated && this.random.chance(0.08) ? spoil(this.random, made) : made;
  }

  schema() {
    return this.random.oneOf(this.schemas);
  }

  writer() {
    return new ExpressionWriter(this.random, this.values);
  }

  key(schema) {
    const key = {[schema.hash[0]]: this.values.key(schema.hash[1])};
    if (schema.range) key[schema.range[0]] = this.values.key(schema.range[1]);
    return key;
  }

  indexKeysOf(schema) {
    const names = [...schema.local, ...schema.global].flatMap(({hash, range}) => [hash, range]);
    return Object.fromEntries(names.filter((name) => name in INDEX_KEYS).map((name) => [name, INDEX_KEYS[name]]));
  }

  item(schema) {
    const item = {...this.values.attributes(), ...this.key(schema)};
    for (const [name, type] of Object.entries(this.indexKeysOf(schema))) {
      if (this.random.chance(0.7)) item[name] = this.values.key(this.random.chance(0.98) ? type : 'N');
    }
    return item;
  }

  capacity() {
    const wanted = this.random.weighted([[7, null], [2, 'TOTAL'], [2, 'INDEXES'], [1, 'NONE']]);
    return wanted ? {ReturnConsumedCapacity: wanted} : {};
  }

  conditional(writer, probability) {
    if (!this.random.chance(probability)) return {};
    return {ConditionExpression: writer.condition()};
  }

  returnValues(choices) {
    return this.random.chance(0.5) ? {ReturnValues: this.random.oneOf(choices)} : {};
  }

  putItem() {
    const schema = this.schema();
    const writer = this.writer();
    const condition = this.conditional(writer, 0.4);
    const input = {
      TableName: schema.TableName,
      Item: this.item(schema),
      ...condition,
      ...writer.placeholders(condition.ConditionExpression),
      ...this.returnValues(['NONE', 'ALL_OLD']),
      ...this.capacity(),
    };
    return {operation: 'PutItem', input};
  }

  updateItem() {
    const schema = this.schema();
    const writer = this.writer();
    const input = {TableName: schema.TableName, Key: this.key(schema)};
    if (this.random.chance(0.97)) input.UpdateExpression = writer.update(this.indexKeysOf(schema));
    Object.assign(input, this.conditional(writer, 0.3));
    wantItem(input, schema);
    Object.assign(input, writer.placeholders(input.UpdateExpression, input.ConditionExpression));
    Object.assign(input, this.returnValues(['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']));
    Object.assign(input, this.capacity());
    return {operation: 'UpdateItem', input};
  }

  deleteItem() {
    const schema = this.schema();
    const writer = this.writer();
    const condition = this.conditional(writer, 0.4);
    const input = {
      TableName: schema.TableName,
      Key: this.key(schema),
      ...condition,
      ...writer.placeholders(condition.ConditionExpression),
      ...this.returnValues(['NONE', 'ALL_OLD']),
      ...this.capacity(),
    };
    return {operation: 'DeleteItem', input};
  }

  projected(writer, probability) {
    return this.random.chance(probability) ? {ProjectionExpression: writer.projection()} : {};
  }

  getItem() {
    const schema = this.schema();
    const writer = this.writer();
    const projection = this.projected(writer, 0.4);
    const input = {
      TableName: schema.TableName,
      Key: this.key(schema),
      ...projection,
      ...writer.placeholders(projection.ProjectionExpression),
      ...(this.random.chance(0.5) ? {ConsistentRead: this.random.chance(0.5)} : {}),
      ...this.capacity(),
    };
    return {operation: 'GetItem', input};
  }

  /** What Query and Scan have in common. */
  reading(schema, index, writer) {
    const random = this.random;
    const input = {TableName: schema.TableName};
    if (index) input.IndexName = index.IndexName;
    if (random.chance(0.3)) input.FilterExpression = writer.condition();
    Object.assign(input, this.projected(writer, 0.25));
    if (random.chance(0.15) && !input.ProjectionExpression) {
      input.Select = random.oneOf(['COUNT', 'ALL_ATTRIBUTES', ...(index ? ['ALL_PROJECTED_ATTRIBUTES'] : [])]);
    }
    return Object.assign(input, this.capacity());
  }

  query() {
    const random = this.random;
    const schema = this.schema();
    const index = random.chance(0.5) ? random.oneOf([...schema.local, ...schema.global]) : undefined;
    const writer = this.writer();
    const input = this.reading(schema, index, writer);
    const types = keyTypes(schema);
    const hash = index ? index.hash : schema.hash[0];
    const range = index ? index.range : schema.range?.[0];
    input.KeyConditionExpression = this.keyCondition(writer, [hash, types[hash]], range && [range, types[range]]);
    if (random.chance(0.4)) input.ScanIndexForward = random.chance(0.4);
    // Not of a scan: dynalite does not know it there.
    if (random.chance(0.2)) input.ConsistentRead = random.chance(0.5);
    Object.assign(
      input,
      writer.placeholders(input.KeyConditionExpression, input.FilterExpression, input.ProjectionExpression),
    );
    if (random.chance(0.3)) {
      input.Limit = 1 + random.below(4);
      return {operation: 'Query', input, drain: true};
    }
    if (!index && random.chance(0.1)) {
      input.ExclusiveStartKey = this.key(schema);
      // Of the partition that is asked for, mostly.
      const [, placeholder] = /= (:v\d+)/.exec(input.KeyConditionExpression) ?? [];
      if (placeholder && random.chance(0.9)) {
        input.ExclusiveStartKey[schema.hash[0]] = input.ExpressionAttributeValues[placeholder];
      }
    }
    return {operation: 'Query', input};
  }

  keyCondition(writer, [hash, hashType], range) {
    const random = this.random;
    const equal = `${writer.name(hash)} = ${writer.value(this.values.key(hashType))}`;
    if (!range || random.chance(0.35)) return random.chance(0.95) ? equal : `(${equal})`;
    const [name, type] = range;
    const operand = () => writer.value(this.values.key(random.chance(0.98) ? type : 'S'));
    const text = writer.name(name);
    const condition = random.weighted([
      [6, () => `${text} ${random.oneOf(['=', '<', '<=', '>', '>='])} ${operand()}`],
      [2, () => `${text} BETWEEN ${operand()} AND ${operand()}`],
      [type === 'N' ? 0.1 : 2, () => `begins_with(${text}, ${operand()})`],
      [1, () => `${operand()} ${random.oneOf(['=', '<', '<=', '>', '>='])} ${text}`],
    ])();
    return random.chance(0.9) ? `${equal} AND ${condition}` : `${condition} AND ${equal}`;
  }

  scan() {
    const random = this.random;
    const schema = this.schema();
    const index = random.chance(0.4) ? random.oneOf([...schema.local, ...schema.global]) : undefined;
    const writer = this.writer();
    const input = this.reading(schema, index, writer);
    Object.assign(input, writer.placeholders(input.FilterExpression, input.ProjectionExpression));
    if (random.chance(0.4)) input.Limit = 1 + random.below(6);
    if (random.chance(0.25)) {
      input.TotalSegments = 1 + random.below(4);
      // All of them are read: which item is in which is nobody's promise.
      return {operation: 'Scan', input: {...input, Segment: 0}, drain: true};
    }
    return {operation: 'Scan', input, drain: true};
  }

  /** Different keys of one table, mostly. */
  keys(schema, most) {
    const keys = Array.from({length: 1 + this.random.below(most)}, () => this.key(schema));
    if (this.random.chance(0.05)) return keys;
    const seen = new Set();
    return keys.filter((key) => {
      // By value: 1.50 and 1.5 are one number.
      const text = JSON.stringify(key, (name, value) => (name === 'N' ? Number(value) : value));
      return !seen.has(text) && seen.add(text);
    });
  }

  batchWriteItem() {
    const schemas = this.random.some(this.schemas, 1, this.schemas.length);
    const RequestItems = {};
    for (const schema of schemas) {
      RequestItems[schema.TableName] = this.keys(schema, 8).map((key) =>
        this.random.chance(0.7)
          ? {PutRequest: {Item: {...this.item(schema), ...key}}}
          : {DeleteRequest: {Key: key}},
      );
    }
    return {operation: 'BatchWriteItem', input: {RequestItems, ...this.capacity()}};
  }

  batchGetItem() {
    const schemas = this.random.some(this.schemas, 1, this.schemas.length);
    const RequestItems = {};
    for (const schema of schemas) {
      const writer = this.writer();
      const projection = this.projected(writer, 0.3);
      const {ExpressionAttributeNames} = writer.placeholders(projection.ProjectionExpression);
      RequestItems[schema.TableName] = {
        Keys: this.keys(schema, 8),
        ...projection,
        ...(ExpressionAttributeNames ? {ExpressionAttributeNames} : {}),
        ...(this.random.chance(0.3) ? {ConsistentRead: true} : {}),
      };
    }
    return {operation: 'BatchGetItem', input: {RequestItems, ...this.capacity()}};
  }

  /** With the parameters from before expressions. */
  legacyOperation() {
    const {random, legacy} = this;
    const schema = this.schema();
    const expected = () => (random.chance(0.6) ? legacy.joined('Expected', legacy.expected()) : {});
    const attributes = (probability) => (random.chance(probability) ? {AttributesToGet: legacy.attributesToGet()} : {});
    const {TableName} = schema;
    return random.weighted([
      [3, () => {
        const input = {TableName, Item: this.item(schema), ...expected(), ...this.returnValues(['NONE', 'ALL_OLD'])};
        return {operation: 'PutItem', input};
      }],
      [6, () => {
        const input = {TableName, Key: this.key(schema), AttributeUpdates: legacy.updates(), ...expected()};
        Object.assign(input, this.returnValues(['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']));
        return {operation: 'UpdateItem', input};
      }],
      [1, () => ({operation: 'DeleteItem', input: {TableName, Key: this.key(schema), ...expected()}})],
      [2, () => ({operation: 'GetItem', input: {TableName, Key: this.key(schema), ...attributes(0.9)}})],
      [1, () => ({
        operation: 'BatchGetItem',
        input: {RequestItems: {[TableName]: {Keys: this.keys(schema, 5), ...attributes(0.9)}}},
      })],
      [5, () => this.legacyQuery(schema, attributes(0.3))],
      [3, () => {
        const filter = random.chance(0.8) ? legacy.joined('ScanFilter', legacy.filter()) : {};
        return {operation: 'Scan', input: {TableName, ...filter, ...attributes(0.3)}, drain: true};
      }],
    ])();
  }

  legacyQuery(schema, attributes) {
    const {random, legacy} = this;
    const index = random.chance(0.4) ? random.oneOf([...schema.local, ...schema.global]) : undefined;
    const types = keyTypes(schema);
    const hash = index ? index.hash : schema.hash[0];
    const range = index ? index.range : schema.range?.[0];
    const input = {
      TableName: schema.TableName,
      ...(index ? {IndexName: index.IndexName} : {}),
      KeyConditions: legacy.keyConditions([hash, types[hash]], range && [range, types[range]]),
      ...attributes,
      ...(random.chance(0.4) ? legacy.joined('QueryFilter', legacy.filter()) : {}),
      ...(random.chance(0.3) ? {ScanIndexForward: random.chance(0.5)} : {}),
    };
    if (!input.AttributesToGet && !input.QueryFilter && random.chance(0.2)) {
      const writer = this.writer();
      input.FilterExpression = writer.condition();
      Object.assign(input, writer.placeholders(input.FilterExpression));
    }
    return {operation: 'Query', input, drain: true};
  }

  transactWriteItems() {
    const TransactItems = [];
    for (const schema of this.random.some(this.schemas, 1, this.schemas.length)) {
      for (const key of this.distinctKeys(schema, 2)) TransactItems.push(this.transactWrite(schema, key));
    }
    return {operation: 'TransactWriteItems', input: {TransactItems: this.random.shuffled(TransactItems)}};
  }

  distinctKeys(schema, most) {
    for (;;) {
      const keys = this.keys(schema, most);
      const texts = keys.map((key) => JSON.stringify(key, (name, value) => (name === 'N' ? Number(value) : value)));
      if (new Set(texts).size === keys.length) return keys;
    }
  }

  transactWrite(schema, key) {
    const {random} = this;
    const {TableName} = schema;
    const writer = this.writer();
    const condition = this.conditional(writer, 0.15);
    const kind = random.oneOf(['Put', 'Put', 'Update', 'Delete', 'ConditionCheck']);
    if (kind === 'Put') {
      const Item = {...this.item(schema), ...key};
      return {Put: {TableName, Item, ...condition, ...writer.placeholders(condition.ConditionExpression)}};
    }
    const input = {TableName, Key: key, ...condition};
    if (kind === 'ConditionCheck') input.ConditionExpression ??= writer.condition();
    if (kind === 'Update') input.UpdateExpression = writer.update(this.indexKeysOf(schema));
    wantItem(input, schema);
    Object.assign(input, writer.placeholders(input.ConditionExpression, input.UpdateExpression));
    return {[kind]: input};
  }

  transactGetItems() {
    const TransactItems = [];
    for (const schema of this.schemas) {
      for (const Key of this.distinctKeys(schema, 3)) TransactItems.push({Get: {TableName: schema.TableName, Key}});
    }
    return {operation: 'TransactGetItems', input: {TransactItems}};
  }
}

module.exports = {makeSchema, createTable, OperationMaker};
