// Who may call: wrong, unknown, missing and expired signatures, in headers and in URLs. And what every answer has.
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const http = require('node:http');
const {test} = require('node:test');
const ddb = require('@aws-sdk/client-dynamodb');
const sqs = require('@aws-sdk/client-sqs');
const {SignatureV4} = require('@smithy/signature-v4');
const {cloud, refused} = require('./cloud');

const CREDENTIALS = {accessKeyId: 'test', secretAccessKey: 'test'};

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

const signer = (service, credentials = CREDENTIALS) =>
  new SignatureV4({service, region: 'us-east-1', credentials, sha256: Sha256});

function call({method, path = '/', headers = {}, body = ''}) {
  const {hostname, port} = new URL(cloud.url);
  return new Promise((resolve, reject) => {
    const request = http.request({hostname, port, method, path, headers}, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve({status: response.statusCode, headers: response.headers, body: `${Buffer.concat(parts)}`}));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A ListTables, signed with these options, or not at all. */
async function listTables({sign = true, signingDate, change = (request) => request, credentials} = {}) {
  const {hostname, port, host} = new URL(cloud.url);
  const request = {
    method: 'POST',
    protocol: 'http:',
    hostname,
    port: Number(port),
    path: '/',
    query: {},
    headers: {host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.ListTables'},
    body: '{}',
  };
  return call(change(sign ? await signer('dynamodb', credentials).sign(request, {signingDate}) : request));
}

const errorOf = ({body}) => {
  const {__type, message, Message} = JSON.parse(body);
  return {type: __type.replace(/^.*#/, ''), message: message ?? Message};
};

test('a right signature is accepted, of every key that there is', async () => {
  assert.equal((await listTables()).status, 200);
  assert.equal((await listTables({credentials: {accessKeyId: 'other', secretAccessKey: 'secret'}})).status, 200);
});

test("a GET on a queue's path is answered, in XML or in JSON", async () => {
  await cloud.sqs.send(new sqs.CreateQueueCommand({QueueName: 'get-me'}));
  const {hostname, port, host} = new URL(cloud.url);
  const get = async (query, headers = {}) => {
    const path = '/000000000000/get-me';
    const request = {method: 'GET', protocol: 'http:', hostname, port: Number(port), path, query, headers: {host, ...headers}};
    const signed = await signer('sqs').sign(request);
    const parameters = `${new URLSearchParams(query)}`;
    return call({...signed, path: parameters ? `${path}?${parameters}` : path});
  };
  const query = {Action: 'GetQueueAttributes', 'AttributeName.1': 'QueueArn'};
  const arn = 'arn:aws:sqs:us-east-1:000000000000:get-me';
  assert.match((await get(query)).body, new RegExp(`<Name>QueueArn</Name><Value>${arn}</Value>`));
  const {body} = await get(query, {accept: 'application/json'});
  const {GetQueueAttributesResult} = JSON.parse(body).GetQueueAttributesResponse;
  assert.deepEqual(GetQueueAttributesResult, {Attributes: [{Name: 'QueueArn', Value: arn}]});
  const without = await get({});
  assert.equal(without.status, 404);
  assert.match(without.body, /^<UnknownOperationException/);
});

test('a wrong secret does not get in', async () => {
  const credentials = {accessKeyId: 'test', secretAccessKey: 'wrong'};
  await refused(
    cloud.client(ddb.DynamoDBClient, {credentials}).send(new ddb.ListTablesCommand({})),
    'InvalidSignatureException',
    /^The request signature we calculated does not match the signature you provided\./,
  );
  await refused(
    cloud.client(sqs.SQSClient, {credentials}).send(new sqs.ListQueuesCommand({})),
    'SignatureDoesNotMatch',
    /^The request signature we calculated does not match the signature you provided\./,
  );
});

test('an unknown key does not get in', async () => {
  const credentials = {accessKeyId: 'nobody', secretAccessKey: 'test'};
  await refused(
    cloud.client(ddb.DynamoDBClient, {credentials}).send(new ddb.ListTablesCommand({})),
    'UnrecognizedClientException',
    'The security token included in the request is invalid.',
  );
});

test('without a signature nobody gets in', async () => {
  const answer = await listTables({sign: false});
  assert.equal(answer.status, 400);
  assert.deepEqual(errorOf(answer), {
    type: 'MissingAuthenticationTokenException',
    message: 'Request is missing Authentication Token',
  });
});

test('an old signature has expired, and one from the future is not valid yet', async () => {
  for (const minutes of [-20, 20]) {
    const answer = await listTables({signingDate: new Date(Date.now() + minutes * 60_000)});
    assert.equal(answer.status, 400);
    const {type, message} = errorOf(answer);
    assert.equal(type, 'InvalidSignatureException');
    assert.match(
      message,
      minutes < 0
        ? /^Signature expired: \d{8}T\d{6}Z is now earlier than \d{8}T\d{6}Z/
        : /^Signature not yet current: \d{8}T\d{6}Z is still later than \d{8}T\d{6}Z/,
    );
  }
  // Clocks may differ a little.
  assert.equal((await listTables({signingDate: new Date(Date.now() - 60_000)})).status, 200);
});

test('what was signed may not be changed', async () => {
  const changes = {
    body: (request) => ({...request, body: '{"Limit":1}'}),
    target: (request) => ({
      ...request,
      headers: {...request.headers, 'x-amz-target': 'DynamoDB_20120810.DescribeLimits'},
    }),
    signature: (request) => ({
      ...request,
      headers: {...request.headers, authorization: request.headers.authorization.replace(/.$/, (c) => (c === '0' ? '1' : '0'))},
    }),
  };
  for (const [what, change] of Object.entries(changes)) {
    const answer = await listTables({change});
    assert.equal(answer.status, 400, what);
    assert.equal(errorOf(answer).type, 'InvalidSignatureException', what);
  }
});

test('a presigned URL works until it expires', async () => {
  const {hostname, port, host} = new URL(cloud.url);
  const presign = (options) =>
    signer('sqs').presign(
      {
        method: 'GET',
        protocol: 'http:',
        hostname,
        port: Number(port),
        path: '/',
        query: {Action: 'ListQueues', Version: '2012-11-05'},
        headers: {host},
      },
      options,
    );
  const get = ({query}) => call({method: 'GET', path: `/?${new URLSearchParams(query)}`});
  const good = await get(await presign({expiresIn: 60}));
  assert.equal(good.status, 200, good.body);
  assert.match(good.body, /<ListQueuesResponse /);

  const old = await get(await presign({expiresIn: 60, signingDate: new Date(Date.now() - 120_000)}));
  assert.equal(old.status, 403);
  const wrong = await presign({expiresIn: 60});
  wrong.query.Action = 'CreateQueue';
  assert.equal((await get(wrong)).status, 403);
});

test('every answer has a request id, and DynamoDB vouches for its body', async () => {
  const answer = await listTables();
  assert.match(answer.headers['x-amzn-requestid'], /^[A-Za-z0-9-]{20,}$/);
  assert.equal(answer.headers['content-type'], 'application/x-amz-json-1.0');
  assert.match(answer.headers['x-amz-crc32'], /^\d+$/);
  const {$metadata} = await cloud.dynamodb.send(new ddb.ListTablesCommand({}));
  assert.ok($metadata.requestId);
});

test('anyone may ask for its health', async () => {
  const answer = await call({method: 'GET', path: '/_byoshin/health'});
  assert.equal(answer.status, 200);
});
