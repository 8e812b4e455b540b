// util.transform: filters of subscriptions and queries of OpenSearch.

// The alternatives of a filter, each a list of rules that must all hold.
function filterAlternatives(object, ignored) {
  let alternatives = [[]];
  for (const key of keys(object)) {
    const value = object[key];
    if (key === 'and') {
      for (const element of value) alternatives = product(alternatives, filterAlternatives(element, ignored));
    } else if (key === 'or') {
      // An element whose fields are all ignored is left out: without conditions it would match every event.
      alternatives = product(alternatives, value.flatMap((element) => filterAlternatives(element, ignored))
          .filter((rules) => rules.length > 0));
    } else if (!ignored.includes(key)) {
      const rules = entries(value).map(([operator, operand]) => [{fieldName: key, operator, value: operand}]);
      if (rules.length > 0) alternatives = product(alternatives, rules);
    }
  }
  return alternatives;
}

function toSubscriptionFilter(object, ignoredFields, rules) {
  if (!isObject(object)) return null;
  let alternatives = filterAlternatives(object, ignoredFields ?? []);
  if (isObject(rules) && keys(rules).length > 0) {
    // At least one of them has to hold.
    alternatives = product(alternatives, keys(rules).flatMap((field) =>
      filterAlternatives({[field]: rules[field]}, [])));
  }
  return {filterGroup: alternatives.filter((filters) => filters.length > 0).map((filters) => ({filters}))};
}

const mustNot = (query) => ({bool: {must_not: query}});
const rangeQuery = (operator) => (field, value) => ({range: {[field]: {[operator]: value}}});
const fieldQuery = (name) => (field, value) => ({[name]: {[field]: value}});

// By operator.
const QUERIES = {
  eq: fieldQuery('term'),
  ne: (field, value) => mustNot({term: {[field]: value}}),
  gt: rangeQuery('gt'),
  gte: rangeQuery('gte'),
  lt: rangeQuery('lt'),
  lte: rangeQuery('lte'),
  range: (field, [from, to]) => ({range: {[field]: {gte: from, lte: to}}}),
  match: fieldQuery('match'),
  matchPhrase: fieldQuery('match_phrase'),
  matchPhrasePrefix: fieldQuery('match_phrase_prefix'),
  multiMatch: (field, value) => ({multi_match: {query: value, fields: [field]}}),
  wildcard: fieldQuery('wildcard'),
  regexp: fieldQuery('regexp'),
  exists: (field, value) => value ? {exists: {field}} : mustNot({exists: {field}}),
};

const allOf = (queries) => queries.length === 1 ? queries[0] : {bool: {must: queries}};

function toSearchQuery(object) {
  if (!isObject(object)) throw UNRENDERABLE;
  return allOf(keys(object).map((key) => {
    const value = object[key];
    if (key === 'and') return {bool: {must: value.map(toSearchQuery)}};
    if (key === 'or') return {bool: {should: value.map(toSearchQuery)}};
    if (key === 'not') return mustNot(toSearchQuery(value));
    if (!isObject(value)) throw UNRENDERABLE;
    return allOf(keys(value).map((operator) => {
      if (!hasOwn(QUERIES, operator)) throw UNRENDERABLE;
      return QUERIES[operator](key, value[operator]);
    }));
  }));
}

function toElasticsearchQueryDSL(object) {
  try {
    return toJson(toSearchQuery(object));
  } catch (error) {
    if (error !== UNRENDERABLE) throw error;
    return null;
  }
}

const utilTransform = {
  toDynamoDBFilterExpression: toExpressionText,
  toDynamoDBConditionExpression: toExpressionText,
  toElasticsearchQueryDSL,
  toSubscriptionFilter,
};
