// Runs sqslite, an SQS in memory that speaks the Query protocol, on a free port of the loopback interface. Ends with
// its standard input.
'use strict';

const sqslite = require('sqslite');

sqslite({logger: false}).listen(0, '127.0.0.1', (error, address) => {
  if (error) throw error;
  console.log(address);
});
process.stdin.on('end', () => process.exit(0)).resume();
