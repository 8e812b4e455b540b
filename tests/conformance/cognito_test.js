// The AWS SDK for JavaScript drives Cognito user pools of a template, on simulated time, and aws-jwt-verify checks
// their tokens.
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const {once} = require('node:events');
const readline = require('node:readline');
const {test, before, after} = require('node:test');
const idp = require('@aws-sdk/client-cognito-identity-provider');
const {CloudFormationClient, DescribeStacksCommand} = require('@aws-sdk/client-cloudformation');
const {CognitoJwtVerifier} = require('aws-jwt-verify');
const {startSimulatedCloud} = require('./simulated_cloud');

const [program, template] = process.argv.slice(2);
const PASSWORD = 'Correct-horse-1';

let cloud;
let admin;
// As a browser has it: without credentials.
let anybody;
let pool;
let client;
let outputs;
let noted;
const notes = [];

before(async () => {
  cloud = await startSimulatedCloud(program, [`--template=${template}`], {stderr: 'pipe'});
  noted = readline.createInterface({input: cloud.stderr}).on('line', (line) => notes.push(line));
  admin = cloud.client(idp.CognitoIdentityProviderClient);
  anybody = cloud.client(idp.CognitoIdentityProviderClient, {
    credentials: () => assert.fail('the SDK signs this operation'),
  });
  const {UserPools} = await admin.send(new idp.ListUserPoolsCommand({MaxResults: 10}));
  assert.deepEqual(UserPools.map(({Name}) => Name).sort(), ['guarded', 'people']);
  pool = UserPools.find(({Name}) => Name === 'people').Id;
  const {UserPoolClients} = await admin.send(new idp.ListUserPoolClientsCommand({UserPoolId: pool}));
  client = UserPoolClients.find(({ClientName}) => ClientName === 'app').ClientId;
  const stacks = cloud.client(CloudFormationClient);
  const {Stacks} = await stacks.send(new DescribeStacksCommand({}));
  outputs = Object.fromEntries(Stacks[0].Outputs.map(({OutputKey, OutputValue}) => [OutputKey, OutputValue]));
});

after(() => cloud.stop());

async function refused(promise, name, message) {
  const error = await promise.then((output) => assert.fail(`accepted, with ${JSON.stringify(output)}`), (why) => why);
  assert.equal(error.name, name, error.message);
  if (message !== undefined) assert.equal(error.message, message);
}

/** A confirmed user with PASSWORD. */
async function addUser(name) {
  await admin.send(new idp.AdminCreateUserCommand({UserPoolId: pool, Username: name, MessageAction: 'SUPPRESS'}));
  await admin.send(new idp.AdminSetUserPasswordCommand({
    UserPoolId: pool, Username: name, Password: PASSWORD, Permanent: true}));
}

const signIn = async (name, password = PASSWORD) => anybody.send(new idp.InitiateAuthCommand({
  ClientId: client, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: {USERNAME: name, PASSWORD: password}}));

/** The code in the newest note about the user, which comes on another pipe than the answer. */
async function code(what) {
  for (;;) {
    const note = notes.findLast((line) => line.includes(what));
    if (note !== undefined) {
      notes.splice(notes.indexOf(note), 1);
      return note.match(/ is (\d{6})$/)[1];
    }
    await once(noted, 'line');
  }
}

const fetchJson = async (path) => {
  const response = await fetch(cloud.endpoint + path);
  assert.equal(response.status, 200);
  return response.json();
};

test('the template makes the pool as it says', async () => {
  const {UserPool} = await admin.send(new idp.DescribeUserPoolCommand({UserPoolId: pool}));
  assert.equal(UserPool.Arn, outputs.Arn);
  assert.equal(UserPool.Policies.PasswordPolicy.MinimumLength, 10);
  assert.equal(UserPool.Policies.PasswordPolicy.RequireNumbers, true);
  assert.equal(UserPool.Policies.PasswordPolicy.RequireSymbols, false);
  assert.deepEqual(UserPool.UsernameAttributes, ['email']);
  assert.ok(UserPool.CreationDate instanceof Date);
  assert.ok(UserPool.SchemaAttributes.some(({Name}) => Name === 'custom:plan'));
  const jane = await admin.send(new idp.AdminGetUserCommand({UserPoolId: pool, Username: 'jane@example.com'}));
  assert.equal(jane.UserStatus, 'FORCE_CHANGE_PASSWORD');
  const attributes = Object.fromEntries(jane.UserAttributes.map(({Name, Value}) => [Name, Value]));
  assert.equal(attributes.sub, jane.Username);
  assert.equal(attributes['custom:plan'], 'free');
  const {Groups} = await admin.send(new idp.AdminListGroupsForUserCommand({
    UserPoolId: pool, Username: 'jane@example.com'}));
  assert.deepEqual(Groups.map(({GroupName}) => GroupName), ['editors']);
});

test('aws-jwt-verify accepts our tokens and refuses others', async () => {
  await addUser('verify@example.com');
  await admin.send(new idp.AdminAddUserToGroupCommand({
    UserPoolId: pool, Username: 'verify@example.com', GroupName: 'editors'}));
  const {AuthenticationResult: tokens} = await signIn('verify@example.com');
  const jwks = await fetchJson(`/${pool}/.well-known/jwks.json`);
  const verifiers = {};
  for (const tokenUse of ['id', 'access']) {
    verifiers[tokenUse] = CognitoJwtVerifier.create({userPoolId: pool, tokenUse, clientId: client});
    verifiers[tokenUse].cacheJwks(jwks);
  }
  const id = await verifiers.id.verify(tokens.IdToken);
  assert.equal(id.iss, outputs.Issuer);
  assert.equal(id.email, 'verify@example.com');
  assert.deepEqual(id['cognito:groups'], ['editors']);
  assert.equal(id.exp - id.iat, 1800);
  const access = await verifiers.access.verify(tokens.AccessToken);
  assert.equal(access.sub, id.sub);
  assert.equal(access.scope, 'aws.cognito.signin.user.admin');

  await assert.rejects(verifiers.id.verify(tokens.AccessToken));
  await assert.rejects(verifiers.access.verify(tokens.IdToken));
  const [header, payload, signature] = tokens.IdToken.split('.');
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  await assert.rejects(verifiers.id.verify(`${header}.${encode({...id, email: 'x@example.com'})}.${signature}`));
  await assert.rejects(verifiers.id.verify(`${encode({alg: 'none', kid: jwks.keys[0].kid})}.${payload}.`));
  const other = CognitoJwtVerifier.create({userPoolId: pool, tokenUse: 'id', clientId: 'other'});
  other.cacheJwks(jwks);
  await assert.rejects(other.verify(tokens.IdToken));
});

test('the OpenID configuration leads to the keys', async () => {
  const configuration = await fetchJson(`/${pool}/.well-known/openid-configuration`);
  assert.equal(configuration.issuer, outputs.Issuer);
  assert.equal(configuration.jwks_uri, `${cloud.endpoint}/${pool}/.well-known/jwks.json`);
  const [key] = (await fetchJson(new URL(configuration.jwks_uri).pathname)).keys;
  assert.deepEqual([key.kty, key.alg, key.use, key.e], ['RSA', 'RS256', 'sig', 'AQAB']);
  assert.equal((await fetch(`${cloud.endpoint}/us-east-1_none/.well-known/jwks.json`)).status, 404);
});

test('a user signs up, confirms the address, and signs in', async () => {
  const name = 'new@example.com';
  const ask = {ClientId: client, Username: name};
  await refused(anybody.send(new idp.SignUpCommand({...ask, Password: 'short'})), 'InvalidPasswordException',
    'Password did not conform with policy: Password not long enough');
  const signedUp = await anybody.send(new idp.SignUpCommand({...ask, Password: PASSWORD}));
  assert.equal(signedUp.UserConfirmed, false);
  assert.deepEqual(signedUp.CodeDeliveryDetails,
    {AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'n***@e***'});
  await refused(anybody.send(new idp.SignUpCommand({...ask, Password: PASSWORD})), 'UsernameExistsException');
  await refused(signIn(name), 'UserNotConfirmedException', 'User is not confirmed.');
  await refused(anybody.send(new idp.ConfirmSignUpCommand({...ask, ConfirmationCode: '0'})), 'CodeMismatchException',
    'Invalid verification code provided, please try again.');
  await code('confirmation code');
  await anybody.send(new idp.ResendConfirmationCodeCommand(ask));
  await anybody.send(new idp.ConfirmSignUpCommand({...ask, ConfirmationCode: await code('confirmation code')}));
  const {AuthenticationResult: tokens} = await signIn('NEW@example.com');
  const user = await anybody.send(new idp.GetUserCommand({AccessToken: tokens.AccessToken}));
  assert.equal(user.Username, signedUp.UserSub);
  assert.ok(user.UserAttributes.some(({Name, Value}) => Name === 'email_verified' && Value === 'true'));
});

test('a user who forgot the password resets it', async () => {
  const ask = {ClientId: client, Username: 'jane@example.com'};
  await admin.send(new idp.AdminSetUserPasswordCommand({
    UserPoolId: pool, Username: ask.Username, Password: PASSWORD, Permanent: true}));
  await anybody.send(new idp.ForgotPasswordCommand(ask));
  await anybody.send(new idp.ConfirmForgotPasswordCommand({
    ...ask, Password: 'Another-horse-2', ConfirmationCode: await code('reset the password')}));
  await refused(signIn(ask.Username), 'NotAuthorizedException', 'Incorrect username or password.');
  const {AuthenticationResult: tokens} = await signIn(ask.Username, 'Another-horse-2');
  await anybody.send(new idp.ChangePasswordCommand({
    AccessToken: tokens.AccessToken, PreviousPassword: 'Another-horse-2', ProposedPassword: PASSWORD}));
  await signIn(ask.Username);
});

test('a client with a secret proves to know it', async () => {
  const {UserPoolClients} = await admin.send(new idp.ListUserPoolClientsCommand({UserPoolId: pool}));
  const {ClientId} = UserPoolClients.find(({ClientName}) => ClientName !== 'app');
  const ask = {ClientId, Username: 'secret@example.com', Password: PASSWORD};
  await refused(anybody.send(new idp.SignUpCommand(ask)), 'NotAuthorizedException',
    `Client ${ClientId} is configured for secret but secret was not received`);
  const SecretHash = crypto.createHmac('sha256', outputs.Secret).update(ask.Username + ClientId).digest('base64');
  await anybody.send(new idp.SignUpCommand({...ask, SecretHash}));
});

test('sessions are refreshed, revoked and ended', async () => {
  await addUser('session@example.com');
  const {AuthenticationResult: tokens} = await signIn('session@example.com');
  const refresh = () => anybody.send(new idp.InitiateAuthCommand({
    ClientId: client, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: {REFRESH_TOKEN: tokens.RefreshToken}}));
  assert.equal((await refresh()).AuthenticationResult.RefreshToken, undefined);
  const {AuthenticationResult: again} = await anybody.send(new idp.GetTokensFromRefreshTokenCommand({
    ClientId: client, RefreshToken: tokens.RefreshToken}));
  await anybody.send(new idp.RevokeTokenCommand({ClientId: client, Token: tokens.RefreshToken}));
  await refused(refresh(), 'NotAuthorizedException', 'Refresh Token has been revoked');
  await refused(anybody.send(new idp.GetUserCommand({AccessToken: again.AccessToken})), 'NotAuthorizedException',
    'Access Token has been revoked');
  const {AuthenticationResult: others} = await signIn('session@example.com');
  await anybody.send(new idp.GlobalSignOutCommand({AccessToken: others.AccessToken}));
  await refused(anybody.send(new idp.GetUserCommand({AccessToken: others.AccessToken})), 'NotAuthorizedException');
});

test('too many failures lock a user out for a time', async () => {
  await addUser('locked@example.com');
  for (let i = 0; i < 5; ++i) {
    await refused(signIn('locked@example.com', 'wrong'), 'NotAuthorizedException', 'Incorrect username or password.');
  }
  await refused(signIn('locked@example.com'), 'NotAuthorizedException', 'Password attempts exceeded');
  await cloud.run(1);
  await signIn('locked@example.com');
  await refused(signIn('nobody@example.com', 'wrong'), 'NotAuthorizedException', 'Incorrect username or password.');
});

test('users are listed by filters and pages', async () => {
  for (const name of ['list1@example.com', 'list2@example.com']) await addUser(name);
  const list = async (options) =>
    (await admin.send(new idp.ListUsersCommand({UserPoolId: pool, ...options}))).Users.map(
      ({Attributes}) => Attributes.find(({Name}) => Name === 'email').Value);
  assert.deepEqual((await list({Filter: 'email ^= "list"'})).sort(), ['list1@example.com', 'list2@example.com']);
  assert.deepEqual(await list({Filter: 'email = "list2@example.com"'}), ['list2@example.com']);
  await refused(list({Filter: 'custom:plan = "free"'}), 'InvalidParameterException');
  const all = new Set();
  for await (const page of idp.paginateListUsers({client: admin, pageSize: 2}, {UserPoolId: pool})) {
    for (const {Username} of page.Users) all.add(Username);
  }
  const {UserPool} = await admin.send(new idp.DescribeUserPoolCommand({UserPoolId: pool}));
  assert.equal(all.size, UserPool.EstimatedNumberOfUsers);
});

test('operations of administrators need a signature', async () => {
  const call = (operation, body) => fetch(cloud.endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.1',
      'X-Amz-Target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify(body),
  });
  const response = await call('AdminGetUser', {UserPoolId: pool, Username: 'jane@example.com'});
  assert.equal(response.status, 400);
  assert.match((await response.json()).__type, /MissingAuthenticationToken/);
  assert.equal((await call('ByoshinGiveTokens', {Username: 'jane@example.com'})).status, 400);
  const unsigned = await call('InitiateAuth', {ClientId: 'x', AuthFlow: 'USER_PASSWORD_AUTH'});
  assert.match((await unsigned.json()).__type, /ResourceNotFoundException/);
  const missing = await call('ListDevices', {AccessToken: 'x'});
  assert.match((await missing.json()).__type, /UnknownOperationException/);
});

// Pools with software tokens. The client is as in Amplify: it sees only what the API answers.
const claimsOf = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));

/** Makes codes as an authenticator app does (RFC 6238). */
function authenticator(secretCode) {
  const bits = [...secretCode].map((c) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  return (seconds) => {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(Math.floor(seconds / 30)));
    const mac = crypto.createHmac('sha1', secret).update(counter).digest();
    const number = mac.readUInt32BE(mac[19] & 15) & 0x7fffffff;
    return String(number % 1e6).padStart(6, '0');
  };
}

/** The cloud's time, in seconds. */
async function cloudTime() {
  const name = 'clock@example.com';
  if (cloudTime.ready === undefined) {
    cloudTime.ready = true;
    await addUser(name);
  }
  return claimsOf((await signIn(name)).AuthenticationResult.AccessToken).iat;
}

async function guardedUser(name) {
  const who = {UserPoolId: outputs.GuardedPool, Username: name};
  await admin.send(new idp.AdminCreateUserCommand({...who, MessageAction: 'SUPPRESS'}));
  await admin.send(new idp.AdminSetUserPasswordCommand({...who, Password: `${PASSWORD}-a`, Permanent: true}));
  return {
    who,
    signIn: () => anybody.send(new idp.InitiateAuthCommand({
      ClientId: outputs.GuardedClient, AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: {USERNAME: name, PASSWORD: `${PASSWORD}-a`}})),
    respond: (ChallengeName, Session, responses = {}) => anybody.send(new idp.RespondToAuthChallengeCommand({
      ClientId: outputs.GuardedClient, ChallengeName, Session, ChallengeResponses: {USERNAME: name, ...responses}})),
  };
}

test('a user sets up an authenticator app and is asked for its codes', async () => {
  assert.deepEqual((({MfaConfiguration, SoftwareTokenMfaConfiguration}) =>
    [MfaConfiguration, SoftwareTokenMfaConfiguration])(
    await admin.send(new idp.GetUserPoolMfaConfigCommand({UserPoolId: outputs.GuardedPool}))),
  ['OPTIONAL', {Enabled: true}]);
  const jane = await guardedUser('jane');
  const {AuthenticationResult: {AccessToken}} = await jane.signIn();
  const {SecretCode} = await anybody.send(new idp.AssociateSoftwareTokenCommand({AccessToken}));
  const codeAt = authenticator(SecretCode);
  await refused(anybody.send(new idp.SetUserMFAPreferenceCommand({
    AccessToken, SoftwareTokenMfaSettings: {Enabled: true}})), 'InvalidParameterException',
  'User has not verified software token mfa');
  await refused(anybody.send(new idp.VerifySoftwareTokenCommand({
    AccessToken, UserCode: codeAt(await cloudTime() - 300)})), 'EnableSoftwareTokenMFAException');
  const used = codeAt(await cloudTime());
  const {Status} = await anybody.send(new idp.VerifySoftwareTokenCommand({
    AccessToken, UserCode: used, FriendlyDeviceName: 'phone'}));
  assert.equal(Status, 'SUCCESS');
  await anybody.send(new idp.SetUserMFAPreferenceCommand({
    AccessToken, SoftwareTokenMfaSettings: {Enabled: true, PreferredMfa: true}}));
  const {UserMFASettingList, PreferredMfaSetting} = await anybody.send(new idp.GetUserCommand({AccessToken}));
  assert.deepEqual([UserMFASettingList, PreferredMfaSetting], [['SOFTWARE_TOKEN_MFA'], 'SOFTWARE_TOKEN_MFA']);

  const asked = await jane.signIn();
  assert.equal(asked.ChallengeName, 'SOFTWARE_TOKEN_MFA');
  assert.equal(asked.ChallengeParameters.FRIENDLY_DEVICE_NAME, 'phone');
  const answer = (code) => jane.respond(asked.ChallengeName, asked.Session, {SOFTWARE_TOKEN_MFA_CODE: code});
  await refused(answer(used), 'ExpiredCodeException', 'Your software token has already been used once.');
  await refused(answer(codeAt(await cloudTime() - 300)), 'CodeMismatchException', 'Invalid code received for user');
  await cloud.run(30);
  const {AuthenticationResult: tokens} = await answer(codeAt(await cloudTime()));
  assert.equal(claimsOf(tokens.IdToken)['cognito:username'], 'jane');
});

test('a pool demands an authenticator app of each user', async () => {
  const config = (MfaConfiguration) => admin.send(new idp.SetUserPoolMfaConfigCommand({
    UserPoolId: outputs.GuardedPool, MfaConfiguration, SoftwareTokenMfaConfiguration: {Enabled: true}}));
  await config('ON');
  const joe = await guardedUser('joe');
  const asked = await joe.signIn();
  assert.equal(asked.ChallengeName, 'MFA_SETUP');
  assert.deepEqual(JSON.parse(asked.ChallengeParameters.MFAS_CAN_SETUP), ['SOFTWARE_TOKEN_MFA']);
  const {SecretCode, Session: second} = await anybody.send(
    new idp.AssociateSoftwareTokenCommand({Session: asked.Session}));
  const codeAt = authenticator(SecretCode);
  const {Session: third} = await anybody.send(new idp.VerifySoftwareTokenCommand({
    Session: second, UserCode: codeAt(await cloudTime())}));
  assert.ok((await joe.respond('MFA_SETUP', third)).AuthenticationResult.AccessToken);
  await cloud.run(30);
  const again = await joe.signIn();
  await joe.respond(again.ChallengeName, again.Session, {SOFTWARE_TOKEN_MFA_CODE: codeAt(await cloudTime())});
  await config('OPTIONAL');
  await admin.send(new idp.AdminSetUserMFAPreferenceCommand({
    ...joe.who, SoftwareTokenMfaSettings: {Enabled: false}}));
  assert.ok((await joe.signIn()).AuthenticationResult);
});

test('a refresh token that was rotated works for the grace period only', async () => {
  const {AuthenticationResult: tokens} = await (await guardedUser('rotating')).signIn();
  const refresh = (RefreshToken) => anybody.send(new idp.GetTokensFromRefreshTokenCommand({
    ClientId: outputs.GuardedClient, RefreshToken}));
  const {AuthenticationResult: next} = await refresh(tokens.RefreshToken);
  assert.notEqual(next.RefreshToken, tokens.RefreshToken);
  await refresh(tokens.RefreshToken);
  await cloud.run(10);
  await refused(refresh(tokens.RefreshToken), 'RefreshTokenReuseException');
  await refresh(next.RefreshToken);
});

// The client's part of SRP, as RFC 5054 and Cognito's clients have it.
const N = BigInt('0x' + crypto.getDiffieHellman('modp15').getPrime('hex'));
const power = (base, exponent) => {
  let result = 1n;
  for (base %= N; exponent > 0n; exponent >>= 1n, base = base * base % N) {
    if (exponent & 1n) result = result * base % N;
  }
  return result;
};
const padded = (number) => {
  const hex = number.toString(16);
  const even = hex.length % 2 ? `0${hex}` : hex;
  return Buffer.from(parseInt(even.slice(0, 2), 16) > 127 ? `00${even}` : even, 'hex');
};
const sha256 = (...parts) => crypto.createHash('sha256').update(Buffer.concat(parts.map((p) => Buffer.from(p)))).digest();
const number = (buffer) => BigInt('0x' + buffer.toString('hex'));

async function srpSignIn(name, password) {
  const a = number(crypto.randomBytes(32));
  const A = power(2n, a);
  const {ChallengeName, ChallengeParameters: asked} = await anybody.send(new idp.InitiateAuthCommand({
    ClientId: client, AuthFlow: 'USER_SRP_AUTH', AuthParameters: {USERNAME: name, SRP_A: A.toString(16)}}));
  assert.equal(ChallengeName, 'PASSWORD_VERIFIER');
  const poolName = pool.split('_')[1];
  const B = BigInt('0x' + asked.SRP_B);
  const k = number(sha256(padded(N), padded(2n)));
  const u = number(sha256(padded(A), padded(B)));
  const x = number(sha256(padded(BigInt('0x' + asked.SALT)),
    sha256(`${poolName}${asked.USER_ID_FOR_SRP}:${password}`)));
  const difference = ((B - k * power(2n, x)) % N + N) % N;
  const S = power(difference, a + u * x);
  const extracted = crypto.createHmac('sha256', padded(u)).update(padded(S)).digest();
  const key = crypto.createHmac('sha256', extracted).update('Caldera Derived Key\u0001').digest().subarray(0, 16);
  const timestamp = 'Tue Nov 17 23:06:54 UTC 2026';
  const signature = crypto.createHmac('sha256', key).update(poolName).update(asked.USER_ID_FOR_SRP)
    .update(Buffer.from(asked.SECRET_BLOCK, 'base64')).update(timestamp).digest('base64');
  return anybody.send(new idp.RespondToAuthChallengeCommand({
    ClientId: client,
    ChallengeName,
    ChallengeResponses: {
      USERNAME: asked.USER_ID_FOR_SRP,
      PASSWORD_CLAIM_SECRET_BLOCK: asked.SECRET_BLOCK,
      PASSWORD_CLAIM_SIGNATURE: signature,
      TIMESTAMP: timestamp,
    },
  }));
}

test('a user signs in with SRP, without sending the password', async () => {
  await addUser('srp@example.com');
  for (let i = 0; i < 3; ++i) {
    const {AuthenticationResult: tokens} = await srpSignIn('srp@example.com', PASSWORD);
    assert.ok(tokens.IdToken);
  }
  await refused(srpSignIn('srp@example.com', 'wrong'), 'NotAuthorizedException', 'Incorrect username or password.');
  await refused(srpSignIn('unknown@example.com', PASSWORD), 'NotAuthorizedException',
    'Incorrect username or password.');
});
