// A deployed REST API with authorizers, request models, gateway responses and a preflight answer: over HTTP, as clients
// see it, and through the AWS SDK for JavaScript. On simulated time.
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const path = require('node:path');
const {test, before, after} = require('node:test');
const api = require('@aws-sdk/client-api-gateway');
const {CloudWatchLogsClient, FilterLogEventsCommand} = require('@aws-sdk/client-cloudwatch-logs');
const {SignatureV4} = require('@smithy/signature-v4');
const {startSimulatedCloud} = require('./simulated_cloud');

const [program, template, zip] = process.argv.slice(2);

let cloud;
let apigateway;
let logs;
let restApiId;

before(async () => {
  cloud = await startSimulatedCloud(program, [`--template=${template}`, `--zips=${path.dirname(zip)}`]);
  apigateway = cloud.client(api.APIGatewayClient);
  logs = cloud.client(CloudWatchLogsClient);
  ({items: [{id: restApiId}]} = await apigateway.send(new api.GetRestApisCommand({})));
});

after(() => cloud.stop());

/** The answer of the stage: its status, headers, text and JSON. */
async function call(method, target, {headers, body} = {}) {
  const url = `${cloud.endpoint}/restapis/${restApiId}/prod/_user_request_${target}`;
  const response = await fetch(url, {method, headers, body});
  const text = await response.text();
  return {status: response.status, headers: response.headers, text, json: () => JSON.parse(text)};
}
const withToken = (token, target = '/token') => call('GET', target, {headers: {Authorization: token}});

/** The lines of the access log for a path. */
async function accessLog(target) {
  const {events} = await logs.send(new FilterLogEventsCommand({logGroupName: '/api'}));
  return events.map(({message}) => JSON.parse(message)).filter((line) => line.path === `/prod${target}`);
}

test('a token authorizer lets a caller pass, and says who it is', async () => {
  const allowed = await withToken('allow');
  assert.equal(allowed.status, 200, allowed.text);
  const {authorizer} = allowed.json().requestContext;
  assert.equal(authorizer.principalId, 'caller');
  assert.equal(authorizer.token, 'allow');
  assert.equal(authorizer.calls, '1');
  assert.equal(authorizer.type, 'TOKEN');
});

test('a policy is kept for five minutes, also for other methods', async () => {
  const callsOf = (response) => response.json().requestContext.authorizer.calls;
  const first = callsOf(await withToken('allow again'));
  assert.equal(callsOf(await withToken('allow again')), first);
  const other = await withToken('allow again', '/token/other');
  assert.equal(other.status, 403);
  assert.equal(other.text, '{"Message":"User is not authorized to access this resource"}');
  await cloud.run(299);
  assert.equal(callsOf(await withToken('allow again')), first);
  await cloud.run(1);
  assert.notEqual(callsOf(await withToken('allow again')), first);
});

test('what an authorizer refuses does not reach the function, and has CORS headers', async () => {
  const cases = [
    ['', 401, '{"message":"Unauthorized"}', 'UnauthorizedException'],
    ['NOT MATCHING', 401, '{"message":"Unauthorized"}', 'UnauthorizedException'],
    ['unauthorized', 401, '{"message":"Unauthorized"}', 'UnauthorizedException'],
    ['deny', 403, '{"Message":"User is not authorized to access this resource with an explicit deny"}', 'AccessDeniedException'],
    ['other', 403, '{"Message":"User is not authorized to access this resource"}', 'AccessDeniedException'],
    ['fail', 500, '{"message":null}', 'AuthorizerConfigurationException'],
    ['nonsense', 500, '{"message":null}', 'AuthorizerConfigurationException'],
  ];
  for (const [token, status, text, type] of cases) {
    const refused = await withToken(token);
    assert.equal(refused.status, status, token);
    assert.equal(refused.text, text);
    assert.equal(refused.headers.get('x-amzn-errortype'), type);
    assert.equal(refused.headers.get('access-control-allow-origin'), '*');
  }
  const entries = (await accessLog('/token')).slice(-cases.length);
  assert.deepEqual(entries.map(({type}) => type), [
    'UNAUTHORIZED', 'UNAUTHORIZED', 'UNAUTHORIZED', 'ACCESS_DENIED', 'ACCESS_DENIED', 'AUTHORIZER_CONFIGURATION_ERROR',
    'AUTHORIZER_CONFIGURATION_ERROR']);
  assert.match(entries[5].authorizerError, /no idea/);
});

test('a request authorizer sees the request, and is called as a role', async () => {
  const allowed = await call('GET', '/request?token=allow');
  assert.equal(allowed.status, 200, allowed.text);
  assert.equal(allowed.json().requestContext.authorizer.type, 'REQUEST');
  assert.equal(allowed.json().stageVariables.color, 'blue');
  assert.equal((await call('GET', '/request')).status, 401);
  assert.equal((await call('GET', '/request?token=deny')).status, 403);
});

class Sha256 {
  constructor(secret) {
    this.hash = secret ? crypto.createHmac('sha256', secret) : crypto.createHash('sha256');
  }
  update(data) {
    this.hash.update(data);
  }
  async digest() {
    return new Uint8Array(this.hash.digest());
  }
}

test('a method with the authorization of IAM takes signed requests only', async () => {
  const signed = async (secretAccessKey) => {
    const {hostname, port, host} = new URL(cloud.endpoint);
    const {headers} = await new SignatureV4({
      service: 'execute-api', region: 'us-east-1', sha256: Sha256, credentials: {accessKeyId: 'test', secretAccessKey}})
      .sign({
        method: 'GET',
        protocol: 'http:',
        hostname,
        port: Number(port),
        path: `/restapis/${restApiId}/prod/_user_request_/signed`,
        query: {},
        headers: {host},
      });
    delete headers.host;
    return call('GET', '/signed', {headers});
  };
  const allowed = await signed('test');
  assert.equal(allowed.status, 200, allowed.text);
  assert.equal(allowed.json().requestContext.identity.accessKey, 'test');
  assert.equal((await signed('wrong')).headers.get('x-amzn-errortype'), 'InvalidSignatureException');
  const missing = await call('GET', '/signed');
  assert.equal(missing.status, 403);
  assert.equal(missing.text, '{"message":"Missing Authentication Token"}');
});

test('a body must match its model, and required parameters must be there', async () => {
  const post = (body, target = '/orders?shop=1') =>
    call('POST', target, {headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)});
  assert.equal((await post({item: 'tea', count: 1})).status, 200);
  for (const [body, cause] of [
    [{}, '[object has missing required properties (["item"])]'],
    [{item: ''}, '[string "" is too short (length: 0, required minimum: 1)]'],
    [{item: 'tea', count: 0}, '[numeric instance is not strictly greater than the required minimum 0]'],
    [[], '[instance type (array) does not match any allowed primitive type (allowed: ["object"])]'],
  ]) {
    const refused = await post(body);
    assert.equal(refused.status, 422, JSON.stringify(body));
    assert.deepEqual(refused.json(), {message: 'Invalid request body', cause});
  }
  const missing = await post({item: 'tea'}, '/orders');
  assert.equal(missing.status, 400);
  assert.equal(missing.text, '{"message":"Missing required request parameters: [shop]"}');
  assert.equal(missing.headers.get('access-control-allow-origin'), '*');
});

test('a mock integration answers a preflight request, within the limits of its method', async () => {
  const preflight = () => call('OPTIONS', '/orders');
  const {status, headers, text} = await preflight();
  assert.equal(status, 204);
  assert.equal(text, '');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(headers.get('access-control-allow-methods'), 'OPTIONS,POST');
  assert.equal(headers.get('access-control-allow-headers'), 'Content-Type,Authorization');
  const statuses = [(await preflight()).status, (await preflight()).status, (await preflight()).status];
  assert.deepEqual(statuses, [204, 204, 429]);
  await cloud.run(1);
  assert.equal((await preflight()).status, 204);
});

test('an integration that takes longer than 29 s is answered with 504 at 29 s', async () => {
  const slow = (seconds) =>
    call('POST', '/slow', {headers: {'Content-Type': 'application/json'}, body: JSON.stringify({seconds})});
  const inTime = slow(28);
  const late = slow(3600);
  // Until both have begun.
  while ((await accessLog('/slow')).length < 2) await cloud.run(1);
  assert.equal((await inTime).status, 200);
  const answer = await late;
  assert.equal(answer.status, 504);
  assert.equal(answer.text, '{"message":"Endpoint request timed out"}');
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  const entry = (await accessLog('/slow')).find((line) => line.status === '504');
  assert.deepEqual([entry.latency, entry.type], ['29000', 'INTEGRATION_TIMEOUT']);
  await cloud.run(7200);
  assert.equal((await accessLog('/slow')).length, 2, 'the late result was answered, too');
});

test('an integration can have a shorter timeout', async () => {
  const answer = call('PUT', '/slow', {headers: {'Content-Type': 'application/json'}, body: '{"seconds":1}'});
  while ((await accessLog('/slow')).length < 3) await cloud.run(1);
  assert.equal((await answer).status, 504);
  assert.equal((await accessLog('/slow')).at(-1).latency, '50');
});

test('the SDK describes authorizers, validators, models and gateway responses', async () => {
  const {items: authorizers} = await apigateway.send(new api.GetAuthorizersCommand({restApiId}));
  const token = authorizers.find(({name}) => name === 'token');
  assert.equal(token.type, 'TOKEN');
  assert.equal(token.identitySource, 'method.request.header.Authorization');
  assert.equal(token.authorizerResultTtlInSeconds, 300);
  assert.deepEqual(await apigateway.send(new api.GetAuthorizerCommand({restApiId, authorizerId: token.id}))
    .then(({$metadata, ...rest}) => rest), token);
  const {items: [validator]} = await apigateway.send(new api.GetRequestValidatorsCommand({restApiId}));
  assert.equal(validator.validateRequestBody, true);
  assert.equal((await apigateway.send(new api.GetRequestValidatorCommand({
    restApiId, requestValidatorId: validator.id}))).name, 'all');
  const {items: models} = await apigateway.send(new api.GetModelsCommand({restApiId}));
  assert.deepEqual(models.map(({name}) => name).sort(), ['Item', 'Order']);
  const {schema} = await apigateway.send(new api.GetModelCommand({restApiId, modelName: 'Item'}));
  assert.equal(JSON.parse(schema).minLength, 1);
  const {items: responses} = await apigateway.send(new api.GetGatewayResponsesCommand({restApiId}));
  assert.equal(responses.length, 21);
  const changed = await apigateway.send(new api.GetGatewayResponseCommand({restApiId, responseType: 'BAD_REQUEST_BODY'}));
  assert.equal(changed.statusCode, '422');
  assert.equal(changed.defaultResponse, false);
  const {items: resources} = await apigateway.send(new api.GetResourcesCommand({restApiId, embed: ['methods']}));
  const {GET} = resources.find((resource) => resource.path === '/token').resourceMethods;
  assert.equal(GET.authorizationType, 'CUSTOM');
  assert.equal(GET.authorizerId, token.id);
  const {methodSettings, variables} = await apigateway.send(new api.GetStageCommand({restApiId, stageName: 'prod'}));
  assert.equal(methodSettings['~1orders/OPTIONS'].throttlingBurstLimit, 3);
  assert.deepEqual(variables, {color: 'blue'});
});
