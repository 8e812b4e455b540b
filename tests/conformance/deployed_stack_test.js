// The AWS SDK for JavaScript looks at the deployed scheduler through the API of each of its services, and finds what
// the template says.
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const apigateway = require('@aws-sdk/client-api-gateway');
const cloudformation = require('@aws-sdk/client-cloudformation');
const dynamodb = require('@aws-sdk/client-dynamodb');
const events = require('@aws-sdk/client-eventbridge');
const iam = require('@aws-sdk/client-iam');
const lambda = require('@aws-sdk/client-lambda');
const logs = require('@aws-sdk/client-cloudwatch-logs');
const sqs = require('@aws-sdk/client-sqs');
const sts = require('@aws-sdk/client-sts');
const {stack, physicalId, declared, arnOf, eventually, refused, STACK_NAME, ACCOUNT} = require('./deployed_stack');

const StackName = STACK_NAME;
const queueName = (logicalId) => physicalId(logicalId).split('/').pop();
const queueArn = (logicalId) => arnOf('sqs', queueName(logicalId));
const functionArn = (logicalId) => arnOf('lambda', `function:${physicalId(logicalId)}`);
// A deployment's name ends with a digest of what it deploys.
const deploymentId = () => Object.keys(stack.resources).find((id) => id.startsWith('MockApiKeyDeployment'));
// Long ago, so that no slot of it is anybody else's.
const MINUTE = '2020-01-01T00:0';

test('CloudFormation describes the stack, its parameters and its outputs', async () => {
  const {Stacks: [described]} = await stack.cloudformation.send(new cloudformation.DescribeStacksCommand({StackName}));
  assert.equal(described.StackStatus, 'CREATE_COMPLETE');
  assert.equal(described.Description, stack.template.Description);
  assert.ok(described.CreationTime instanceof Date && Math.abs(Date.now() - described.CreationTime) < 3_600_000);
  assert.match(described.StackId, /^arn:aws:cloudformation:us-east-1:000000000000:stack\/byoshin\/[0-9a-f-]{36}$/);
  const parameters = Object.fromEntries(described.Parameters.map((p) => [p.ParameterKey, p.ParameterValue]));
  assert.deepEqual(Object.keys(parameters).sort(), Object.keys(stack.template.Parameters).sort());
  assert.equal(parameters.LogRetentionDays, '14');
  assert.equal(parameters.TableName, stack.template.Parameters.TableName.Default);
  const outputs = Object.fromEntries(described.Outputs.map((o) => [o.OutputKey, o.OutputValue]));
  assert.deepEqual(Object.keys(outputs).sort(), Object.keys(stack.template.Outputs).sort());
  assert.equal(outputs.MetricsTableName, physicalId('MetricsTable'));
  assert.equal(outputs.MockApiUrl, `https://${physicalId('MockApi')}.execute-api.us-east-1.amazonaws.com/prod`);
  assert.equal(outputs.SchedulingQueueUrl, physicalId('SchedulingQueue'));
  const {StackSummaries} = await stack.cloudformation.send(
    new cloudformation.ListStacksCommand({StackStatusFilter: ['CREATE_COMPLETE']}));
  assert.deepEqual(StackSummaries.map((s) => s.StackName), [StackName]);
});

test('CloudFormation knows every resource of the template, and what became of it', async () => {
  const {StackResources} = await stack.cloudformation.send(
    new cloudformation.DescribeStackResourcesCommand({StackName}));
  assert.deepEqual(
    Object.fromEntries(StackResources.map((r) => [r.LogicalResourceId, r.ResourceType])),
    Object.fromEntries(Object.entries(stack.resources).map(([id, {Type}]) => [id, Type])));
  for (const {LogicalResourceId, ResourceStatus} of StackResources) {
    assert.equal(ResourceStatus, 'CREATE_COMPLETE', LogicalResourceId);
  }
  const {StackResourceDetail} = await stack.cloudformation.send(
    new cloudformation.DescribeStackResourceCommand({StackName, LogicalResourceId: 'MetricsTable'}));
  assert.equal(StackResourceDetail.PhysicalResourceId, stack.template.Parameters.TableName.Default);
  const complete = new Set();
  for await (const page of cloudformation.paginateDescribeStackEvents({client: stack.cloudformation}, {StackName})) {
    for (const event of page.StackEvents) {
      if (event.ResourceStatus === 'CREATE_COMPLETE') complete.add(event.LogicalResourceId);
    }
  }
  assert.deepEqual([...complete].sort(), [StackName, ...Object.keys(stack.resources)].sort());
});

test('CloudFormation gives the template back, and refuses what it does not do', async () => {
  const {TemplateBody} = await stack.cloudformation.send(new cloudformation.GetTemplateCommand({StackName}));
  assert.deepEqual(JSON.parse(TemplateBody), stack.template);
  const validated = await stack.cloudformation.send(new cloudformation.ValidateTemplateCommand({TemplateBody}));
  assert.equal(validated.Parameters.length, Object.keys(stack.template.Parameters).length);
  assert.deepEqual(validated.Capabilities, ['CAPABILITY_IAM']);
  const describe = (name) => stack.cloudformation.send(new cloudformation.DescribeStacksCommand({StackName: name}));
  await refused(describe('none'), 'ValidationError', /^Stack with id none does not exist$/);
  await refused(
    stack.cloudformation.send(new cloudformation.CreateStackCommand({StackName: 'other', TemplateBody: '{}'})),
    'InvalidAction', /byoshin up --template=FILE/);
});

test('SQS has the queues, with their time-outs, policies and dead letters', async () => {
  for (const id of ['SchedulingQueue', 'SchedulingDeadLetterQueue', 'SenderFailureQueue', 'RuleFailureQueue']) {
    const {Attributes} = await stack.sqs.send(
      new sqs.GetQueueAttributesCommand({QueueUrl: physicalId(id), AttributeNames: ['All']}));
    const {VisibilityTimeout = 30, MessageRetentionPeriod, RedrivePolicy} = declared(id);
    assert.equal(Attributes.QueueArn, queueArn(id));
    assert.equal(Attributes.VisibilityTimeout, String(VisibilityTimeout), id);
    assert.equal(Attributes.MessageRetentionPeriod, String(MessageRetentionPeriod), id);
    const [{Sid, Resource}, ...more] = JSON.parse(Attributes.Policy).Statement;
    const [wanted, ...others] = declared(`${id}Policy`).PolicyDocument.Statement;
    assert.deepEqual({Sid, Resource}, {Sid: wanted.Sid, Resource: queueArn(id)});
    assert.equal(more.length, others.length, id);
    if (!RedrivePolicy) continue;
    assert.deepEqual(JSON.parse(Attributes.RedrivePolicy), {
      deadLetterTargetArn: queueArn(RedrivePolicy.deadLetterTargetArn['Fn::GetAtt'][0]),
      maxReceiveCount: RedrivePolicy.maxReceiveCount,
    });
  }
});

test('DynamoDB has the table, with its keys', async () => {
  const {Table} = await stack.dynamodb.send(
    new dynamodb.DescribeTableCommand({TableName: physicalId('MetricsTable')}));
  const {KeySchema, AttributeDefinitions, BillingMode, DeletionProtectionEnabled} = declared('MetricsTable');
  assert.deepEqual(Table.KeySchema, KeySchema);
  assert.deepEqual(Table.AttributeDefinitions, AttributeDefinitions);
  assert.equal(Table.BillingModeSummary.BillingMode, BillingMode);
  assert.equal(Table.DeletionProtectionEnabled, DeletionProtectionEnabled);
});

test('EventBridge has the rule and its target, and turns it off and on', async () => {
  const Name = physicalId('ScheduleRule');
  const {ScheduleExpression, Description, Targets: [target]} = declared('ScheduleRule');
  const rule = await stack.events.send(new events.DescribeRuleCommand({Name}));
  assert.equal(rule.ScheduleExpression, ScheduleExpression);
  assert.equal(rule.Description, Description);
  assert.equal(rule.State, 'DISABLED', 'as the tests began');
  const {Targets} = await stack.events.send(new events.ListTargetsByRuleCommand({Rule: Name}));
  assert.deepEqual(Targets, [{
    Id: target.Id,
    Arn: functionArn('SenderFunction'),
    RetryPolicy: target.RetryPolicy,
    DeadLetterConfig: {Arn: queueArn('RuleFailureQueue')},
  }]);
  const {Rules} = await stack.events.send(new events.ListRulesCommand({NamePrefix: Name}));
  assert.deepEqual(Rules.map((r) => r.Arn), [arnOf('events', `rule/${Name}`)]);
  const {RuleNames} = await stack.events.send(
    new events.ListRuleNamesByTargetCommand({TargetArn: functionArn('SenderFunction')}));
  assert.deepEqual(RuleNames, [Name]);
  const stateAfter = async (command) => {
    await stack.events.send(command);
    return (await stack.events.send(new events.DescribeRuleCommand({Name}))).State;
  };
  assert.equal(await stateAfter(new events.EnableRuleCommand({Name})), 'ENABLED');
  assert.equal(await stateAfter(new events.DisableRuleCommand({Name})), 'DISABLED');
  await refused(stack.events.send(new events.EnableRuleCommand({Name: 'none'})),
    'ResourceNotFoundException', /^Rule none does not exist on EventBus default\.$/);
});

test('Lambda has the functions, with their settings', async () => {
  for (const id of ['SenderFunction', 'CollectorFunction', 'MockApiFunction']) {
    const {Configuration} = await stack.lambda.send(new lambda.GetFunctionCommand({FunctionName: physicalId(id)}));
    const {Description, Handler, MemorySize, Runtime, Timeout, Environment, LoggingConfig} = declared(id);
    for (const [name, value] of Object.entries({Description, Handler, MemorySize, Runtime, Timeout})) {
      assert.equal(Configuration[name], value, `${id}: ${name}`);
    }
    assert.deepEqual(Object.keys(Configuration.Environment?.Variables ?? {}).sort(),
      Object.keys(Environment?.Variables ?? {}).sort(), id);
    assert.equal(Configuration.LoggingConfig.LogGroup, physicalId(LoggingConfig.LogGroup.Ref));
    assert.equal(Configuration.LoggingConfig.LogFormat, LoggingConfig.LogFormat);
  }
  const sender = await stack.lambda.send(
    new lambda.GetFunctionConfigurationCommand({FunctionName: physicalId('SenderFunction')}));
  assert.deepEqual(sender.Environment.Variables, {QUEUE_URL: physicalId('SchedulingQueue'), WINDOW_LAG_SECONDS: '0'});
  const {Functions} = await stack.lambda.send(new lambda.ListFunctionsCommand({}));
  assert.equal(Functions.length, 3);
});

test('Lambda takes messages from the queue as the template says', async () => {
  const {EventSourceMappings: [mapping, ...more]} = await stack.lambda.send(
    new lambda.ListEventSourceMappingsCommand({FunctionName: physicalId('CollectorFunction')}));
  assert.equal(more.length, 0);
  const {BatchSize, FunctionResponseTypes, ScalingConfig} = declared('CollectorEventSource');
  assert.equal(mapping.UUID, physicalId('CollectorEventSource'));
  assert.equal(mapping.BatchSize, BatchSize);
  assert.deepEqual(mapping.FunctionResponseTypes, FunctionResponseTypes);
  assert.deepEqual(mapping.ScalingConfig, ScalingConfig);
  assert.equal(mapping.EventSourceArn, queueArn('SchedulingQueue'));
  assert.equal(mapping.FunctionArn, functionArn('CollectorFunction'));
  assert.equal(mapping.State, 'Enabled');
});

test('Lambda knows who may invoke the functions, and what becomes of what fails', async () => {
  const statements = async (id) => JSON.parse(
    (await stack.lambda.send(new lambda.GetPolicyCommand({FunctionName: physicalId(id)}))).Policy).Statement;
  const [schedule] = await statements('SenderFunction');
  assert.equal(schedule.Principal.Service, declared('SchedulePermission').Principal);
  assert.equal(schedule.Condition.ArnLike['AWS:SourceArn'], arnOf('events', `rule/${physicalId('ScheduleRule')}`));
  const calls = await statements('MockApiFunction');
  const permissions = ['HealthPermission', 'ResponseCountPermission'];
  assert.deepEqual(calls.map((s) => s.Sid).sort(), permissions.map(physicalId).sort());
  await refused(statements('CollectorFunction'), 'ResourceNotFoundException', /does not exist/);
  const config = await stack.lambda.send(
    new lambda.GetFunctionEventInvokeConfigCommand({FunctionName: physicalId('SenderFunction')}));
  const {MaximumRetryAttempts, MaximumEventAgeInSeconds} = declared('SenderInvokeConfig');
  assert.equal(config.MaximumRetryAttempts, MaximumRetryAttempts);
  assert.equal(config.MaximumEventAgeInSeconds, MaximumEventAgeInSeconds);
  assert.equal(config.DestinationConfig.OnFailure.Destination, queueArn('SenderFailureQueue'));
  const mapping = await stack.lambda.send(
    new lambda.GetEventSourceMappingCommand({UUID: physicalId('CollectorEventSource')}));
  assert.equal(mapping.EventSourceArn, queueArn('SchedulingQueue'));
});

test('IAM has the roles, with what they allow', async () => {
  for (const id of ['SenderRole', 'CollectorRole', 'MockApiRole', 'ApiGatewayLogRole']) {
    const RoleName = physicalId(id);
    const {Description, AssumeRolePolicyDocument, Policies = [], ManagedPolicyArns = []} = declared(id);
    const {Role} = await stack.iam.send(new iam.GetRoleCommand({RoleName}));
    assert.equal(Role.Arn, `arn:aws:iam::${ACCOUNT}:role/${RoleName}`);
    assert.equal(Role.Description, Description);
    assert.deepEqual(JSON.parse(decodeURIComponent(Role.AssumeRolePolicyDocument)), AssumeRolePolicyDocument);
    const {PolicyNames} = await stack.iam.send(new iam.ListRolePoliciesCommand({RoleName}));
    assert.deepEqual(PolicyNames, Policies.map((p) => p.PolicyName), id);
    const {AttachedPolicies} = await stack.iam.send(new iam.ListAttachedRolePoliciesCommand({RoleName}));
    assert.equal(AttachedPolicies.length, ManagedPolicyArns.length, id);
  }
  const {PolicyDocument} = await stack.iam.send(
    new iam.GetRolePolicyCommand({RoleName: physicalId('SenderRole'), PolicyName: 'SenderPolicy'}));
  const [send] = JSON.parse(decodeURIComponent(PolicyDocument)).Statement;
  assert.deepEqual(send, {Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queueArn('SchedulingQueue')});
  const {Roles} = await stack.iam.send(new iam.ListRolesCommand({}));
  assert.equal(Roles.length, 4);
  await refused(stack.iam.send(new iam.GetRoleCommand({RoleName: 'none'})),
    'NoSuchEntityException', /^The role with name none cannot be found\.$/);
  const {Account, Arn} = await stack.sts.send(new sts.GetCallerIdentityCommand({}));
  assert.equal(Account, ACCOUNT);
  assert.equal(Arn, `arn:aws:iam::${ACCOUNT}:root`);
});

test('API Gateway has the API, its paths, its stage and its key', async () => {
  const restApiId = physicalId('MockApi');
  const {items: [api]} = await stack.apigateway.send(new apigateway.GetRestApisCommand({}));
  assert.equal(api.id, restApiId);
  assert.equal(api.name, declared('MockApi').Name);
  assert.equal(api.description, declared('MockApi').Description);
  assert.deepEqual(api.endpointConfiguration.types, declared('MockApi').EndpointConfiguration.Types);
  const {name} = await stack.apigateway.send(new apigateway.GetRestApiCommand({restApiId}));
  assert.equal(name, api.name);
  const {items: resources} = await stack.apigateway.send(new apigateway.GetResourcesCommand({restApiId}));
  const paths = Object.fromEntries(resources.map((r) => [r.path, r]));
  assert.deepEqual(Object.keys(paths).sort(), ['/', '/health', '/response_count']);
  assert.equal(paths['/response_count'].id, physicalId('ResponseCountResource'));
  const where = {restApiId, resourceId: physicalId('ResponseCountResource'), httpMethod: 'GET'};
  const method = await stack.apigateway.send(new apigateway.GetMethodCommand(where));
  assert.equal(method.apiKeyRequired, true);
  const integration = await stack.apigateway.send(new apigateway.GetIntegrationCommand(where));
  assert.equal(integration.type, 'AWS_PROXY');
  assert.ok(integration.uri.endsWith(`/functions/${functionArn('MockApiFunction')}/invocations`), integration.uri);
  const stage = await stack.apigateway.send(new apigateway.GetStageCommand({restApiId, stageName: 'prod'}));
  const [settings] = declared('MockApiStage').MethodSettings;
  assert.equal(stage.deploymentId, physicalId(deploymentId()));
  assert.equal(stage.methodSettings['*/*'].throttlingRateLimit, settings.ThrottlingRateLimit);
  assert.equal(stage.methodSettings['*/*'].throttlingBurstLimit, settings.ThrottlingBurstLimit);
  assert.equal(stage.accessLogSettings.format, declared('MockApiStage').AccessLogSetting.Format);
  assert.equal(stage.tags.Application, 'byoshin');
  const {items: [plan]} = await stack.apigateway.send(new apigateway.GetUsagePlansCommand({}));
  assert.deepEqual(plan.apiStages, [{apiId: restApiId, stage: 'prod'}]);
  assert.deepEqual(plan.throttle, {rateLimit: 50, burstLimit: 25});
  const {items: [key]} = await stack.apigateway.send(new apigateway.GetApiKeysCommand({}));
  assert.equal(key.id, physicalId('MockApiKey'));
  assert.equal(key.value, undefined);
  await refused(stack.apigateway.send(new apigateway.GetStageCommand({restApiId, stageName: 'none'})),
    'NotFoundException', /^Invalid stage identifier specified$/);
});

test('The stage answers those with the key, and its access log tells of it', async () => {
  const base = `${stack.url}/restapis/${physicalId('MockApi')}/prod/_user_request_`;
  const query = 'from=2020-01-01T00:00:00Z&to=2020-01-01T00:00:05Z';
  const {value} = await stack.apigateway.send(
    new apigateway.GetApiKeyCommand({apiKey: physicalId('MockApiKey'), includeValue: true}));
  const shut = await fetch(`${base}/response_count?${query}`);
  assert.equal(shut.status, 403);
  const open = await fetch(`${base}/response_count?${query}`, {headers: {'x-api-key': value}});
  assert.equal(open.status, 200);
  assert.equal(typeof (await open.json()).count, 'number');
  const answer = await eventually(
    () => stack.logs.send(new logs.FilterLogEventsCommand({
      logGroupName: physicalId('MockApiAccessLogGroup'), filterPattern: 'response_count',
    })),
    ({events: found}) => found.length >= 2);
  assert.deepEqual(answer.events.map((e) => JSON.parse(e.message).status).sort(), ['200', '403']);
});

test('CloudWatch Logs has the groups, with their retention', async () => {
  const ids = ['SenderLogGroup', 'CollectorLogGroup', 'MockApiLogGroup', 'MockApiAccessLogGroup'];
  const {logGroups} = await stack.logs.send(
    new logs.DescribeLogGroupsCommand({logGroupNamePrefix: `/byoshin/${StackName}/`}));
  assert.deepEqual(logGroups.map((g) => g.logGroupName).sort(), ids.map(physicalId).sort());
  for (const group of logGroups) {
    assert.equal(group.retentionInDays, 14);
    assert.equal(group.arn, arnOf('logs', `log-group:${group.logGroupName}:*`));
  }
  await refused(stack.logs.send(new logs.FilterLogEventsCommand({logGroupName: '/none'})),
    'ResourceNotFoundException', /^The specified log group does not exist\.$/);
});

test('A Sender that is invoked puts twelve messages on the queue, and its log tells of it', async () => {
  const {Payload, StatusCode, FunctionError, $metadata} = await stack.lambda.send(new lambda.InvokeCommand({
    FunctionName: physicalId('SenderFunction'),
    Payload: JSON.stringify({time: `${MINUTE}0:00Z`}),
  }));
  assert.equal(StatusCode, 200);
  assert.equal(FunctionError, undefined);
  assert.equal(JSON.parse(Buffer.from(Payload)).sent, 12);
  // The Collector takes each as it becomes due, so a slot is on the queue or in the table. What changes from the one to
  // the other between the two questions is seen twice, but none is seen nowhere.
  const {Attributes} = await stack.sqs.send(
    new sqs.GetQueueAttributesCommand({QueueUrl: physicalId('SchedulingQueue'), AttributeNames: ['All']}));
  const queued = ['', 'NotVisible', 'Delayed']
    .reduce((sum, which) => sum + Number(Attributes[`ApproximateNumberOfMessages${which}`]), 0);
  const records = async () => (await stack.dynamodb.send(new dynamodb.QueryCommand({
    TableName: physicalId('MetricsTable'),
    KeyConditionExpression: 'metricName = :m AND begins_with(slotTime, :t)',
    ExpressionAttributeValues: {':m': {S: 'ai_response_count'}, ':t': {S: MINUTE}},
  }))).Items;
  const stored = (await records()).length;
  assert.ok(queued + stored >= 12, `${queued} on the queue and ${stored} stored`);
  // The first is due at once.
  const [first] = await eventually(records, (items) => items.length > 0);
  assert.match(first.slotTime.S, /^2020-01-01T00:00:00Z$/);

  const logGroupName = physicalId('SenderLogGroup');
  const {events: found} = await eventually(
    () => stack.logs.send(new logs.FilterLogEventsCommand({
      logGroupName, filterPattern: `"${$metadata.requestId}" "platform.report"`,
    })),
    (answer) => answer.events.length > 0);
  assert.equal(JSON.parse(found[0].message).record.requestId, $metadata.requestId);
  const {logStreams: [newest]} = await stack.logs.send(
    new logs.DescribeLogStreamsCommand({logGroupName, orderBy: 'LastEventTime', descending: true, limit: 1}));
  const messages = [];
  const config = {client: stack.logs, pageSize: 2, stopOnSameToken: true};
  const wanted = {logGroupName, logStreamName: newest.logStreamName, startFromHead: true};
  for await (const page of logs.paginateGetLogEvents(config, wanted)) {
    messages.push(...page.events.map((event) => event.message));
  }
  assert.ok(messages.includes(found[0].message));
});
