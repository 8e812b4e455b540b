// Runs Amplify's simulator of AppSync with the schema of a template and the same resolvers, in the templates that it
// understands, on a free port of the loopback interface. Ends with its standard input.
//
//   node appsync_simulator.js TEMPLATE DYNAMODB_ENDPOINT TABLE
'use strict';

const fs = require('fs');
const net = require('net');

const {AmplifyAppSyncSimulator} = require('@aws-amplify/amplify-appsync-simulator');

// It would listen on all interfaces.
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function(port, ...rest) {
  return typeof port === 'number' ? listen.call(this, port, '127.0.0.1', ...rest) : listen.call(this, port, ...rest);
};

const [templatePath, endpoint, tableName] = process.argv.slice(2);
const template = JSON.parse(fs.readFileSync(templatePath, 'utf8'));

const status = '#set($status = {})\n$util.qr($status.putAll($ctx.args))\n' +
    '$util.qr($status.put("timestamp", $util.time.nowISO8601()))\n';

function resolver(fieldName, dataSourceName, request) {
  return {
    kind: 'UNIT',
    typeName: 'Mutation',
    fieldName,
    dataSourceName,
    requestMappingTemplate: status + request,
    responseMappingTemplate: '$util.toJson($ctx.result)',
  };
}

const simulator = new AmplifyAppSyncSimulator({port: 0});
simulator.init({
  appSync: {
    name: 'bench',
    defaultAuthenticationType: {authenticationType: 'API_KEY'},
    apiKey: 'bench-key',
    additionalAuthenticationProviders: [],
  },
  schema: {content: template.Resources.Schema.Properties.Definition},
  dataSources: [
    {type: 'NONE', name: 'Nothing'},
    {
      type: 'AMAZON_DYNAMODB',
      name: 'Items',
      config: {endpoint, region: 'us-east-1', accessKeyId: 'test', secretAccessKey: 'test', tableName},
    },
  ],
  resolvers: [
    resolver('report', 'Nothing', '{"version": "2018-05-29", "payload": $util.toJson($status)}'),
    resolver(
        'store', 'Items',
        '{"version": "2018-05-29", "operation": "PutItem", "key": {' +
            '"pk": $util.dynamodb.toDynamoDBJson($ctx.args.groupId),' +
            '"sk": $util.dynamodb.toDynamoDBJson($ctx.args.nodeId)},' +
            '"attributeValues": $util.dynamodb.toMapValuesJson($status)}'),
  ],
});
simulator.start().then(() => {
  console.log(`http://127.0.0.1:${new URL(simulator.url).port}`);
});
process.stdin.on('end', () => process.exit(0)).resume();
