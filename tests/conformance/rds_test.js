// The AWS SDK for JavaScript describes and changes a cluster that a template has made.
'use strict';

const assert = require('node:assert/strict');
const {test, before, after} = require('node:test');
const {startServe, CREDENTIALS, REGION} = require('./serve');
const rds = require('@aws-sdk/client-rds');
const {CloudFormationClient, DescribeStacksCommand} = require('@aws-sdk/client-cloudformation');
const {GetSecretValueCommand, SecretsManagerClient} = require('@aws-sdk/client-secrets-manager');

const [program, template] = process.argv.slice(2);
const ARN = `arn:aws:rds:${REGION}:000000000000:cluster:orders`;
const NAME = {DBClusterIdentifier: 'orders'};

let serve;
let clients;
let outputs;

const describe = async () => (await clients.rds.send(new rds.DescribeDBClustersCommand(NAME))).DBClusters[0];

before(async () => {
  serve = await startServe(program, ['--in-memory', `--template=${template}`], {command: ['up']});
  const options = {endpoint: serve.url, region: REGION, credentials: CREDENTIALS, maxAttempts: 1};
  clients = {
    rds: new rds.RDSClient(options),
    secrets: new SecretsManagerClient(options),
    cloudformation: new CloudFormationClient(options),
  };
  const {Stacks} = await clients.cloudformation.send(new DescribeStacksCommand({StackName: 'byoshin'}));
  outputs = Object.fromEntries(Stacks[0].Outputs.map(({OutputKey, OutputValue}) => [OutputKey, OutputValue]));
});

after(async () => {
  for (const client of Object.values(clients)) client.destroy();
  const {code, signal} = await serve.stop();
  assert.deepEqual({code, signal}, {code: 0, signal: null}, serve.output.join('\n'));
});

test('a cluster is described as the template made it', async () => {
  const cluster = await describe();
  assert.equal(cluster.DBClusterArn, ARN);
  assert.equal(cluster.Status, 'available');
  assert.equal(cluster.Engine, 'aurora-postgresql');
  assert.equal(cluster.EngineVersion, '16.4');
  assert.equal(cluster.DatabaseName, 'shop');
  assert.equal(cluster.MasterUsername, 'app');
  assert.equal(cluster.Endpoint, outputs.Address);
  assert.equal(cluster.Port, 5432);
  assert.equal(cluster.HttpEndpointEnabled, true);
  assert.equal(cluster.StorageEncrypted, true);
  assert.equal(cluster.BackupRetentionPeriod, 7);
  assert.equal(cluster.DBSubnetGroup, 'inner');
  assert.deepEqual(cluster.ServerlessV2ScalingConfiguration, {MinCapacity: 0.5, MaxCapacity: 4});
  assert.deepEqual(cluster.TagList, [{Key: 'team', Value: 'shop'}]);
  assert.equal(cluster.DBClusterMembers[0].DBInstanceIdentifier, 'orders-writer');
  assert.equal(cluster.DBClusterMembers[0].IsClusterWriter, true);
  assert.ok(cluster.ClusterCreateTime instanceof Date);
  assert.equal(outputs.Arn, ARN);
});

test('the password of the master user is in the secret that the cluster names', async () => {
  const cluster = await describe();
  assert.equal(cluster.MasterUserSecret.SecretArn, outputs.Secret);
  assert.equal(cluster.MasterUserSecret.SecretStatus, 'active');
  const {Name, SecretString} = await clients.secrets.send(new GetSecretValueCommand({SecretId: outputs.Secret}));
  assert.match(Name, /^rds!cluster-/);
  const {username, password} = JSON.parse(SecretString);
  assert.equal(username, 'app');
  assert.match(password, /^.{32,}$/);
});

test('instances and groups are described', async () => {
  const {DBInstances} = await clients.rds.send(new rds.DescribeDBInstancesCommand({
    Filters: [{Name: 'db-cluster-id', Values: ['orders']}]}));
  assert.equal(DBInstances.length, 1);
  assert.equal(DBInstances[0].DBInstanceClass, 'db.serverless');
  assert.equal(DBInstances[0].DBInstanceStatus, 'available');
  assert.equal(DBInstances[0].Endpoint.Port, 5432);
  const {DBSubnetGroups} = await clients.rds.send(new rds.DescribeDBSubnetGroupsCommand({}));
  assert.deepEqual(DBSubnetGroups[0].Subnets.map(({SubnetIdentifier}) => SubnetIdentifier), ['subnet-1', 'subnet-2']);
  const {TagList} = await clients.rds.send(new rds.ListTagsForResourceCommand({ResourceName: ARN}));
  assert.deepEqual(TagList, [{Key: 'team', Value: 'shop'}]);
});

test('waiters and paginators of the SDK understand the answers', async () => {
  const {state} = await rds.waitUntilDBClusterAvailable({client: clients.rds, maxWaitTime: 60}, NAME);
  assert.equal(state, 'SUCCESS');
  let count = 0;
  for await (const page of rds.paginateDescribeDBClusters({client: clients.rds}, {})) count += page.DBClusters.length;
  assert.equal(count, 1);
});

test('errors have the names that the SDK knows', async () => {
  const missing = {DBClusterIdentifier: 'missing'};
  await assert.rejects(clients.rds.send(new rds.DescribeDBClustersCommand(missing)), rds.DBClusterNotFoundFault);
  await assert.rejects(
    clients.rds.send(new rds.DescribeDBInstancesCommand({DBInstanceIdentifier: 'missing'})), rds.DBInstanceNotFoundFault);
  await assert.rejects(clients.rds.send(new rds.StartDBClusterCommand(NAME)), rds.InvalidDBClusterStateFault);
});

test('a cluster is changed, stopped and started', async () => {
  const {HttpEndpointEnabled} = await clients.rds.send(new rds.DisableHttpEndpointCommand({ResourceArn: ARN}));
  assert.equal(HttpEndpointEnabled, false);
  assert.equal((await describe()).HttpEndpointEnabled, false);
  const {DBCluster} = await clients.rds.send(new rds.ModifyDBClusterCommand({
    ...NAME, EnableHttpEndpoint: true, ServerlessV2ScalingConfiguration: {MinCapacity: 1, MaxCapacity: 2}}));
  assert.equal(DBCluster.HttpEndpointEnabled, true);
  assert.deepEqual(DBCluster.ServerlessV2ScalingConfiguration, {MinCapacity: 1, MaxCapacity: 2});
  await clients.rds.send(new rds.StopDBClusterCommand(NAME));
  assert.equal((await describe()).Status, 'stopped');
  await clients.rds.send(new rds.StartDBClusterCommand(NAME));
  assert.equal((await describe()).Status, 'available');
});
