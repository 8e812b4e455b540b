// Says where two answers to one operation differ, after what nobody promises has been taken out: the order of sets,
// of scans and of batches, and who wins among items with equal keys in an index.
'use strict';

const {isDeepStrictEqual} = require('node:util');
const {forgiven} = require('./known_differences');

/** Null if there is none; {text} otherwise, with `known` if it is one of known_differences.md. */
function difference(made, schemas, ours, theirs) {
  const left = normalized(made, schemas, ours);
  const right = normalized(made, schemas, theirs);
  // known_differences.md, "noAttributesAreNotReturned".
  if (made.operation === 'UpdateItem' && isDeepStrictEqual(right.Attributes, {})) delete right.Attributes;
  if (isDeepStrictEqual(left, right)) return null;
  if (made.operation === 'TransactWriteItems' && sameTransaction(left, right)) return null;
  const text = `ours:   ${JSON.stringify(left)}\ntheirs: ${JSON.stringify(right)}`;
  return {text, known: forgiven(made, schemas, left, right)};
}

function normalized(made, schemas, {status, body}) {
  if (body.reasons) return {status, reasons: body.reasons.map((reason) => reason && errorType(reason.type))};
  if (status !== 200) {
    const answer = {status, type: errorType(body.__type), message: oldWords(sortedLists(body.message ?? body.Message))};
    if (body.CancellationReasons) answer.reasons = body.CancellationReasons.map(({Code}) => Code);
    return answer;
  }
  const answer = sortedSets(body);
  const reorder = REORDER[made.operation];
  if (reorder) reorder(answer, made, schemas);
  return {status, ...answer};
}

const errorType = (type) => String(type).replace(/^.*#/, '');

// "{#b, #a}" comes from a hash table of AWS's, in any order.
const sortedLists = (message) =>
  String(message).replace(/\{([#:][^{}]*)\}/g, (_, list) => `{${list.split(', ').sort().join(', ')}}`);

// known_differences.md, "wordsThatHaveChanged": how AWS said it before 2026, which dynalite still does.
const oldWords = (message) =>
  message
    .replace(/^1 validation error detected: (?!Value (?:'|null))/, '')
    .replace(/^(ExpressionAttributeValues can only be specified when using expressions): .*$/, '$1')
    .replace(/(One or more parameter values were invalid: Input collection )\[(".*")\](?=(?:of type BS)? contains)/, (_, start, list) =>
      `${start}[${JSON.parse(`[${list}]`).join(', ')}]`,
    )
    .replace(/^ExpressionAttributeValues contains invalid value: (.*) for key :\w+$/, '$1')
    .replace(/(cannot be converted to a numeric value): $/, '$1')
    .replace(/^One or more parameter values were invalid: (Input collection contains duplicates)\.$/, '$1')
    .replace(
      /^One or more parameter values are not valid\. (?=The AttributeValue for a key attribute)/,
      'One or more parameter values were invalid: ',
    )
    .replace(/The function is not allowed in an? [a-z ]*expression; function: /, 'Invalid function name; function: ');

/** A copy of attribute values in which sets are sorted. */
function sortedSets(value) {
  if (Array.isArray(value)) return value.map(sortedSets);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => {
        const member = value[name];
        const isSet = ['SS', 'NS', 'BS'].includes(name) && Array.isArray(member);
        return [name, isSet ? [...member].sort() : sortedSets(member)];
      }),
  );
}

const byText = (a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

const REORDER = {
  Scan(answer, {input}) {
    answer.Items?.sort(byText);
    // Of the last page only, which may hold different items.
    if (answer.pages > 1 || input.TotalSegments) delete answer.ConsumedCapacity;
  },
  Query(answer, {input}, schemas) {
    if (answer.pages > 1) delete answer.ConsumedCapacity;
    if (!input.IndexName || !answer.Items) return;
    const schema = schemas.find(({TableName}) => TableName === input.TableName);
    const index = [...schema.local, ...schema.global].find(({IndexName}) => IndexName === input.IndexName);
    answer.Items = sortedRuns(answer.Items, index.range);
  },
  BatchGetItem(answer) {
    for (const items of Object.values(answer.Responses)) items.sort(byText);
    answer.ConsumedCapacity?.sort(byText);
  },
  BatchWriteItem(answer) {
    answer.ConsumedCapacity?.sort(byText);
  },
  DescribeTable(answer) {
    const {TableName, TableStatus, KeySchema, AttributeDefinitions, ...table} = answer.Table;
    const indexes = (list) =>
      list?.map(({IndexName, KeySchema, Projection}) => ({IndexName, KeySchema, Projection})).sort(byText);
    AttributeDefinitions.sort(byText);
    answer.Table = {
      TableName,
      TableStatus,
      KeySchema,
      AttributeDefinitions,
      local: indexes(table.LocalSecondaryIndexes),
      global: indexes(table.GlobalSecondaryIndexes),
      billing: table.BillingModeSummary?.BillingMode,
    };
  },
};

/** Items that are neighbours because their key in the index is the same, in one order. A projection may hide it. */
function sortedRuns(items, range) {
  if (!range || items.some((item) => !item[range])) return [...items].sort(byText);
  const runs = [];
  for (const item of items) {
    const last = runs[runs.length - 1];
    if (last && isDeepStrictEqual(last[0][range], item[range])) last.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => run.sort(byText));
}

/** dynalite's side has the outcome of each operation, ours the reasons of the whole. */
function sameTransaction(ours, theirs) {
  if (ours.status !== theirs.status || !theirs.reasons) return false;
  // What can be seen without the items is refused before any condition is looked at.
  if (ours.type === 'ValidationException') return theirs.reasons.includes('ValidationException');
  const expected = theirs.reasons.map(
    (type) =>
      ({null: 'None', ConditionalCheckFailedException: 'ConditionalCheckFailed', ValidationException: 'ValidationError'})[
        type
      ],
  );
  if (ours.type !== 'TransactionCanceledException') return false;
  // Of actions that don't fit their tables, the first is named, and no condition is looked at.
  const first = expected.indexOf('ValidationError');
  const onlyFirst = expected.map((_, at) => (at === first ? 'ValidationError' : 'None'));
  return isDeepStrictEqual(ours.reasons, expected) || isDeepStrictEqual(ours.reasons, onlyFirst);
}

module.exports = {difference};
