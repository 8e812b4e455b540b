// The AWS SDK for JavaScript receives the streams of Bedrock's models piece by piece, over HTTP/2, which it uses for
// Bedrock unless told otherwise, and over HTTP/1.1.
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const http2 = require('node:http2');
const {once} = require('node:events');
const {before, after, test} = require('node:test');
const bedrock = require('@aws-sdk/client-bedrock-runtime');
const {NodeHttpHandler} = require('@smithy/node-http-handler');
const {startSimulatedCloud} = require('./simulated_cloud');

const [program, template] = process.argv.slice(2);
const NOVA = 'us.amazon.nova-lite-v1:0';
const HANDLERS = {'HTTP/2': () => ({}), 'HTTP/1.1': () => ({requestHandler: new NodeHttpHandler()})};

let cloud;
let passing;
let server;
// Called with the model server's side of a stream.
let serve;

const ask = (text, more = {}) => ({modelId: NOVA, messages: [{role: 'user', content: [{text}]}], ...more});
const delta = (content) => ({choices: [{delta: {content}}]});
const sendEvent = (response, event) => response.write(`data: ${JSON.stringify(event)}\n\n`);

before(async () => {
  cloud = await startSimulatedCloud(program, [`--template=${template}`]);
  server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => body += chunk);
    request.on('end', () => {
      response.writeHead(200, {'Content-Type': 'text/event-stream'});
      serve(response, JSON.parse(body));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  passing = await startSimulatedCloud(
    program, [`--template=${template}`, `--model_url=http://127.0.0.1:${server.address().port}`]);
});
after(async () => {
  await cloud.stop();
  await passing.stop();
  server.closeAllConnections();
  server.close();
});

/** The next event that `matches`. */
async function nextEvent(events, matches) {
  for (;;) {
    const {value, done} = await events.next();
    assert.ok(!done, 'the stream has ended');
    if (matches(value)) return value;
  }
}

for (const [name, options] of Object.entries(HANDLERS)) {
  test(`an event of ConverseStream arrives before the next is produced: ${name}`, async () => {
    const client = passing.client(bedrock.BedrockRuntimeClient, options());
    const opened = new Promise((resolve) => serve = (response, body) => resolve({response, body}));
    const sent = client.send(new bedrock.ConverseStreamCommand(ask('Hello')));
    const {response, body} = await opened;
    assert.equal(body.stream, true);
    sendEvent(response, delta('first'));
    const events = (await sent).stream[Symbol.asyncIterator]();
    for (const text of ['first', ' second', ' 三番目']) {
      if (text !== 'first') sendEvent(response, delta(text));
      const event = await nextEvent(events, (value) => value.contentBlockDelta !== undefined);
      assert.equal(event.contentBlockDelta.delta.text, text);
    }
    sendEvent(response, {choices: [{delta: {}, finish_reason: 'stop'}]});
    sendEvent(response, {choices: [], usage: {prompt_tokens: 7, completion_tokens: 3}});
    response.end('data: [DONE]\n\n');
    const stop = await nextEvent(events, (value) => value.messageStop !== undefined);
    assert.equal(stop.messageStop.stopReason, 'end_turn');
    const last = await nextEvent(events, (value) => value.metadata !== undefined);
    assert.deepEqual(last.metadata.usage, {inputTokens: 7, outputTokens: 3, totalTokens: 10});
    assert.ok((await events.next()).done);
  });

  test(`a chunk of InvokeModelWithResponseStream arrives before the next is produced: ${name}`, async () => {
    const client = passing.client(bedrock.BedrockRuntimeClient, options());
    const opened = new Promise((resolve) => serve = resolve);
    const sent = client.send(new bedrock.InvokeModelWithResponseStreamCommand({
      modelId: 'anthropic.claude-3-haiku-20240307-v1:0',
      body: JSON.stringify({
        anthropic_version: 'bedrock-2023-05-31', max_tokens: 10, messages: [{role: 'user', content: 'Hello'}],
      }),
    }));
    const response = await opened;
    sendEvent(response, delta('first'));
    const chunks = (await sent).body[Symbol.asyncIterator]();
    const nextChunk = async (type) => {
      for (;;) {
        const {chunk} = await nextEvent(chunks, () => true);
        const value = JSON.parse(Buffer.from(chunk.bytes).toString());
        if (value.type === type) return value;
      }
    };
    assert.equal((await nextChunk('content_block_delta')).delta.text, 'first');
    sendEvent(response, delta(' second'));
    assert.equal((await nextChunk('content_block_delta')).delta.text, ' second');
    sendEvent(response, {choices: [{delta: {}, finish_reason: 'length'}]});
    response.end('data: [DONE]\n\n');
    assert.equal((await nextChunk('message_delta')).delta.stop_reason, 'max_tokens');
    assert.ok((await nextChunk('message_stop'))['amazon-bedrock-invocationMetrics']);
  });

  test(`a tool's input is streamed: ${name}`, async () => {
    const client = passing.client(bedrock.BedrockRuntimeClient, options());
    serve = (response) => {
      const call = (more) => ({choices: [{delta: {tool_calls: [{index: 0, ...more}]}}]});
      sendEvent(response, call({id: 'call_1', function: {name: 'save', arguments: ''}}));
      sendEvent(response, call({function: {arguments: '{"title":'}}));
      sendEvent(response, call({function: {arguments: '"x"}'}}));
      sendEvent(response, {choices: [{delta: {}, finish_reason: 'tool_calls'}]});
      response.end('data: [DONE]\n\n');
    };
    const {stream} = await client.send(new bedrock.ConverseStreamCommand(ask('Hello', {
      toolConfig: {tools: [{toolSpec: {name: 'save', inputSchema: {json: {type: 'object'}}}}]},
    })));
    let input = '';
    let start;
    let stop;
    for await (const event of stream) {
      start ??= event.contentBlockStart;
      stop ??= event.messageStop;
      input += event.contentBlockDelta?.delta.toolUse?.input ?? '';
    }
    assert.equal(start.start.toolUse.name, 'save');
    assert.deepEqual(JSON.parse(input), {title: 'x'});
    assert.equal(stop.stopReason, 'tool_use');
  });

  test(`an error in the middle is an exception of the stream: ${name}`, async () => {
    const client = passing.client(bedrock.BedrockRuntimeClient, options());
    const failures = [
      [bedrock.ModelStreamErrorException, (response) => response.end(`data: ${JSON.stringify({error: {message: 'x'}})}\n\n`)],
      [bedrock.ServiceUnavailableException, (response) => response.destroy()],
      [bedrock.ModelStreamErrorException, (response) => response.end()],
    ];
    for (const [type, fail] of failures) {
      const opened = new Promise((resolve) => serve = resolve);
      const sent = client.send(new bedrock.ConverseStreamCommand(ask('Hello')));
      const response = await opened;
      sendEvent(response, delta('first'));
      const events = (await sent).stream[Symbol.asyncIterator]();
      await nextEvent(events, (value) => value.contentBlockDelta !== undefined);
      fail(response);
      await assert.rejects(nextEvent(events, () => false), type);
    }
  });

  test(`a client that leaves ends the work: ${name}`, async () => {
    const client = passing.client(bedrock.BedrockRuntimeClient, options());
    const opened = new Promise((resolve) => serve = resolve);
    const controller = new AbortController();
    const sent = client.send(new bedrock.ConverseStreamCommand(ask('Hello')), {abortSignal: controller.signal});
    const response = await opened;
    const closed = once(response, 'close');
    sendEvent(response, delta('first'));
    const events = (await sent).stream[Symbol.asyncIterator]();
    await nextEvent(events, (value) => value.contentBlockDelta !== undefined);
    controller.abort();
    await closed;
  });

  test(`a slow model's events are spread over its time: ${name}`, async () => {
    const client = cloud.client(bedrock.BedrockRuntimeClient, options());
    const {stream} = await client.send(
      new bedrock.ConverseStreamCommand(ask('Hello', {modelId: 'byoshin.slow-90s-v1:0'})));
    const events = stream[Symbol.asyncIterator]();
    await nextEvent(events, (value) => value.messageStart !== undefined);
    await cloud.run(45);
    await nextEvent(events, (value) => value.contentBlockDelta !== undefined);
    await cloud.run(50);
    const last = await nextEvent(events, (value) => value.metadata !== undefined);
    assert.equal(last.metadata.metrics.latencyMs, 90_000);
  });
}

test('a signature over HTTP/2 is checked', async () => {
  const client = cloud.client(bedrock.BedrockRuntimeClient, {credentials: {accessKeyId: 'test', secretAccessKey: 'wrong'}});
  await assert.rejects(client.send(new bedrock.ConverseCommand(ask('Hello'))), /signature/);
});

test('an HTTP/2 connection serves many requests at once', async () => {
  const session = http2.connect(cloud.endpoint);
  const get = async (path, method = 'GET') => {
    const stream = session.request({':path': path, ':method': method});
    stream.setEncoding('utf8');
    let body = '';
    stream.on('data', (chunk) => body += chunk);
    const [[headers]] = await Promise.all([once(stream, 'response'), once(stream, 'end')]);
    return {status: headers[':status'], length: headers['content-length'], body};
  };
  const answers = await Promise.all(Array.from({length: 500}, () => get('/_byoshin/health')));
  for (const {status, body} of answers) {
    assert.equal(status, 200);
    assert.equal(JSON.parse(body).status, 'ok');
  }
  const head = await get('/_byoshin/health', 'HEAD');
  assert.equal(head.body, '');
  assert.equal(Number(head.length), answers[0].body.length);
  session.close();
  await once(session, 'close');
});
