// Tries values out on the parameters of templates: sensible ones are taken, and
// others are refused before anything is created.
//
//   parameters_test.js TEMPLATE...
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');

// Those of every stack.
const COMMON = {
  CodeBucket: {
    good: ['abc', 'my-bucket.eu', 'a1234'],
    bad: ['', 'ab', 'My-Bucket', '-abc', 'abc-', 'a_b_c'],
  },
  CodePrefix: {good: ['', 'byoshin/', 'a/b.c/'], bad: ['/', 'a', '/a/', 'a//']},
  LogRetentionDays: {good: ['1', '30', '3653'], bad: ['', '0', '2', '31']},
  Tracing: {good: ['Active', 'PassThrough'], bad: ['', 'active']},
  AlarmEmail: {
    good: ['', 'ops@example.com'],
    bad: ['ops', 'ops@example', 'a b@example.com', 'a@b@example.com'],
  },
  Architecture: {good: ['x86_64'], bad: ['', 'arm64']},
};

const CASES = {
  scheduler: {
    SetApiGatewayLogRole: {good: ['true', 'false'], bad: ['', 'yes']},
    SenderCode: {good: ['sender-0a.zip'], bad: ['', 'sender', 'a/sender.zip', 'x.zip/']},
    CollectorCode: {good: ['collector-0a.zip'], bad: ['']},
    MockApiCode: {good: ['mock_api-0a.zip'], bad: ['']},
    ApiBaseUrl: {
      good: ['', 'https://api.example.com/v1', 'http://10.0.0.1:8080'],
      bad: ['api.example.com', 'ftp://x', 'https://', 'https://a b', 'https://x/?q=1',
        'https://u:p@x/', 'https://x/#a'],
    },
    MockApiAccess: {good: ['public', 'key', 'none'], bad: ['', 'Public']},
    WindowLagSeconds: {
      good: ['0', '5', '10', '65', '9995'],
      bad: ['', '-5', '1', '7', '05', '12', '5.0', '10000'],
    },
    TableName: {good: ['AiResponseMetrics', 'a.b-c_d'], bad: ['', 'ab', 'a b', 'tabl\u00e9']},
    ReservedConcurrency: {good: ['0', '10', '100'], bad: ['', '1', '9', '-1']},
  },
  mesh: {
    CreateGroupCode: {good: ['mesh-0a.zip'], bad: ['', 'a/b.zip']},
    LeaveGroupCode: {good: ['mesh-0a.zip'], bad: ['', 'a/b.zip']},
    DissolveGroupCode: {good: ['mesh-0a.zip'], bad: ['', 'a/b.zip']},
    FireEventsCode: {good: ['mesh-0a.zip'], bad: ['', 'a/b.zip']},
    Stage: {good: ['production', 'development'], bad: ['', 'prod', 'test']},
    MaxConnectionTimeSeconds: {good: ['0', '60', '86400'], bad: ['', '-1', '86401', 'long']},
    TableName: {good: ['MeshV2Table', 'a.b-c_d'], bad: ['', 'ab', 'a b', 'tabl\u00e9']},
    ApiKeyExpires: {good: ['0', '1795000000'], bad: ['', '-1', 'tomorrow']},
  },
  generation: {
    SetApiGatewayLogRole: {good: ['true', 'false'], bad: ['', 'yes']},
    AsyncProcessingHandlerCode: {good: ['generation-0a.zip'], bad: ['', 'a/b.zip']},
    StatusCheckHandlerCode: {good: ['generation-0a.zip'], bad: ['', 'a/b.zip']},
    RetryHandlerCode: {good: ['generation-0a.zip'], bad: ['', 'a/b.zip']},
    CancelHandlerCode: {good: ['generation-0a.zip'], bad: ['', 'a/b.zip']},
    HistoryHandlerCode: {good: ['generation-0a.zip'], bad: ['', 'a/b.zip']},
    UpdateProcessingStateCode: {good: ['generation-0a.zip'], bad: ['', 'a/b.zip']},
    AIGenerationWorkerCode: {good: ['generation-0a.zip'], bad: ['', 'a/b.zip']},
    MigrationCode: {good: ['generation-0a.zip'], bad: ['', 'a/b.zip']},
    CleanUpCode: {good: ['generation-0a.zip'], bad: ['', 'a/b.zip']},
    StageName: {good: ['prod', 'v1'], bad: ['', 'a-b', 'a/b']},
    AllowedOrigin: {
      good: ['*', 'https://app.example.com', 'http://localhost:5173'],
      bad: ['', 'app.example.com', 'https://app.example.com/', 'https://a,https://b', "'"],
    },
    SelfSignUp: {good: ['true', 'false'], bad: ['', 'yes']},
    ModelId: {
      good: ['amazon.nova-lite-v1:0', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
      bad: ['', 'nova', 'a b.c', 'arn:aws:bedrock:x'],
    },
    ModelProfile: {good: ['', 'us', 'global'], bad: ['us.', 'xx']},
    ModelTemperature: {good: ['0', '0.7', '1', '1.0'], bad: ['', '-1', '1.1', '2', 'warm']},
    ModelMaxTokens: {good: ['256', '4096'], bad: ['', '0', '255', '-1', '1000000', 'many']},
    ModelRequestsPerMinute: {good: ['0', '200'], bad: ['', '-1', '1.5e10']},
    ModelTokensPerMinute: {good: ['0', '200000'], bad: ['', '-1']},
    ReserveConcurrency: {good: ['true', 'false'], bad: ['', '10']},
    DatabaseMinCapacity: {good: ['0', '0.5', '8'], bad: ['', '0.25', '-1']},
    DatabaseMaxCapacity: {good: ['1', '128'], bad: ['', '0', '0.5', '256']},
    DatabaseSubnetGroup: {good: ['', 'private-1'], bad: ['a/b', 'a,b']},
    DatabaseSecurityGroup: {good: ['', 'sg-0123456789abcdef0'], bad: ['sg', 'vpc-01234567', 'sg-xyz']},
  },
};

function takes(parameter, value) {
  if (parameter.AllowedValues) return parameter.AllowedValues.map(String).includes(value);
  if (parameter.Type === 'Number') {
    return value !== '' && Number(value) >= parameter.MinValue && Number(value) <= parameter.MaxValue;
  }
  return new RegExp(parameter.AllowedPattern).test(value);
}

function limits(parameter) {
  return parameter.AllowedValues || parameter.AllowedPattern ||
      ('MinValue' in parameter && 'MaxValue' in parameter);
}

for (const file of process.argv.slice(2)) {
  const cases = {...COMMON, ...CASES[path.basename(file).split('.')[0]]};
  const {Parameters: parameters} = JSON.parse(fs.readFileSync(file, 'utf8'));
  assert.deepStrictEqual(Object.keys(parameters).sort(), Object.keys(cases).sort());
  for (const [name, {good, bad}] of Object.entries(cases)) {
    const parameter = parameters[name];
    assert(limits(parameter), `${name} takes anything`);
    for (const value of good) assert(takes(parameter, value), `${name} refuses "${value}"`);
    for (const value of bad) assert(!takes(parameter, value), `${name} takes "${value}"`);
    if ('Default' in parameter) {
      assert(takes(parameter, String(parameter.Default)), `${name} refuses its default`);
    }
  }
  console.log(`${file}: ${Object.keys(cases).length} parameters tried`);
}
