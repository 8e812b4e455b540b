// The globals `util`, `extensions`, `runtime` and `console`, and what modules export.

// Of 'util.error' and 'util.appendError'.
const errorMembers = (message, errorType, data, errorInfo) => ({
  message: `${message}`, errorType: isNothing(errorType) ? '' : `${errorType}`, data: jsonOf(data),
  errorInfo: jsonOf(errorInfo)});

function appendError(message, errorType, data, errorInfo) {
  state.more().appended.push(errorMembers(message, errorType, data, errorInfo));
  state.ctx.outErrors.push({
    message: `${message}`, errorType: errorType ?? null, data: data ?? null, errorInfo: errorInfo ?? null});
}

function raise(message, errorType, data, errorInfo) {
  throw new Signal('raised', errorMembers(message, errorType, data, errorInfo));
}

// The members that an identity of each kind has.
const IAM_MEMBERS = ['accountId', 'sourceIp', 'username', 'userArn'];
const USER_POOL_MEMBERS = ['sourceIp', 'username', 'sub', 'issuer', 'claims', 'defaultAuthStrategy'];
const OIDC_MEMBERS = ['sub', 'issuer', 'claims'];

function authType() {
  const {identity} = state.ctx;
  if (!isObject(identity)) return 'API Key Authorization';
  const has = (names) => names.every((name) => !isNothing(identity[name]));
  if (keys(identity).every((name) => name === 'resolverContext')) return 'Lambda Authorization';
  if (has(IAM_MEMBERS)) return 'IAM Authorization';
  if (has(USER_POOL_MEMBERS)) return 'User Pool Authorization';
  if (has(OIDC_MEMBERS) && isNothing(identity.username)) return 'Open ID Connect Authorization';
  return 'API Key Authorization';
}

// As Apache Commons' escapeEcmaScript.
const JAVASCRIPT_ESCAPES = {'\b': 'b', '\n': 'n', '\t': 't', '\f': 'f', '\r': 'r'};
const escapeJavaScript = (value) => isNothing(value) ? null :
  nativeReplace(`${value}`, /["'\\/]|[^ -~]/g, (character) => {
    if (hasOwn(JAVASCRIPT_ESCAPES, character)) return `\\${JAVASCRIPT_ESCAPES[character]}`;
    if (character >= ' ' && character <= '~') return `\\${character}`;
    return `\\u${`000${nativeCodePointAt(character, 0).toString(16).toUpperCase()}`.slice(-4)}`;
  });

// As java.net.URLEncoder: a space is "+", and of punctuation only .-*_ stays.
const urlEncode = (text) => nativeReplace(nativeReplace(encodeURIComponent(text), /[!~'()]/g, (character) =>
  `%${nativeCodePointAt(character, 0).toString(16).toUpperCase()}`), /%20/g, '+');
const urlDecode = (text) => decodeURIComponent(nativeReplace(text, /\+/g, ' '));

// A function of text that gives null for null.
const ofText = (convert) => (value) => isNothing(value) ? null : convert(`${value}`);
// As far as JavaScript's dates reach.
const MAX_MILLISECONDS = 8.64e15;
const toInteger = (value) => {
  const number = floor(Number(value));
  if (!(number >= -MAX_MILLISECONDS && number <= MAX_MILLISECONDS)) {
    throw new Error(`Expected a number of milliseconds, found ${jsonOf(value)}`);
  }
  return number;
};
const zoneOf = (zone) => isNothing(zone) ? 'UTC' : `${zone}`;

const utilTime = {
  nowISO8601: () => host.formatIso8601(host.now()),
  nowEpochSeconds: () => floor(host.now() / 1000),
  nowEpochMilliSeconds: () => host.now(),
  nowFormatted: (format, zone) => host.formatTime(host.now(), `${format}`, zoneOf(zone)),
  parseFormattedToEpochMilliSeconds: (text, format, zone) => host.parseTime(`${text}`, `${format}`, zoneOf(zone)),
  parseISO8601ToEpochMilliSeconds: (text) => host.parseIso8601(`${text}`),
  epochMilliSecondsToSeconds: (milliseconds) => floor(toInteger(milliseconds) / 1000),
  epochMilliSecondsToISO8601: (milliseconds) => host.formatIso8601(toInteger(milliseconds)),
  epochMilliSecondsToFormatted: (milliseconds, format, zone) =>
    host.formatTime(toInteger(milliseconds), `${format}`, zoneOf(zone)),
};

const utilMath = {
  // As Java rounds.
  roundNum: (number) => floor(number + 0.5),
  minVal: (a, b) => min(a, b),
  maxVal: (a, b) => max(a, b),
  randomDouble: () => host.random(),
  randomWithinRange: (start, end) => floor(host.random() * (end - start)) + start,
};

// Which can't be forwarded.
const RESTRICTED_HEADERS = new Set(['transfer-encoding', 'connection', 'host', 'expect', 'keep-alive', 'upgrade',
  'proxy-authenticate', 'proxy-authorization', 'te', 'content-length']);
// Which the code can't add to a response either.
const RESTRICTED_RESPONSE_HEADERS = new Set(['access-control-allow-credentials', 'access-control-allow-origin',
  'access-control-expose-headers', 'access-control-max-age', 'access-control-allow-methods',
  'access-control-allow-headers', 'vary', 'content-type', 'x-content-type-options']);
const RESTRICTED_PREFIXES = ['x-amz-', 'x-amzn-'];
const MAX_HEADER_BYTES = 4096;

const isRestricted = (name) => RESTRICTED_HEADERS.has(name) || RESTRICTED_RESPONSE_HEADERS.has(name) ||
  RESTRICTED_PREFIXES.some((prefix) => name.startsWith(prefix));

// The code goes on without a header that is not allowed. The whole request has the limit of bytes as well, see
// RequestEffects.
function addResponseHeader(name, value) {
  const refuse = (message) => appendError(message, 'ResponseHeaderError');
  const key = isNothing(name) ? '' : `${name}`;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(key) || isRestricted(key.toLowerCase())) {
    refuse(`The response header '${key}' is not allowed.`);
    return;
  }
  const text = typeof value === 'string' ? value : jsonOf(value);
  if (isNothing(value) || /[\r\n\0]/.test(text)) {
    refuse(`The value of the response header '${key}' is not allowed.`);
    return;
  }
  const bytes = state.headerBytes + key.length + text.length;
  if (bytes > MAX_HEADER_BYTES) {
    refuse('The response headers exceed 4 KB.');
    return;
  }
  state.headerBytes = bytes;
  state.more().headers.push([key, text]);
}

const utilHttp = {
  copyHeaders: (headers) => {
    const copy = {};
    for (const name of keys(headers ?? {})) {
      if (!RESTRICTED_HEADERS.has(name.toLowerCase())) copy[name] = headers[name];
    }
    return copy;
  },
  addResponseHeader,
  addResponseHeaders: (headers) => {
    for (const name of keys(headers ?? {})) addResponseHeader(name, headers[name]);
  },
};

const NORMAL_FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'];
// The engine sorts characters that combine with one before them by insertion, and can't be interrupted meanwhile. In
// compatibility forms, halfwidth sound marks become such characters.
const MAX_COMBINING = 100;
const TOO_MANY_COMBINING = new RegExp(`[\\p{M}\\uFF9E\\uFF9F]{${MAX_COMBINING + 1}}`, 'u');

function normalize(value, form) {
  const name = `${form}`.toUpperCase();
  if (!NORMAL_FORMS.includes(name)) throw new Error(`Unknown normalization ${jsonOf(form)}`);
  const text = `${value}`;
  if (TOO_MANY_COMBINING.test(text)) {
    throw new Error(`The text has more than ${MAX_COMBINING} combining characters in a row`);
  }
  return nativeNormalize(text, name);
}

const util = {
  error: raise,
  appendError,
  unauthorized: () => {
    throw new Signal('unauthorized', errorMembers('Unauthorized', 'Unauthorized'));
  },
  validate: (condition, message, errorType, data) => {
    if (!condition) raise(message, errorType ?? 'CustomTemplateException', data);
  },
  matches,
  authType,
  autoId: () => host.uuid(),
  autoUlid: () => host.ulid(),
  autoKsuid: () => host.ksuid(),
  base64Encode: ofText(host.base64Encode),
  base64Decode: ofText(host.base64Decode),
  urlEncode: ofText(urlEncode),
  urlDecode: ofText(urlDecode),
  escapeJavaScript,
  time: utilTime,
  dynamodb: utilDynamodb,
  rds: {toJsonObject},
  http: utilHttp,
  xml: utilXml,
  transform: utilTransform,
  math: utilMath,
  str: {normalize},
};

const MAX_INVALIDATIONS = host.maxInvalidations;

const extensions = {
  setSubscriptionFilter: (filter) => {
    state.more().filter = jsonOf(filter);
  },
  setSubscriptionInvalidationFilter: (filter) => {
    state.more().invalidationFilter = jsonOf(filter);
  },
  invalidateSubscriptions: (invalidation) => {
    if (!isObject(invalidation) || typeof invalidation.subscriptionField !== 'string') {
      throw new Error('invalidateSubscriptions expects an object with subscriptionField and payload.');
    }
    const {subscriptionField} = invalidation;
    const payload = jsonOf(invalidation.payload ?? {});
    const {invalidations} = state.more();
    if (invalidations.some(([field, text]) => field === subscriptionField && text === payload)) return;
    if (invalidations.length >= MAX_INVALIDATIONS) {
      throw new Error(`At most ${MAX_INVALIDATIONS} invalidations can be initiated.`);
    }
    invalidations.push([subscriptionField, payload]);
  },
  evictFromApiCache: (typeName, fieldName, keyValuePair) => {
    state.more().evictions.push([`${typeName}`, `${fieldName}`, jsonOf(keyValuePair ?? {})]);
  },
};

const runtime = {
  earlyReturn: (value, options) => {
    const skipTo = options?.skipTo;
    if (!isNothing(skipTo) && skipTo !== 'END' && skipTo !== 'NEXT') {
      throw new Error(`skipTo is expected to be END or NEXT, found ${jsonOf(skipTo)}`);
    }
    throw new Signal('return', {value, skipTo: skipTo ?? ''});
  },
};

// Where the script is, as "code.js:3:5"; `stack` as QuickJS writes it. Lines are those of the factory, which has one
// more in front; its `places` say where the expressions begin.
function placeIn(stack) {
  const found = /code\.js:(\d+):(\d+)/.exec(stack ?? '');
  if (found === null) return undefined;
  const place = `${found[1] - 1}:${found[2]}`;
  const {places} = state;
  const at = places.indexOf(`;${place}>`);
  return `code.js:${at < 0 ? place : places.slice(at + place.length + 2, places.indexOf(';', at + 1))}`;
}

const logger = (level) => (...values) => {
  const text = values.map((value) => jsonOf(value)).join(' ');
  state.more().logs.push(`${level} - ${placeIn(new Error().stack) ?? 'code.js'}: ${text}`);
};
const console = {log: logger('INFO'), error: logger('ERROR')};

const modules = {
  '@aws-appsync/utils': {util, extensions, runtime},
  '@aws-appsync/utils/ai': {
    invokeModel: (payload) => ({operation: 'InvokeModel', ...payload}),
    converse: (payload) => ({operation: 'Converse', ...payload}),
  },
  '@aws-appsync/utils/dynamodb': dynamodbModule,
  '@aws-appsync/utils/rds': rdsModule,
};
