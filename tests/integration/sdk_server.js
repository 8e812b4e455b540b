// Makes calls with the AWS SDK for JavaScript for whoever asks on a free port of the loopback interface, and says
// which port. It is asked with {"service": "sqs", "operation": "SendMessageBatch", "endpoint": URL, "input": {...}}, and
// answers {"output": ...} or {"error": name, "message": ...}. A member of the input named "blobValue" is the Base64 of
// its bytes. Ends with its standard input, so that it cannot outlive
// the test.
'use strict';

const http = require('node:http');
const { NodeHttpHandler } = require('@smithy/node-http-handler');

const CLIENTS = {
  'bedrock-runtime': 'BedrockRuntimeClient',
  dynamodb: 'DynamoDBClient',
  'rds-data': 'RDSDataClient',
  sfn: 'SFNClient',
  sqs: 'SQSClient',
};

async function call({ service, operation, endpoint, input }) {
  const sdk = require(`@aws-sdk/client-${service}`);
  const Client = sdk[CLIENTS[service]];
  // A new one for each call, so that none depends on those before it. Credentials and region come from the
  // environment, as in a function.
  // HTTP/1.1 also where the SDK would prefer HTTP/2, which Bedrock's does.
  const client = new Client({ endpoint, maxAttempts: 1, requestHandler: new NodeHttpHandler() });
  try {
    return { output: await client.send(new sdk[`${operation}Command`](input)) };
  } catch (error) {
    return { error: error.name, message: error.message };
  } finally {
    client.destroy();
  }
}

const server = http.createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const asked = JSON.parse(Buffer.concat(parts), (name, value) =>
    name === 'blobValue' ? Buffer.from(value, 'base64') : value,
  );
  response.end(JSON.stringify(await call(asked)));
});
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
process.stdin.on('end', () => process.exit(0)).resume();
