// Makes one call with the AWS SDK for JavaScript and prints what came of it as one line of JSON,
// {"output": ...} or {"error": name, "message": ...}.
//
//   node sdk_call.js sqs SendMessageBatch http://127.0.0.1:4566 '{"QueueUrl": ...}'
'use strict';

const [service, operation, endpoint, input] = process.argv.slice(2);
const sdk = require(`@aws-sdk/client-${service}`);
const Client = { sqs: sdk.SQSClient, dynamodb: sdk.DynamoDBClient }[service];

// Credentials and region come from the environment, as in a function.
const client = new Client({ endpoint, maxAttempts: 1 });
client.send(new sdk[`${operation}Command`](JSON.parse(input))).then(
  (output) => console.log(JSON.stringify({ output })),
  (error) => console.log(JSON.stringify({ error: error.name, message: error.message })),
);
