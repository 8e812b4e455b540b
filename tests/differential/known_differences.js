// Where dynalite is known to differ from AWS, one narrow rule each. known_differences.md says why we are right.
'use strict';

const {isDeepStrictEqual} = require('node:util');

const without = (object, ...names) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

const hasIndexes = (schemas) => schemas.some(({local, global}) => local.length + global.length > 0);

const indexOf = ({input}, schemas, kind) =>
  schemas
    .find(({TableName}) => TableName === input.TableName)
    ?.[kind].find(({IndexName}) => IndexName === input.IndexName);

const isRead = ({operation}) => ['Query', 'Scan'].includes(operation);

// A request with two of these has two mistakes.
const MISTAKES_IN_ANY_ORDER = {
  UpdateItem: [
    /^The provided expression refers to an attribute that does not exist in the item$/,
    /^The document path provided in the update expression is invalid for update$/,
    /^An operand in the update expression has an incorrect data type$/,
    /^The update expression attempted to update the secondary index key to unsupported type$/,
  ],
  BatchGetItem: [
    /^Provided list of item keys contains duplicates$/,
    /^Invalid ProjectionExpression: Two document paths (overlap|conflict) with each other; /,
  ],
  BatchWriteItem: [
    /^Provided list of item keys contains duplicates$/,
    /^One or more parameter values were invalid: Type mismatch for Index Key /,
  ],
};

// Likewise: the members of a JSON object have no order.
const LEGACY_MISTAKES = [
  /^One or more parameter values were invalid: .* for Attribute: /,
  /^One or more parameter values were invalid: (Invalid number of argument|ComparisonOperator \w+ is not valid|AttributeValues inside)/,
  /^One or more parameter values were invalid: (Only DELETE action|(ADD|DELETE) action )/,
  /^The BETWEEN condition was provided a range where the lower bound is greater than the upper bound$/,
  /^(Supplied AttributeValue is empty|The parameter cannot be converted to a numeric value)/,
  /^One or more parameter values were invalid: An string set  may not be empty$/,
  /^The provided starting key is invalid: /,
];
const hasLegacyParameters = ({Expected, AttributeUpdates, KeyConditions, QueryFilter, ScanFilter}) =>
  [Expected, AttributeUpdates, KeyConditions, QueryFilter, ScanFilter].some((value) => value !== undefined);

/** What is wrong with a read's Select beside its other parameters, as AWS says it. */
function mistakeOfSelect({Select, ProjectionExpression, AttributesToGet, IndexName}) {
  const projects = ProjectionExpression !== undefined || AttributesToGet !== undefined;
  if (Select !== undefined && Select !== 'SPECIFIC_ATTRIBUTES' && projects) {
    const what = Select === 'COUNT' ? 'only the Count' : Select;
    const parameter = AttributesToGet === undefined ? 'ProjectionExpression' : 'AttributesToGet';
    return `Cannot specify the ${parameter} when choosing to get ${what}`;
  }
  if (Select === 'SPECIFIC_ATTRIBUTES' && !projects) {
    return 'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES';
  }
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && IndexName === undefined) {
    return 'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName';
  }
  return undefined;
}

/** Each gets (made, schemas, ours, theirs), normalised answers, and says whether it explains all of the difference. */
const RULES = [
  function writesToIndexesCostCapacity(made, schemas, ours, theirs) {
    if (!['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].includes(made.operation)) return false;
    return hasIndexes(schemas) && isDeepStrictEqual(without(ours, 'ConsumedCapacity'), without(theirs, 'ConsumedCapacity'));
  },
  function readingNothingCostsCapacity(made, schemas, ours, theirs) {
    if (!isRead(made) || theirs.ConsumedCapacity?.CapacityUnits !== 0 || theirs.ScannedCount !== 0) return false;
    return (
      ours.ConsumedCapacity?.CapacityUnits === (made.input.ConsistentRead === true ? 1 : 0.5) &&
      isDeepStrictEqual(without(ours, 'ConsumedCapacity'), without(theirs, 'ConsumedCapacity'))
    );
  },
  function syntaxErrorsNameTheToken(made, schemas, ours, theirs) {
    const [, expression] = /^Invalid (\w+Expression): Syntax error; Expected /.exec(theirs.message) ?? [];
    return (
      expression !== undefined &&
      ours.type === 'ValidationException' &&
      new RegExp(`^Invalid ${expression}: Syntax error; token: ".*", near: ".*"$`, 's').test(ours.message)
    );
  },
  function globalIndexesHaveOnlyWhatTheyProject(made, schemas, ours) {
    const index = isRead(made) && indexOf(made, schemas, 'global');
    return (
      Boolean(index && (made.input.ProjectionExpression ?? made.input.AttributesToGet)) &&
      index.Projection.ProjectionType !== 'ALL' &&
      ours.message?.startsWith(
        `One or more parameter values were invalid: Global secondary index ${index.IndexName} does not project [`,
      )
    );
  },
  function localIndexesFetchWhatTheyDoNotProject(made, schemas, ours, theirs) {
    const index = isRead(made) && indexOf(made, schemas, 'local');
    const asked =
      made.input.ProjectionExpression || made.input.AttributesToGet || made.input.Select === 'ALL_ATTRIBUTES';
    if (!index || !asked || index.Projection.ProjectionType === 'ALL') return false;
    // A filter sees what was fetched.
    const filters = made.input.FilterExpression ?? made.input.QueryFilter ?? made.input.ScanFilter;
    const fetched = ['Items', 'ConsumedCapacity', ...(filters ? ['Count'] : [])];
    return isDeepStrictEqual(without(ours, ...fetched), without(theirs, ...fetched));
  },
  function scansOfGlobalIndexesAreNotConsistent(made, schemas, ours) {
    return (
      made.operation === 'Scan' &&
      made.input.ConsistentRead === true &&
      Boolean(indexOf(made, schemas, 'global')) &&
      ours.message === 'Consistent reads are not supported on global secondary indexes'
    );
  },
  function selectFitsTheRequest(made, schemas, ours) {
    return isRead(made) && ours.type === 'ValidationException' && ours.message === mistakeOfSelect(made.input);
  },
  function scansHaveAMillionSegmentsAtMost({operation, input}, schemas, ours) {
    const limits = {Segment: ['segment', 999999], TotalSegments: ['totalSegments', 1000000]};
    return (
      operation === 'Scan' &&
      ours.type === 'ValidationException' &&
      Object.entries(limits).some(
        ([name, [path, most]]) =>
          input[name] > most &&
          ours.message ===
            `1 validation error detected: Value '${input[name]}' at '${path}' failed to satisfy constraint: ` +
              `Member must have value less than or equal to ${most}`,
      )
    );
  },
  function whatIsEmptyOrUnknownIsNotRepeated({operation, input}, schemas, ours) {
    const isEmpty = (value) => value !== null && typeof value === 'object' && Object.keys(value).length === 0;
    const tooShort = 'failed to satisfy constraint: Member must have length greater than or equal to 1';
    const words = [
      [input.TableName === '', `Value at 'TableName' ${tooShort}`],
      [
        ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation) && typeof input.ReturnValues === 'string',
        'Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]',
      ],
      [
        operation === 'Query' && input.Limit < 1,
        "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
      ],
      [operation === 'BatchGetItem' && isEmpty(input.RequestItems), `Value at 'RequestItems' ${tooShort}`],
      [
        operation === 'BatchWriteItem' && isEmpty(input.RequestItems),
        'The requestItems parameter is required for BatchWriteItem',
      ],
    ];
    return ours.type === 'ValidationException' && words.some(([applies, message]) => applies && ours.message === message);
  },
  function operationsOnItemsTakeShortNamesOfTables({input}, schemas, ours, theirs) {
    return (
      typeof input.TableName === 'string' &&
      input.TableName.length < 3 &&
      theirs.message?.endsWith('Member must have length greater than or equal to 3') &&
      (ours.type === 'ResourceNotFoundException' ||
        ours.message?.endsWith('Member must have length greater than or equal to 1'))
    );
  },
  function operationsOnTablesSayWhichConstraintANameBreaks({input}, schemas, ours, theirs) {
    return (
      typeof input.TableName === 'string' &&
      input.TableName.length < 3 &&
      theirs.message === 'TableName must be at least 3 characters long and at most 255 characters long' &&
      ours.message?.endsWith('Member must have length greater than or equal to 3')
    );
  },
  function deletionsReturnTheWholeItemOrNothing({operation, input}, schemas, ours) {
    return (
      operation === 'DeleteItem' &&
      ['ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'].includes(input.ReturnValues) &&
      ours.type === 'ValidationException' &&
      ours.message === 'ReturnValues can only be ALL_OLD or NONE'
    );
  },
  function queriesForOneItemAreNotRestarted({operation, input}, schemas, ours) {
    const schema = schemas.find(({TableName}) => TableName === input.TableName);
    return (
      operation === 'Query' &&
      input.ExclusiveStartKey !== undefined &&
      input.IndexName === undefined &&
      schema?.range === null &&
      ours.message === 'The query can return at most one row and cannot be restarted'
    );
  },
  function queriesForOneItemHaveOnePage({operation, input}, schemas, ours, theirs) {
    const schema = schemas.find(({TableName}) => TableName === input.TableName);
    const ignored = ['pages', 'ConsumedCapacity', 'LastEvaluatedKey'];
    return (
      operation === 'Query' &&
      input.IndexName === undefined &&
      schema?.range === null &&
      (theirs.pages === 2 || theirs.LastEvaluatedKey !== undefined) &&
      isDeepStrictEqual(without(ours, ...ignored), without(theirs, ...ignored))
    );
  },
  function conditionalOperatorsJoinConditions({input}, schemas, ours) {
    return (
      input.ConditionalOperator !== undefined &&
      ours.type === 'ValidationException' &&
      /^ConditionalOperator (cannot be used without|can only be used when) /.test(ours.message)
    );
  },
  function ofTwoMistakesEitherIsNamed(made, schemas, ours, theirs) {
    const messages = [
      ...(MISTAKES_IN_ANY_ORDER[made.operation] ?? []),
      ...(hasLegacyParameters(made.input) ? LEGACY_MISTAKES : []),
    ];
    return [ours, theirs].every(
      ({type, message}) => type === 'ValidationException' && messages.some((pattern) => pattern.test(message)),
    );
  },
];

function forgiven(...answers) {
  return RULES.some((rule) => rule(...answers));
}

module.exports = {forgiven};
