// Tokens of Cognito's user pools at a REST API: genuine ones pass, and every other is refused before the function is
// called. On simulated time.
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {test, before, after} = require('node:test');
const {APIGatewayClient, GetRestApisCommand} = require('@aws-sdk/client-api-gateway');
const {CloudWatchLogsClient, FilterLogEventsCommand} = require('@aws-sdk/client-cloudwatch-logs');
const cognito = require('@aws-sdk/client-cognito-identity-provider');
const {startSimulatedCloud} = require('./simulated_cloud');

const [program, template, zip] = process.argv.slice(2);
const Username = 'hanako';
const Password = 'Correct-horse-1';
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
const UNAUTHORIZED = '{"message":"Unauthorized"}';

const data = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR ?? os.tmpdir(), 'users-'));
let cloud;
let clients;
let restApiId;
/** By name: its id, its client's id and the tokens of the user. */
let pools;

async function start() {
  cloud = await startSimulatedCloud(
    program, [`--template=${template}`, `--zips=${path.dirname(zip)}`, `--data=${data}`]);
  clients = {
    apigateway: cloud.client(APIGatewayClient),
    logs: cloud.client(CloudWatchLogsClient),
    cognito: cloud.client(cognito.CognitoIdentityProviderClient),
  };
  ({items: [{id: restApiId}]} = await clients.apigateway.send(new GetRestApisCommand({})));
}

async function signIn(ClientId) {
  const {AuthenticationResult} = await clients.cognito.send(new cognito.InitiateAuthCommand({
    ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: {USERNAME: Username, PASSWORD: Password}}));
  return AuthenticationResult;
}

before(async () => {
  await start();
  const {UserPools} = await clients.cognito.send(new cognito.ListUserPoolsCommand({MaxResults: 10}));
  pools = {};
  for (const {Id: UserPoolId, Name} of UserPools) {
    const {UserPoolClients: [{ClientId}]} = await clients.cognito.send(
      new cognito.ListUserPoolClientsCommand({UserPoolId, MaxResults: 10}));
    await clients.cognito.send(new cognito.AdminCreateUserCommand({UserPoolId, Username, MessageAction: 'SUPPRESS'}));
    await clients.cognito.send(new cognito.AdminSetUserPasswordCommand({UserPoolId, Username, Password, Permanent: true}));
    pools[Name] = {UserPoolId, ClientId, tokens: await signIn(ClientId)};
  }
});

after(async () => {
  await cloud.stop();
  fs.rmSync(data, {recursive: true, force: true});
});

async function get(token, target = '/me') {
  const response = await fetch(`${cloud.endpoint}/restapis/${restApiId}/prod/_user_request_${target}`, {
    headers: token === undefined ? {} : {Authorization: token}});
  return {status: response.status, text: await response.text()};
}

/** How often the function has been called. */
async function calls() {
  const {events = []} = await clients.logs.send(new FilterLogEventsCommand({
    logGroupName: '/aws/lambda/echo', filterPattern: 'START'})).catch(() => ({}));
  return events.length;
}

/** The API refuses the token, and does not call the function. */
async function refused(token, what, {text = UNAUTHORIZED, target} = {}) {
  const before = await calls();
  assert.deepEqual(await get(token, target), {status: 401, text}, what);
  assert.equal(await calls(), before, `${what}: the function was called`);
}

const encode = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const decode = (part) => JSON.parse(Buffer.from(part, 'base64url'));

test('a token of the pool passes, and the function gets its claims as texts', async () => {
  const {IdToken} = pools.pool.tokens;
  const before = await calls();
  for (const token of [IdToken, `Bearer ${IdToken}`]) {
    const {status, text} = await get(token);
    assert.equal(status, 200, text);
    const {claims} = JSON.parse(text).requestContext.authorizer;
    const [, payload] = IdToken.split('.');
    assert.equal(claims.sub, decode(payload).sub);
    assert.equal(claims.aud, pools.pool.ClientId);
    assert.equal(claims.token_use, 'id');
    assert.equal(claims['cognito:username'], Username);
    for (const claim of Object.values(claims)) assert.equal(typeof claim, 'string');
  }
  assert.equal(await calls(), before + 2);
});

test('a method with scopes takes access tokens that have one of them', async () => {
  const {IdToken, AccessToken} = pools.pool.tokens;
  assert.equal((await get(AccessToken, '/admin')).status, 200);
  await refused(IdToken, 'an ID token', {target: '/admin'});
  await refused(AccessToken, 'an access token without the scope', {target: '/other'});
});

test('forged and foreign tokens are refused', async () => {
  const {IdToken, AccessToken, RefreshToken} = pools.pool.tokens;
  const [header, payload, signature] = IdToken.split('.');
  await refused(undefined, 'no token');
  await refused('', 'an empty token');
  await refused('nonsense', 'no JWT');
  await refused(`${header}.${payload}`, 'without a signature');
  await refused(`${header}.${payload}.`, 'with an empty signature');

  for (const alg of ['none', 'None', 'NONE']) {
    await refused(`${encode({...decode(header), alg})}.${payload}.`, `alg ${alg}`);
    await refused(`${encode({...decode(header), alg})}.${payload}.${signature}`, `alg ${alg} with the signature`);
  }

  const jwks = await (await fetch(`${cloud.endpoint}/${pools.pool.UserPoolId}/.well-known/jwks.json`)).json();
  const key = crypto.createPublicKey({key: jwks.keys.find(({kid}) => kid === decode(header).kid), format: 'jwk'});
  const hmacHeader = encode({...decode(header), alg: 'HS256'});
  for (const secret of [key.export({type: 'spki', format: 'pem'}), key.export({type: 'pkcs1', format: 'pem'}),
    key.export({type: 'spki', format: 'der'})]) {
    const mac = crypto.createHmac('sha256', secret).update(`${hmacHeader}.${payload}`).digest('base64url');
    await refused(`${hmacHeader}.${payload}.${mac}`, 'HS256 under the public key');
  }

  const {privateKey} = crypto.generateKeyPairSync('rsa', {modulusLength: 2048});
  const forged = crypto.sign('sha256', `${header}.${payload}`, privateKey).toString('base64url');
  await refused(`${header}.${payload}.${forged}`, 'a key of my own');

  await refused(pools.otherpool.tokens.IdToken, 'of another pool');
  await refused(AccessToken, 'an access token in place of an ID token');
  await refused(RefreshToken, 'a refresh token');

  const swapped = encode({...decode(payload), 'cognito:username': 'root', sub: 'root'});
  await refused(`${header}.${swapped}.${signature}`, 'a swapped payload');
  const [otherHeader, otherPayload] = pools.otherpool.tokens.IdToken.split('.');
  await refused(`${header}.${otherPayload}.${signature}`, "another pool's payload");
  await refused(`${otherHeader}.${payload}.${signature}`, "another pool's header");

  assert.equal((await get(IdToken)).status, 200, 'the genuine one still passes');
});

test('an expired token is refused with a message of its own', async () => {
  const {IdToken} = pools.pool.tokens;
  await cloud.run(HOUR_SECONDS + 1);
  await refused(IdToken, 'expired', {text: '{"message":"The incoming token has expired"}'});
  pools.pool.tokens = await signIn(pools.pool.ClientId);
  assert.equal((await get(pools.pool.tokens.IdToken)).status, 200);
});

test('a token that is not valid yet is refused', async () => {
  await cloud.run(DAY_SECONDS);
  const {IdToken} = await signIn(pools.pool.ClientId);
  assert.equal((await get(IdToken)).status, 200);
  // The clock begins again with the machine's time.
  await cloud.stop();
  await start();
  await refused(IdToken, 'of tomorrow');
  const {IdToken: today} = await signIn(pools.pool.ClientId);
  assert.equal((await get(today)).status, 200);
});
