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

/** What is wrong with a read's Select beside its other parameters, as AWS says it. */
function mistakeOfSelect({Select, ProjectionExpression, IndexName}) {
  if (Select !== undefined && Select !== 'SPECIFIC_ATTRIBUTES' && ProjectionExpression !== undefined) {
    const what = Select === 'COUNT' ? 'only the Count' : Select;
    return `Cannot specify the ProjectionExpression when choosing to get ${what}`;
  }
  if (Select === 'SPECIFIC_ATTRIBUTES' && ProjectionExpression === undefined) {
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
      Boolean(index && made.input.ProjectionExpression) &&
      index.Projection.ProjectionType !== 'ALL' &&
      ours.message?.startsWith(
        `One or more parameter values were invalid: Global secondary index ${index.IndexName} does not project [`,
      )
    );
  },
  function localIndexesFetchWhatTheyDoNotProject(made, schemas, ours, theirs) {
    const index = isRead(made) && indexOf(made, schemas, 'local');
    const asked = made.input.ProjectionExpression || made.input.Select === 'ALL_ATTRIBUTES';
    if (!index || !asked || index.Projection.ProjectionType === 'ALL') return false;
    // A filter sees what was fetched.
    const fetched = ['Items', 'ConsumedCapacity', ...(made.input.FilterExpression ? ['Count'] : [])];
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
  function deletionsReturnTheWholeItemOrNothing({operation, input}, schemas, ours) {
    return (
      operation === 'DeleteItem' &&
      ['ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'].includes(input.ReturnValues) &&
      ours.type === 'ValidationException' &&
      ours.message === 'ReturnValues can only be ALL_OLD or NONE'
    );
  },
  function ofTwoMistakesEitherIsNamed(made, schemas, ours, theirs) {
    const messages = MISTAKES_IN_ANY_ORDER[made.operation] ?? [];
    return [ours, theirs].every(
      ({type, message}) => type === 'ValidationException' && messages.some((pattern) => pattern.test(message)),
    );
  },
];

function forgiven(...answers) {
  return RULES.some((rule) => rule(...answers));
}

module.exports = {forgiven};
