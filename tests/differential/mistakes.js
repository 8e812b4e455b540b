// Requests as a careless caller would send them: each takes a good one and spoils it in one way.
'use strict';

const {onlyTakesAway} = require('./expressions');

const BAD_VALUES = [
  {}, {S: 'a', N: '1'}, {N: ''}, {N: 'one'}, {N: '1e126'}, {N: '1e-131'}, {N: '123456789012345678901234567890123456789'},
  {NULL: false}, {SS: []}, {NS: []}, {BS: []}, {SS: ['a', 'a']}, {NS: ['1', '1.0']}, {BS: ['YQ==', 'YQ==']},
  {L: [{}]}, {M: {a: {N: 'x'}}}, {B: 'YQ='}, {S: 1}, {BOOL: 'maybe'}, {X: 'a'}, {N: 1}, {SS: 'a'}, {L: {}}, {M: []},
];

const EXPRESSIONS = [
  'ConditionExpression', 'UpdateExpression', 'FilterExpression', 'KeyConditionExpression', 'ProjectionExpression',
];

const expressionsOf = (input) => EXPRESSIONS.filter((name) => typeof input[name] === 'string');

/** Each returns false if it does not apply. */
const MISTAKES = [
  function dropAMember(random, input) {
    const name = random.oneOf(Object.keys(input));
    // dynalite does not notice that only the first segment's number is left.
    if (name === 'TotalSegments') return false;
    // Nor does it mind that the item may not be there: see known_differences.md.
    if (name === 'ConditionExpression' && input.UpdateExpression && onlyTakesAway(input.UpdateExpression)) return false;
    delete input[name];
  },
  function dropAToken(random, input) {
    return editTokens(random, input, (tokens, at) => tokens.splice(at, 1));
  },
  function repeatAToken(random, input) {
    return editTokens(random, input, (tokens, at) => tokens.splice(at, 0, tokens[at]));
  },
  function changeAToken(random, input) {
    const tokens = ['AND', 'size', 'foo', '(', ')', '=', ',', ':none', '#none', 'SET', '.', '[0]', '1', 'abort', '$', '!'];
    return editTokens(random, input, (list, at) => list.splice(at, 1, random.oneOf(tokens)));
  },
  function emptyAnExpression(random, input) {
    const names = expressionsOf(input);
    if (!names.length) return false;
    input[random.oneOf(names)] = '';
  },
  function addAPlaceholder(random, input) {
    const kind = random.oneOf(['ExpressionAttributeNames', 'ExpressionAttributeValues']);
    const [name, value] = random.oneOf(
      kind === 'ExpressionAttributeNames'
        ? [['#unused', 'a'], ['bad', 'a'], ['#', 'a'], ['#a-b', 'a']]
        : [[':unused', {S: 'a'}], ['bad', {S: 'a'}], [':', {S: 'a'}], [':a-b', {S: 'a'}]],
    );
    input[kind] = {...input[kind], [name]: value};
  },
  function spoilAValue(random, input) {
    const places = [input.Item, input.Key, input.ExpressionAttributeValues, input.ExclusiveStartKey].filter(Boolean);
    if (!places.length) return false;
    const place = random.oneOf(places);
    place[random.oneOf([...Object.keys(place), 'more'])] = random.oneOf(BAD_VALUES);
  },
  function spoilAKey(random, input) {
    const key = input.Key ?? input.Item;
    if (!key) return false;
    const name = random.oneOf(['h', 'r']);
    random.oneOf([
      () => delete key[name],
      () => (key[name] = random.oneOf([{S: ''}, {B: ''}, {N: '1'}, {S: 'a'}, {B: 'YQ=='}, {SS: ['a']}, {NULL: true}])),
      () => (key[name] = {S: 'x'.repeat(2049)}),
      () => (key.more = {S: 'a'}),
    ])();
  },
  function askForAnotherTable(random, input) {
    if (!input.TableName) return false;
    input.TableName = random.oneOf(['no-such-table', 'x', 'a b', 'a'.repeat(256), '', 7, null]);
  },
  function askForAnotherIndex(random, input, operation) {
    if (!['Query', 'Scan'].includes(operation)) return false;
    input.IndexName = random.oneOf(['no-such-index', 'x', 'a b']);
  },
  function choosePoorly(random, input, operation) {
    const [name, values] = random.oneOf([
      ['ReturnValues', ['ALL_NEW', 'UPDATED_NEW', 'ALL_OLD', 'SOME', '']],
      ['ReturnConsumedCapacity', ['SOME', '', 'total']],
      ['ReturnItemCollectionMetrics', ['SOME', '']],
      ['Select', ['SOME', 'SPECIFIC_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'ALL_ATTRIBUTES', 'COUNT']],
      ['Limit', [0, -1, 'a', 1.5]],
      // dynalite does not know it of a scan.
      ...(operation === 'Scan' ? [] : [['ConsistentRead', ['maybe', 1, {}]]]),
      ['ScanIndexForward', ['maybe', 0]],
      ['Segment', [1, -1, 1000000]],
      ['TotalSegments', [0, 1, 1000001]],
    ]);
    input[name] = random.oneOf(values);
  },
  function spoilALegacyValue(random, input) {
    // dynalite does not look at the values of Expected.
    const conditions = [input.QueryFilter, input.ScanFilter, input.KeyConditions].filter(Boolean);
    const places = conditions.flatMap((list) => Object.values(list)).map((one) => one.AttributeValueList);
    const list = random.oneOf(places.filter((place) => place?.length));
    if (!list) return false;
    // Of one type still: the other side asks for that first.
    list.splice(0, list.length, random.oneOf([{}, {N: ''}, {SS: []}, {S: 1}, {L: {}}, {X: 'a'}]));
  },
  function changeAType(random, input) {
    input[random.oneOf(Object.keys(input))] = random.oneOf([7, 'text', true, [], {}, [1], 1.5]);
  },
];

function editTokens(random, input, edit) {
  const names = expressionsOf(input);
  if (!names.length) return false;
  const name = random.oneOf(names);
  const tokens = input[name].match(/\s+|[#:]?\w+|<>|<=|>=|[^\s\w]/g) ?? [];
  const edited = random.below(tokens.length);
  // Where space may be left out is dynalite's own idea.
  if (!tokens[edited]?.trim()) return false;
  edit(tokens, edited);
  input[name] = tokens.join('');
}

/** A copy of `made` with one mistake. */
function spoil(random, made) {
  for (;;) {
    const spoilt = structuredClone(made);
    const mistake = random.oneOf(MISTAKES);
    if (mistake(random, spoilt.input, made.operation) === false) continue;
    return {...spoilt, mistake: mistake.name};
  }
}

module.exports = {spoil};
