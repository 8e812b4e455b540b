// util.dynamodb, util.transform's expressions for DynamoDB, and the module @aws-appsync/utils/dynamodb.

function toDynamoDB(value) {
  switch (typeof value) {
    case 'string': return {S: value};
    case 'number': return {N: value};
    case 'boolean': return {BOOL: value};
    default:
  }
  if (isArray(value)) return {L: value.map(toDynamoDB)};
  return isObject(value) ? {M: toMapValues(value)} : {NULL: null};
}

function toMapValues(object) {
  if (!isObject(object)) return null;
  const values = {};
  for (const name of keys(object)) values[name] = toDynamoDB(object[name]);
  return values;
}

// A converter to one type, which gives null for null.
const typed = (type) => (value) => isNothing(value) ? null : {[type]: value};

const toStringSet = typed('SS');
const toNumberSet = typed('NS');
const toBinarySet = typed('BS');

const utilDynamodb = {
  toDynamoDB,
  toString: typed('S'),
  toStringSet,
  toNumber: typed('N'),
  toNumberSet,
  toBinary: typed('B'),
  toBinarySet,
  toBoolean: typed('BOOL'),
  toNull: () => ({NULL: null}),
  toList: (list) => isArray(list) ? toDynamoDB(list) : null,
  toMap: (map) => isObject(map) ? toDynamoDB(map) : null,
  toMapValues,
  toS3Object: (key, bucket, region, version) => ({
    S: toJson({s3: {key, bucket, region, ...isNothing(version) ? {} : {version}}})}),
  fromS3ObjectJson: (text) => fromJson(text).s3,
};

// Expressions of filters and conditions.

const COMPARISONS = {eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>='};
const FUNCTIONS = {contains: 'contains', notContains: 'NOT contains', beginsWith: 'begins_with'};
const ATTRIBUTE_TYPES = {
  _null: 'NULL', string: 'S', stringSet: 'SS', number: 'N', numberSet: 'NS', binary: 'B', binarySet: 'BS',
  boolean: 'BOOL', list: 'L', map: 'M'};

// An expression that can't be rendered.
const UNRENDERABLE = new Signal('unrenderable');

const combine = (terms, operator) => terms.length > 1 ? `(${terms.join(` ${operator} `)})` : terms.join('');

class ExpressionWriter {
  constructor() {
    this.names = {};
    this.values = {};
  }

  value(name, value) {
    this.values[name] = toDynamoDB(value);
    return name;
  }

  // One operator on `left`, such as "#a" or "size(#a)"; `name` begins the names of values.
  operator(left, name, operator, operand) {
    if (hasOwn(COMPARISONS, operator)) {
      return `(${left} ${COMPARISONS[operator]} ${this.value(`${name}_${operator}`, operand)})`;
    }
    if (operator === 'between') {
      if (!isArray(operand) || operand.length < 2) throw UNRENDERABLE;
      const from = this.value(`${name}_between_start`, operand[0]);
      return `(${left} BETWEEN ${from} AND ${this.value(`${name}_between_end`, operand[1])})`;
    }
    throw UNRENDERABLE;
  }

  // The operators of a field, each as a term.
  fieldOperator(left, name, operator, operand) {
    if (hasOwn(FUNCTIONS, operator)) {
      return `(${FUNCTIONS[operator]}(${left},${this.value(`${name}_${operator}`, operand)}))`;
    }
    switch (operator) {
      case 'in': {
        if (!isArray(operand)) throw UNRENDERABLE;
        const values = operand.map((element, i) => this.value(`${name}_in_${i}`, element));
        return `(${left} IN (${values.join(', ')}))`;
      }
      case 'attributeExists':
        if (typeof operand !== 'boolean') throw UNRENDERABLE;
        return `(${operand ? 'attribute_exists' : 'attribute_not_exists'}(${left}))`;
      case 'attributeType':
        if (!hasOwn(ATTRIBUTE_TYPES, operand)) throw UNRENDERABLE;
        return `(attribute_type(${left},${this.value(`${name}_attributeType`, ATTRIBUTE_TYPES[operand])}))`;
      case 'size': {
        if (!isObject(operand)) throw UNRENDERABLE;
        const terms = entries(operand).map(([inner, value]) =>
          this.operator(`size(${left})`, `${name}_size`, inner, value));
        return combine(terms, 'AND');
      }
      default:
        return this.operator(left, name, operator, operand);
    }
  }

  group(elements, prefix, operator) {
    if (!isArray(elements)) throw UNRENDERABLE;
    const terms = [];
    for (let i = 0; i < elements.length; ++i) {
      const term = combine(this.terms(elements[i], `${prefix}_${i}_`), 'AND');
      if (term !== '') terms.push(term);
    }
    return combine(terms, operator);
  }

  // All operators of a field, as one term.
  field(name, prefix, operand) {
    if (!isObject(operand)) throw UNRENDERABLE;
    const left = `#${name}`;
    this.names[left] = name;
    const terms = [];
    for (const operator of keys(operand)) {
      terms.push(this.fieldOperator(left, `:${prefix}${name}`, operator, operand[operator]));
    }
    return combine(terms, 'AND');
  }

  // What must hold, each as a term.
  terms(object, prefix) {
    if (!isObject(object)) throw UNRENDERABLE;
    const terms = [];
    for (const key of keys(object)) {
      const operand = object[key];
      const term = key === 'and' ? this.group(operand, `${prefix}and`, 'AND') :
        key === 'or' ? this.group(operand, `${prefix}or`, 'OR') :
        key === 'not' ? `(NOT ${combine(this.terms(operand, `${prefix}not_`), 'AND')})` :
        this.field(key, prefix, operand);
      if (term !== '') terms.push(term);
    }
    return terms;
  }
}

// {expression, expressionNames, expressionValues}; null for what can't be rendered.
function toExpression(object) {
  const writer = new ExpressionWriter();
  try {
    const expression = writer.terms(object, '').join(' AND ');
    return {expression, expressionNames: writer.names, expressionValues: writer.values};
  } catch (error) {
    if (error !== UNRENDERABLE) throw error;
    return null;
  }
}

function toExpressionText(object) {
  const expression = toExpression(object);
  return expression === null ? null : toJson(expression);
}

// The module.

// Placeholders #expName_1, :expValue_1 and so on.
class Placeholders {
  constructor() {
    this.names = {};
    this.values = {};
    this.nameCount = 0;
    this.valueCount = 0;
    this.byName = new Map();
  }

  name(name) {
    let placeholder = this.byName.get(name);
    if (placeholder === undefined) {
      placeholder = `#expName_${++this.nameCount}`;
      this.byName.set(name, placeholder);
      this.names[placeholder] = name;
    }
    return placeholder;
  }

  path(names) {
    let text = this.name(names[0]);
    for (let i = 1; i < names.length; ++i) text += `.${this.name(names[i])}`;
    return text;
  }

  value(value) {
    const placeholder = `:expValue_${++this.valueCount}`;
    this.values[placeholder] = toDynamoDB(value);
    return placeholder;
  }
}

function toProjection(paths) {
  const placeholders = new Placeholders();
  const expression = paths.map((path) => placeholders.path(path.split('.'))).join(', ');
  return {expression, expressionNames: placeholders.names};
}

// Without values if there are none.
function toCondition(object) {
  const condition = toExpression(object);
  if (condition !== null && keys(condition.expressionValues).length === 0) delete condition.expressionValues;
  return condition;
}

const OPERATION = 'OPERATION_';
const isOperation = (value) => isObject(value) && typeof value.type === 'string' && value.type.startsWith(OPERATION);

const operations = {
  add: (value) => ({type: `${OPERATION}ADD`, value}),
  remove: () => ({type: `${OPERATION}REMOVE`}),
  replace: (value) => ({type: `${OPERATION}REPLACE`, value}),
  increment: (by = 1) => ({type: `${OPERATION}INCREMENT`, by}),
  decrement: (by = 1) => ({type: `${OPERATION}DECREMENT`, by}),
  append: (items) => ({type: `${OPERATION}APPEND`, items}),
  prepend: (items) => ({type: `${OPERATION}PREPEND`, items}),
  updateListItem: (value, index) => ({type: `${OPERATION}UPDATE_LIST_ITEM`, value, index}),
};
const UPDATE_LIST_ITEM = `${OPERATION}UPDATE_LIST_ITEM`;

// How a SET action writes `path`, by operation.
const SET_ACTIONS = {
  ADD: (path, operation, placeholders) => `${path} = ${placeholders.value(operation.value)}`,
  REPLACE: (path, operation, placeholders) => `${path} = ${placeholders.value(operation.value)}`,
  INCREMENT: (path, operation, placeholders) => `${path} = ${path} + ${placeholders.value(operation.by)}`,
  DECREMENT: (path, operation, placeholders) => `${path} = ${path} - ${placeholders.value(operation.by)}`,
  APPEND: (path, operation, placeholders) => `${path} = list_append(${path}, ${placeholders.value(operation.items)})`,
  PREPEND: (path, operation, placeholders) => `${path} = list_append(${placeholders.value(operation.items)}, ${path})`,
  UPDATE_LIST_ITEM: (path, operation, placeholders) =>
    `${path}[${operation.index}] = ${placeholders.value(operation.value)}`,
};

class UpdateWriter {
  constructor() {
    this.placeholders = new Placeholders();
    this.sets = [];
    // Paths. They get their names after those that are set.
    this.removed = [];
  }

  write(path, operation) {
    const kind = operation.type.slice(OPERATION.length);
    if (kind === 'REMOVE') {
      this.removed.push(path);
    } else if (hasOwn(SET_ACTIONS, kind)) {
      this.sets.push(SET_ACTIONS[kind](this.placeholders.path(path), operation, this.placeholders));
    }
  }

  // A map updates its members.
  writeAll(update, names) {
    for (const key of keys(update)) {
      const value = update[key];
      const path = names === undefined ? [key] : [...names, key];
      if (isArray(value) && value.length > 0 && value.every((item) => item?.type === UPDATE_LIST_ITEM)) {
        for (const operation of value) this.write(path, operation);
      } else if (!isObject(value)) {
        this.sets.push(`${this.placeholders.path(path)} = ${this.placeholders.value(value)}`);
      } else if (isOperation(value)) {
        this.write(path, value);
      } else if (keys(value).length > 0) {
        this.writeAll(value, path);
      } else {
        this.write(path, operations.replace(value));
      }
    }
  }
}

function toUpdate(update) {
  const writer = new UpdateWriter();
  writer.writeAll(update, undefined);
  const {placeholders, sets} = writer;
  const removes = writer.removed.map((path) => placeholders.path(path));
  let expression = sets.length > 0 ? `SET ${sets.join(', ')}` : '';
  if (removes.length > 0) expression += `${expression === '' ? '' : ' '}REMOVE ${removes.join(', ')}`;
  return {expression, expressionNames: placeholders.names, expressionValues: placeholders.values};
}

const WRITE_OPTIONS = ['customPartitionKey', 'populateIndexFields', '_version'];
const READ_OPTIONS = ['index', 'limit', 'nextToken', 'consistentRead', 'totalSegments', 'segment', 'select',
  'scanIndexForward'];

// The members of requests that several have.
function toRequest(operation, payload, options) {
  if (!isObject(payload)) throw new Error('Expected payload to be an Object.');
  const request = {operation};
  if (!isNothing(payload.key)) request.key = toMapValues(payload.key);
  for (const name of options) {
    if (payload[name] !== undefined) request[name] = payload[name];
  }
  if (!isNothing(payload.projection)) request.projection = toProjection(payload.projection);
  if (!isNothing(payload.filter)) request.filter = toCondition(payload.filter);
  if (!isNothing(payload.condition)) request.condition = toCondition(payload.condition);
  return request;
}

function mapTables(operation, {tables}, convert) {
  const converted = {};
  for (const name of keys(tables)) converted[name] = convert(tables[name]);
  return {operation, tables: converted};
}

const ddbPut = (payload) => {
  const request = toRequest('PutItem', payload, WRITE_OPTIONS);
  request.attributeValues = toMapValues(payload.item);
  return request;
};
const ddbUpdate = (payload) => {
  const request = toRequest('UpdateItem', payload, WRITE_OPTIONS);
  request.update = toUpdate(payload.update);
  return request;
};
const ddbRemove = (payload) => toRequest('DeleteItem', payload, WRITE_OPTIONS);

function toTransactWriteItem(item) {
  const convert = {
    putItem: ddbPut, updateItem: ddbUpdate, deleteItem: ddbRemove,
    conditionCheck: (payload) => toRequest('ConditionCheck', payload, [])};
  const kind = keys(convert).find((name) => isObject(item?.[name]));
  if (kind === undefined) throw new Error(`Unsupported item of transactWrite: ${jsonOf(item)}`);
  return {table: item[kind].table, ...convert[kind](item[kind])};
}

const dynamodbModule = {
  get: (payload) => toRequest('GetItem', payload, ['consistentRead']),
  put: ddbPut,
  update: ddbUpdate,
  remove: ddbRemove,
  query: (payload) => {
    const request = toRequest('Query', payload, READ_OPTIONS);
    request.query = toCondition(payload.query);
    return request;
  },
  scan: (payload) => toRequest('Scan', payload, READ_OPTIONS),
  sync: (payload) =>
    toRequest('Sync', payload, ['basePartitionKey', 'deltaIndexName', 'limit', 'nextToken', 'lastSync']),
  batchGet: (payload) => mapTables('BatchGetItem', payload, (table) => ({
    keys: table.keys.map(toMapValues), ...pick(table, ['consistentRead']),
    ...isNothing(table.projection) ? {} : {projection: toProjection(table.projection)}})),
  batchPut: (payload) => mapTables('BatchPutItem', payload, (items) => items.map(toMapValues)),
  batchDelete: (payload) => mapTables('BatchDeleteItem', payload, (items) => items.map(toMapValues)),
  transactGet: ({items}) => ({
    operation: 'TransactGetItems',
    transactItems: items.map(({table, key, projection}) => ({
      table, key: toMapValues(key), ...isNothing(projection) ? {} : {projection: toProjection(projection)}}))}),
  transactWrite: ({items}) => ({operation: 'TransactWriteItems', transactItems: items.map(toTransactWriteItem)}),
  toStringSet,
  toNumberSet,
  toBinarySet,
  operations,
};
