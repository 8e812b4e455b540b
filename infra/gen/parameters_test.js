// Tries values out on the parameters of the scheduler's template: sensible ones
// are taken, and others are refused before anything is created.
//
//   parameters_test.js TEMPLATE
'use strict';

const assert = require('assert');
const fs = require('fs');

const CASES = {
  CodeBucket: {
    good: ['abc', 'my-bucket.eu', 'a1234'],
    bad: ['', 'ab', 'My-Bucket', '-abc', 'abc-', 'a_b_c'],
  },
  CodePrefix: {good: ['', 'byoshin/', 'a/b.c/'], bad: ['/', 'a', '/a/', 'a//']},
  SenderCode: {good: ['sender-0a.zip'], bad: ['', 'sender', 'a/sender.zip', 'x.zip/']},
  CollectorCode: {good: ['collector-0a.zip'], bad: ['']},
  MockApiCode: {good: ['mock_api-0a.zip'], bad: ['']},
  ApiBaseUrl: {
    good: ['', 'https://api.example.com/v1', 'http://10.0.0.1:8080'],
    bad: ['api.example.com', 'ftp://x', 'https://', 'https://a b', 'https://x/?q=1',
      'https://u:p@x/', 'https://x/#a'],
  },
  MockApiAccess: {good: ['public', 'key', 'none'], bad: ['', 'Public']},
  SetApiGatewayLogRole: {good: ['true', 'false'], bad: ['', 'yes']},
  WindowLagSeconds: {
    good: ['0', '5', '10', '65', '9995'],
    bad: ['', '-5', '1', '7', '05', '12', '5.0', '10000'],
  },
  TableName: {good: ['AiResponseMetrics', 'a.b-c_d'], bad: ['', 'ab', 'a b', 'tabl\u00e9']},
  ReservedConcurrency: {good: ['0', '10', '100'], bad: ['', '1', '9', '-1']},
  LogRetentionDays: {good: ['1', '30', '3653'], bad: ['', '0', '2', '31']},
  Tracing: {good: ['Active', 'PassThrough'], bad: ['', 'active']},
  AlarmEmail: {
    good: ['', 'ops@example.com'],
    bad: ['ops', 'ops@example', 'a b@example.com', 'a@b@example.com'],
  },
  Architecture: {good: ['x86_64'], bad: ['', 'arm64']},
};

function takes(parameter, value) {
  if (parameter.AllowedValues) return parameter.AllowedValues.map(String).includes(value);
  return new RegExp(parameter.AllowedPattern).test(value);
}

const {Parameters: parameters} = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
assert.deepStrictEqual(Object.keys(parameters).sort(), Object.keys(CASES).sort());
for (const [name, {good, bad}] of Object.entries(CASES)) {
  const parameter = parameters[name];
  assert(parameter.AllowedValues || parameter.AllowedPattern, `${name} takes anything`);
  for (const value of good) assert(takes(parameter, value), `${name} refuses "${value}"`);
  for (const value of bad) assert(!takes(parameter, value), `${name} takes "${value}"`);
  if ('Default' in parameter) {
    assert(takes(parameter, String(parameter.Default)), `${name} refuses its default`);
  }
}
console.log(`${Object.keys(CASES).length} parameters tried`);
