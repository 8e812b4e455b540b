// The AWS SDK for JavaScript drives Secrets Manager, on simulated time.
'use strict';

const assert = require('node:assert/strict');
const {before, after, test} = require('node:test');
const sm = require('@aws-sdk/client-secrets-manager');
const {startSimulatedCloud} = require('./simulated_cloud');

const [program, template] = process.argv.slice(2);
const DAY_SECONDS = 86_400;

let cloud;
let client;
const send = (command) => client.send(command);

before(async () => {
  cloud = await startSimulatedCloud(program, [`--template=${template}`]);
  client = cloud.client(sm.SecretsManagerClient);
});
after(() => cloud.stop());

test('a secret has versions and stages', async () => {
  const created = await send(new sm.CreateSecretCommand({Name: 'app/db', SecretString: 'v1', Tags: [{Key: 'a', Value: 'b'}]}));
  assert.match(created.ARN, /^arn:aws:secretsmanager:us-east-1:000000000000:secret:app\/db-[A-Za-z0-9]{6}$/);
  const put = await send(new sm.PutSecretValueCommand({SecretId: created.ARN, SecretString: 'v2'}));
  assert.deepEqual(put.VersionStages, ['AWSCURRENT']);
  const current = await send(new sm.GetSecretValueCommand({SecretId: 'app/db'}));
  assert.equal(current.SecretString, 'v2');
  assert.ok(current.CreatedDate instanceof Date);
  const previous = await send(new sm.GetSecretValueCommand({SecretId: 'app/db', VersionStage: 'AWSPREVIOUS'}));
  assert.equal(previous.SecretString, 'v1');
  assert.equal(previous.VersionId, created.VersionId);
  await send(new sm.UpdateSecretVersionStageCommand({
    SecretId: 'app/db', VersionStage: 'AWSCURRENT', RemoveFromVersionId: put.VersionId, MoveToVersionId: created.VersionId}));
  const described = await send(new sm.DescribeSecretCommand({SecretId: 'app/db'}));
  assert.deepEqual(described.VersionIdsToStages, {[created.VersionId]: ['AWSCURRENT'], [put.VersionId]: ['AWSPREVIOUS']});
  assert.deepEqual(described.Tags, [{Key: 'a', Value: 'b'}]);
  const versions = await send(new sm.ListSecretVersionIdsCommand({SecretId: 'app/db'}));
  assert.equal(versions.Versions.length, 2);
});

test('a value may be bytes', async () => {
  await send(new sm.CreateSecretCommand({Name: 'bytes', SecretBinary: Buffer.from([0, 255])}));
  const {SecretBinary} = await send(new sm.GetSecretValueCommand({SecretId: 'bytes'}));
  assert.deepEqual([...SecretBinary], [0, 255]);
});

test('secrets are listed and read in batches', async () => {
  for (const name of ['list/a', 'list/b']) await send(new sm.CreateSecretCommand({Name: name, SecretString: name}));
  const names = [];
  const filter = {Filters: [{Key: 'name', Values: ['list/']}]};
  for await (const page of sm.paginateListSecrets({client, pageSize: 1}, filter)) {
    names.push(...page.SecretList.map(({Name}) => Name));
  }
  assert.deepEqual(names, ['list/a', 'list/b']);
  const batch = await send(new sm.BatchGetSecretValueCommand({SecretIdList: ['list/b', 'none']}));
  assert.deepEqual(batch.SecretValues.map(({SecretString}) => SecretString), ['list/b']);
  assert.deepEqual(batch.Errors.map(({ErrorCode}) => ErrorCode), ['ResourceNotFoundException']);
});

test('a deleted secret can be restored, and is gone after its recovery window', async () => {
  await send(new sm.CreateSecretCommand({Name: 'doomed', SecretString: 'x'}));
  await send(new sm.DeleteSecretCommand({SecretId: 'doomed', RecoveryWindowInDays: 7}));
  await assert.rejects(send(new sm.GetSecretValueCommand({SecretId: 'doomed'})), sm.InvalidRequestException);
  await send(new sm.RestoreSecretCommand({SecretId: 'doomed'}));
  await send(new sm.DeleteSecretCommand({SecretId: 'doomed', RecoveryWindowInDays: 7}));
  await cloud.run(7 * DAY_SECONDS - 1);
  assert.ok((await send(new sm.DescribeSecretCommand({SecretId: 'doomed'}))).DeletedDate);
  await cloud.run(1);
  await assert.rejects(send(new sm.DescribeSecretCommand({SecretId: 'doomed'})), sm.ResourceNotFoundException);
});

test('errors are those of the SDK', async () => {
  await send(new sm.CreateSecretCommand({Name: 'taken'}));
  await assert.rejects(send(new sm.CreateSecretCommand({Name: 'taken'})), sm.ResourceExistsException);
  await assert.rejects(
    send(new sm.GetSecretValueCommand({SecretId: 'taken'})),
    {name: 'ResourceNotFoundException', message: "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT"});
  await assert.rejects(send(new sm.DeleteSecretCommand({SecretId: 'taken', RecoveryWindowInDays: 5})), sm.InvalidParameterException);
  await assert.rejects(send(new sm.ListSecretsCommand({NextToken: '?'})), sm.InvalidNextTokenException);
  await assert.rejects(
    send(new sm.PutResourcePolicyCommand({SecretId: 'taken', ResourcePolicy: '{'})), sm.MalformedPolicyDocumentException);
  await assert.rejects(send(new sm.RotateSecretCommand({SecretId: 'taken'})), /does not rotate/);
});

test('passwords are random and follow the rules', async () => {
  const {RandomPassword} = await send(new sm.GetRandomPasswordCommand({PasswordLength: 100, ExcludePunctuation: true}));
  assert.match(RandomPassword, /^[A-Za-z0-9]{100}$/);
});

test('a template generates a password, and refers to it', async () => {
  const {SecretString} = await send(new sm.GetSecretValueCommand({SecretId: 'generated'}));
  const {username, password} = JSON.parse(SecretString);
  assert.equal(username, 'postgres');
  assert.match(password, /^[^"@/\\]{30}$/);
  assert.equal((await send(new sm.GetSecretValueCommand({SecretId: 'copied'}))).SecretString, password);
});
