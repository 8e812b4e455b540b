// Runs dynalite, an independent implementation of DynamoDB, in memory on a free port of the loopback
// interface, and says which. Ends with its standard input, so that it cannot outlive the test.
'use strict';

const dynalite = require('dynalite');

const server = dynalite({ createTableMs: 0 });
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
process.stdin.on('end', () => process.exit(0)).resume();
