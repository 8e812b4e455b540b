// Calls DynamoDB as the wire has it: raw JSON in, status and raw JSON out, so that requests which no SDK would send
// can be sent too.
//
//   const client = new Client('http://127.0.0.1:4566');
//   const {status, body} = await client.call('ListTables', {});
//
// A server of the same process can be called without a connection: new DirectClient(server).
'use strict';

const crypto = require('node:crypto');
const {EventEmitter} = require('node:events');
const http = require('node:http');

const SCOPE_REGION = 'us-east-1';
const SERVICE = 'dynamodb';
const ACCESS_KEY = 'test';
const SECRET_KEY = 'test';

const hmac = (key, text) => crypto.createHmac('sha256', key).update(text).digest();
const sha256 = (text) => crypto.createHash('sha256').update(text).digest('hex');

// It is the same all day.
const keys = new Map();
function signingKey(day) {
  if (!keys.has(day)) {
    keys.set(day, [day, SCOPE_REGION, SERVICE, 'aws4_request'].reduce(hmac, 'AWS4' + SECRET_KEY));
  }
  return keys.get(day);
}

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
  const signature = hmac(signingKey(day), ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
  headers.authorization =
    `AWS4-HMAC-SHA256 Credential=${ACCESS_KEY}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return headers;
}

// Node.js 20 has no function for it.
const CRC32_OF_BYTES = Uint32Array.from({length: 256}, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC32_OF_BYTES[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
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

/**
 * Calls a Node.js HTTP server of this process by what it does with requests. A connection would take longer than most
 * of the answers do, on both of its ends.
 */
class DirectClient {
  constructor(server) {
    [this.handle] = server.listeners('request');
  }

  close() {}

  /** As Client's. */
  call(operation, input) {
    const text = Buffer.from(JSON.stringify(input));
    return new Promise((resolve, reject) => {
      const request = Object.assign(new EventEmitter(), {
        method: 'POST',
        url: '/',
        headers: signedHeaders('localhost', operation, text),
      });
      const headers = {};
      const response = {
        statusCode: 200,
        setHeader: (name, value) => (headers[name.toLowerCase()] = value),
        end: (body) => {
          try {
            resolve(readAnswer({statusCode: response.statusCode, headers}, Buffer.from(body)));
          } catch (error) {
            reject(new Error(`${operation}: ${error.message}`));
          }
        },
      };
      this.handle(request, response);
      request.emit('data', text);
      request.emit('end');
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

module.exports = {Client, DirectClient};
