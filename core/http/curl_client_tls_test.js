// Runs the program named on the command line with TLS servers to talk to, and ends as it does. They are described in
// its environment, see curl_client_tls_test.cc.
'use strict';

const fs = require('fs');
const https = require('https');
const path = require('path');
const {spawn} = require('child_process');
const {makeCertificate} = require('./testing/certificate.js');

const folder = process.env.TEST_TMPDIR;

// A server on 127.0.0.1 with a certificate of its own, and the file to trust it by.
async function serve(name, certificate) {
  const {key, cert} = makeCertificate(certificate);
  const caFile = path.join(folder, `${name}.pem`);
  fs.writeFileSync(caFile, cert);
  const server = https.createServer({key, cert}, (request, response) => response.end('over TLS'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {port: String(server.address().port), caFile};
}

async function main() {
  const good = await serve('good', {host: 'localhost', days: 1});
  const misnamed = await serve('misnamed', {host: 'elsewhere.example', days: 1});
  const expired = await serve('expired', {host: 'localhost', days: -1});
  const test = spawn(process.argv[2], {
    stdio: 'inherit',
    env: {
      ...process.env,
      GOOD_PORT: good.port,
      GOOD_CA_FILE: good.caFile,
      MISNAMED_PORT: misnamed.port,
      MISNAMED_CA_FILE: misnamed.caFile,
      EXPIRED_PORT: expired.port,
      EXPIRED_CA_FILE: expired.caFile,
    },
  });
  test.on('exit', (code) => process.exit(code ?? 1));
}

main();
