// The AWS SDK for JavaScript asks Bedrock's models, on simulated time.
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const {before, after, test} = require('node:test');
const bedrock = require('@aws-sdk/client-bedrock-runtime');
const {NodeHttpHandler} = require('@smithy/node-http-handler');
const {startSimulatedCloud} = require('./simulated_cloud');

const [program, template] = process.argv.slice(2);
const NOVA = 'us.amazon.nova-lite-v1:0';
const SCHEMA = {
  type: 'object',
  properties: {
    subGoals: {
      type: 'array', minItems: 8, maxItems: 8,
      items: {
        type: 'object',
        properties: {
          title: {type: 'string', maxLength: 200},
          type: {enum: ['EXECUTION', 'HABIT']},
          minutes: {type: 'integer', minimum: 15, maximum: 120},
        },
      },
    },
  },
};

let cloud;
let client;
let server;
let passing;
let passingClient;
// How the server behaves, and what it was last asked.
let behave;
let asked;

// bedrock_stream_test.js uses HTTP/2, the SDK's own choice.
const options = {requestHandler: new NodeHttpHandler()};
const ask = (text, more = {}) => ({modelId: NOVA, messages: [{role: 'user', content: [{text}]}], ...more});
const textOf = (answer) => answer.output.message.content[0].text;

before(async () => {
  cloud = await startSimulatedCloud(program, [`--template=${template}`]);
  client = cloud.client(bedrock.BedrockRuntimeClient, options);
  server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => body += chunk);
    request.on('end', () => {
      asked = {url: request.url, body: JSON.parse(body)};
      const {status, answer} = behave(asked.body);
      response.writeHead(status, {'Content-Type': 'application/json'}).end(JSON.stringify(answer));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  passing = await startSimulatedCloud(
    program, [`--template=${template}`, `--model_url=http://127.0.0.1:${server.address().port}`]);
  passingClient = passing.client(bedrock.BedrockRuntimeClient, options);
});
after(async () => {
  await cloud.stop();
  await passing.stop();
  server.closeAllConnections();
  server.close();
});

test('the same question has the same answer', async () => {
  const question = ask('東京の名物は何ですか？');
  const first = await client.send(new bedrock.ConverseCommand(question));
  assert.match(textOf(first), /^「東京の名物は何ですか」についてお答えします。/);
  assert.equal(first.stopReason, 'end_turn');
  assert.equal(first.usage.totalTokens, first.usage.inputTokens + first.usage.outputTokens);
  const second = await client.send(new bedrock.ConverseCommand(question));
  assert.equal(textOf(second), textOf(first));
});

test('a schema in the question is answered with JSON', async () => {
  const answer = await client.send(new bedrock.ConverseCommand(ask(
    `目標: 英語を話せるようになる\n\`\`\`json\n${JSON.stringify(SCHEMA)}\n\`\`\``,
    {system: [{text: 'JSONだけを返してください。'}], inferenceConfig: {maxTokens: 4000, temperature: 0}})));
  const {subGoals} = JSON.parse(textOf(answer));
  assert.equal(new Set(subGoals.map(({title}) => title)).size, 8);
  for (const {type, minutes} of subGoals) {
    assert.ok(['EXECUTION', 'HABIT'].includes(type));
    assert.ok(minutes >= 15 && minutes <= 120);
  }
});

test('a forced tool gets an input', async () => {
  const answer = await client.send(new bedrock.ConverseCommand(ask('Goal: chess', {
    toolConfig: {
      tools: [{toolSpec: {name: 'save', inputSchema: {json: SCHEMA}}}],
      toolChoice: {tool: {name: 'save'}},
    },
  })));
  assert.equal(answer.stopReason, 'tool_use');
  assert.equal(answer.output.message.content[0].toolUse.input.subGoals.length, 8);
});

test('a stream has the same text', async () => {
  const question = ask('How do I learn to swim?');
  const whole = await client.send(new bedrock.ConverseCommand(question));
  const {stream} = await client.send(new bedrock.ConverseStreamCommand(question));
  let text = '';
  let last;
  for await (const event of stream) {
    text += event.contentBlockDelta?.delta.text ?? '';
    last = event;
  }
  assert.equal(text, textOf(whole));
  assert.deepEqual(last.metadata.usage, whole.usage);
});

test('InvokeModel takes the shape of Nova, whole and streamed', async () => {
  const body = JSON.stringify({
    schemaVersion: 'messages-v1',
    messages: [{role: 'user', content: [{text: 'Hello'}]}],
    inferenceConfig: {maxTokens: 3},
  });
  const answer = await client.send(new bedrock.InvokeModelCommand({modelId: NOVA, body}));
  const value = JSON.parse(Buffer.from(answer.body).toString());
  assert.equal(value.stopReason, 'max_tokens');
  assert.deepEqual(value.usage, {inputTokens: 2, outputTokens: 3, totalTokens: 5});
  const streamed = await client.send(new bedrock.InvokeModelWithResponseStreamCommand({modelId: NOVA, body}));
  let text = '';
  for await (const {chunk} of streamed.body) {
    text += JSON.parse(Buffer.from(chunk.bytes).toString()).contentBlockDelta?.delta.text ?? '';
  }
  assert.equal(text, value.output.message.content[0].text);
});

test('models fail as their ids say, with the errors of the SDK', async () => {
  const expected = {
    'throttling': [bedrock.ThrottlingException, 429],
    'timeout': [bedrock.ModelTimeoutException, 408],
    'error': [bedrock.ModelErrorException, 424],
    'unavailable': [bedrock.ServiceUnavailableException, 503],
    'internal': [bedrock.InternalServerException, 500],
    'not-ready': [bedrock.ModelNotReadyException, 429],
    'access-denied': [bedrock.AccessDeniedException, 403],
  };
  for (const [name, [type, status]] of Object.entries(expected)) {
    for (const command of [bedrock.ConverseCommand, bedrock.ConverseStreamCommand]) {
      const error = await client.send(new command(ask('Hello', {modelId: `byoshin.${name}-v1:0`}))).catch((reason) => reason);
      assert.ok(error instanceof type, `${name}: ${error}`);
      assert.equal(error.$metadata.httpStatusCode, status);
    }
  }
  const garbage = await client.send(new bedrock.ConverseCommand(ask('Hello', {modelId: 'byoshin.garbage-v1:0'})));
  assert.throws(() => JSON.parse(textOf(garbage)));
});

test('a slow model takes its time on the clock of the cloud', async () => {
  let answered = false;
  const answer = client.send(new bedrock.ConverseCommand(ask('Hello', {modelId: 'byoshin.slow-90s-v1:0'})))
    .then((value) => {
      answered = true;
      return value;
    });
  // The request must have arrived before time passes; a second one on the same server shows that it has.
  while (!answered) {
    await client.send(new bedrock.ConverseCommand(ask('Hello')));
    await cloud.run(90);
  }
  assert.ok((await answer).metrics.latencyMs >= 90_000);
});

test('invalid requests are refused', async () => {
  const refused = (more, message) =>
    assert.rejects(client.send(new bedrock.ConverseCommand(ask('Hello', more))), {name: 'ValidationException', message});
  await refused({modelId: 'nova'}, 'The provided model identifier is invalid.');
  await refused({messages: []}, /messages field is empty/);
  await refused({messages: [{role: 'assistant', content: [{text: 'x'}]}]}, /must start with a user message/);
  await refused({inferenceConfig: {temperature: 2}}, /inferenceConfig.temperature/);
});

test('a server with the API of OpenAI answers', async () => {
  behave = () => ({
    status: 200,
    answer: {
      choices: [{message: {role: 'assistant', content: 'from the server'}, finish_reason: 'stop'}],
      usage: {prompt_tokens: 11, completion_tokens: 3},
    },
  });
  const question = ask('Hello', {system: [{text: 'Be brief.'}], inferenceConfig: {maxTokens: 5, stopSequences: ['.']}});
  const answer = await passingClient.send(new bedrock.ConverseCommand(question));
  assert.equal(textOf(answer), 'from the server');
  assert.deepEqual(answer.usage, {inputTokens: 11, outputTokens: 3, totalTokens: 14});
  assert.deepEqual(asked, {
    url: '/v1/chat/completions',
    body: {
      model: 'amazon.nova-lite-v1:0',
      messages: [{role: 'system', content: 'Be brief.'}, {role: 'user', content: 'Hello'}],
      max_tokens: 5,
      stop: ['.'],
    },
  });
  const {stream} = await passingClient.send(new bedrock.ConverseStreamCommand(question));
  let text = '';
  for await (const event of stream) text += event.contentBlockDelta?.delta.text ?? '';
  assert.equal(text, 'from the server');
});

test('errors of the server are those of Bedrock', async () => {
  for (const [status, type] of [
    [429, bedrock.ThrottlingException], [500, bedrock.ModelErrorException], [503, bedrock.ServiceUnavailableException],
    [400, bedrock.ValidationException]]) {
    behave = () => ({status, answer: {error: {message: 'because'}}});
    await assert.rejects(passingClient.send(new bedrock.ConverseCommand(ask('Hello'))), type);
  }
});
