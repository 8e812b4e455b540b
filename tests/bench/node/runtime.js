// The loop of a Node.js Lambda function: takes events from the Runtime API, hands them to the handler
// and posts what it answers, over one kept-alive connection, as the managed runtime does.
//
//   AWS_LAMBDA_RUNTIME_API=127.0.0.1:9001 node runtime.js function.js
'use strict';

const http = require('http');
const path = require('path');

const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function call(method, suffix, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        agent,
        host,
        port,
        method,
        path: '/2018-06-01/runtime/' + suffix,
        headers: body === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
      },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function describe(error) {
  return JSON.stringify({
    errorType: error?.name ?? 'Error',
    errorMessage: error?.message ?? String(error),
    trace: (error?.stack ?? '').split('\n'),
  });
}

async function load() {
  try {
    return require(path.resolve(process.argv[2])).handler;
  } catch (error) {
    await call('POST', 'init/error', describe(error));
    process.exit(1);
  }
}

async function main() {
  const handler = await load();
  for (;;) {
    const next = await call('GET', 'invocation/next');
    const id = next.headers['lambda-runtime-aws-request-id'];
    const deadline = Number(next.headers['lambda-runtime-deadline-ms']);
    const context = { awsRequestId: id, getRemainingTimeInMillis: () => deadline - Date.now() };
    try {
      const result = await handler(JSON.parse(next.body), context);
      await call('POST', `invocation/${id}/response`, JSON.stringify(result ?? null));
    } catch (error) {
      await call('POST', `invocation/${id}/error`, describe(error));
    }
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
