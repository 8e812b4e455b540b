// Calls DynamoDB as the wire has it: raw JSON in, status and raw JSON out, so that requests which no SDK would send
// can be sent too.
//
//   const client = new Client('http://127.0.0.1:4566');
//   const {status, body} = await client.call('ListTables', {});
'use strict';

const crypto = require('node:crypto');
const http = require('node:http');
const zlib = require('node:zlib');

const SCOPE_REGION = 'us-east-1';
const SERVICE = 'dynamodb';
const ACCESS_KEY = 'test';
const SECRET_KEY = 'test';

const hmac = (key, text) => crypto.createHmac('sha256', key).update(text).digest();
const sha256 = (text) => crypto.createHash('sha256').update(text).digest('hex');

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
function signedHeaders(host, target, body) {
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const day = date.slice(0, 8);
  const scope = `${day}/${SCOPE_REGION}/${SERVICE}/aws4_request`;
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    host,
    'x-amz-date': date,
    'x-amz-target': `DynamoDB_20120810.${target}`,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, sha256(body)].join('\n');
  const key = [day, SCOPE_REGION, SERVICE, 'aws4_request'].reduce(hmac, 'AWS4' + SECRET_KEY);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
  headers.authorization =
    `AWS4-HMAC-SHA256 Credential=${ACCESS_KEY}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return headers;
}

// Node.js 20 has no function for it, but gzip ends with it and the length.
function crc32(bytes) {
  const zipped = zlib.gzipSync(bytes, {level: 1});
  return zipped.readUInt32LE(zipped.length - 8);
}

class Client {
  constructor(url) {
    this.url = new URL(url);
    this.agent = new http.Agent({keepAlive: true, maxSockets: 4});
  }

  close() {
    this.agent.destroy();
  }

  /** Resolves with {status, body}, the body parsed. Rejects if the answer is damaged or no JSON. */
  call(operation, input) {
    const text = Buffer.from(JSON.stringify(input));
    return new Promise((resolve, reject) => {
      const request = http.request(
        {
          agent: this.agent,
          host: this.url.hostname,
          port: this.url.port,
          method: 'POST',
          path: '/',
          headers: {...signedHeaders(this.url.host, operation, text), 'content-length': text.length},
        },
        (response) => {
          const parts = [];
          response.on('data', (part) => parts.push(part));
          response.on('error', reject);
          response.on('end', () => {
            try {
              resolve(readAnswer(response, Buffer.concat(parts)));
            } catch (error) {
              reject(new Error(`${operation} at ${this.url.host}: ${error.message}`));
            }
          });
        },
      );
      request.on('error', (error) => reject(new Error(`${operation} at ${this.url.host}: ${error.message}`)));
      request.end(text);
    });
  }
}

function readAnswer(response, bytes) {
  const announced = response.headers['x-amz-crc32'];
  if (announced !== undefined && Number(announced) !== crc32(bytes)) {
    throw new Error(`x-amz-crc32 is ${announced}, the body's ${crc32(bytes)}`);
  }
  return {status: response.statusCode, body: JSON.parse(bytes.toString('utf8'))};
}

module.exports = {Client, crc32};
