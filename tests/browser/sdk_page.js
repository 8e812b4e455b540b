// What a page of sdk_test.js has: clients of the AWS SDK, as a web application would bundle them.
import {
  CreateTableCommand, DynamoDBClient, GetItemCommand, ListTablesCommand, PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

window.clients = (endpoint) => {
  const options = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  };
  return {
    dynamodb: new DynamoDBClient(options),
    sqs: new SQSClient(options),
    commands: {
      CreateQueueCommand, CreateTableCommand, GetItemCommand, ListTablesCommand, PutItemCommand, ReceiveMessageCommand,
      SendMessageCommand,
    },
  };
};
