// Runs dynalite with its tables on disk, in the folder given, on a free port of the loopback interface. Ends with its
// standard input.
'use strict';

const dynalite = require('dynalite');

const server = dynalite({path: process.argv[2], createTableMs: 0});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on('end', () => process.exit(0)).resume();
