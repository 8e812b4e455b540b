// Compares our signatures with those of the signer in AWS's SDK for JavaScript, on requests made up at random, the
// same ones each time. Arguments: the folder of npm packages, and the program sigv4_sign_lines.
'use strict';

const crypto = require('crypto');
const path = require('path');
const {spawnSync} = require('child_process');

const [modules, program] = process.argv.slice(2).map((argument) => path.resolve(argument));
const {SignatureV4} = require(path.join(modules, '@smithy/signature-v4'));

const CASES = 1000;

let seed = 20150830;
function random(below) {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}
const oneOf = (items) => items[random(items.length)];
function text(alphabet, maxLength) {
  const characters = [...alphabet];
  return Array.from({length: random(maxLength + 1)}, () => oneOf(characters)).join('');
}

const LETTERS = 'abcXYZ019';
const PRINTABLE = LETTERS + '-._~ !"#$%&\'()*+,/:;<=>?@[\\]^`{|}';
const ANYTHING = PRINTABLE + '\t\n\0é秒𝄞';

// RFC 3986, where encodeURIComponent leaves a few characters alone.
const encode = (part) =>
  encodeURIComponent(part).replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());

function makeCase() {
  const query = {};
  for (let i = random(5); i > 0; --i) {
    const name = 'q' + text(ANYTHING, 6);
    query[name] = random(3) ? text(ANYTHING, 8) : [text(ANYTHING, 3), text(LETTERS, 3), ''];
  }
  const headers = {};
  for (let i = random(5); i > 0; --i) headers['x-' + text('abc-', 4) + 'z'] = text(PRINTABLE, 12);
  if (random(2)) headers['content-type'] = 'application/x-amz-json-1.0';
  if (random(2)) headers['x-amz-target'] = 'AmazonSQS.SendMessageBatch';
  if (random(4) === 0) headers['user-agent'] = 'something else';
  const segment = () => oneOf(['', '.', '..', encode(text(ANYTHING, 6)), text(LETTERS, 5), "a'(b)*!,;:@&=+$"]);
  return {
    method: oneOf(['GET', 'POST', 'PUT', 'DELETE']),
    host: oneOf(['sqs.us-east-1.amazonaws.com', 'localhost:4566', '127.0.0.1:1', '[::1]:8000', 'x']),
    path: '/' + Array.from({length: random(4)}, segment).join('/'),
    query,
    headers,
    body: text(ANYTHING, 40),
    time: random(2 ** 31),
    region: oneOf(['us-east-1', 'ap-northeast-1', 'cn-north-1']),
    service: oneOf(['sqs', 'dynamodb', 'events']),
    accessKeyId: 'AKID' + text(LETTERS, 16),
    secretAccessKey: 's' + text(PRINTABLE, 80),
    sessionToken: random(2) ? 't' + text(LETTERS + '/+=', 300) : '',
  };
}

function urlOf(request) {
  const pairs = Object.entries(request.query).flatMap(([name, values]) =>
    [values].flat().map((value) => `${encode(name)}=${encode(value)}`),
  );
  return `http://${request.host}${request.path}${pairs.length ? '?' + pairs.join('&') : ''}`;
}

class Sha256 {
  constructor(key) {
    this.hash = key === undefined ? crypto.createHash('sha256') : crypto.createHmac('sha256', key);
  }
  update(data) {
    this.hash.update(data);
  }
  async digest() {
    return this.hash.digest();
  }
}

async function signBySdk(request) {
  const signer = new SignatureV4({
    service: request.service,
    region: request.region,
    credentials: {
      accessKeyId: request.accessKeyId,
      secretAccessKey: request.secretAccessKey,
      sessionToken: request.sessionToken || undefined,
    },
    sha256: Sha256,
    applyChecksum: false,
  });
  const signed = await signer.sign(
    {
      method: request.method,
      path: request.path,
      query: request.query,
      headers: {...request.headers, host: request.host},
      body: request.body,
    },
    {signingDate: new Date(request.time * 1000)},
  );
  return signed.headers;
}

function signByUs(requests) {
  const lines = requests.map((request) =>
    JSON.stringify({...request, url: urlOf(request), headers: Object.entries(request.headers)}),
  );
  const run = spawnSync(program, {input: lines.join('\n') + '\n', encoding: 'utf8', maxBuffer: 2 ** 28});
  if (run.status !== 0) throw new Error(`${program} failed: ${run.stderr}`);
  return run.stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
}

async function main() {
  const requests = Array.from({length: CASES}, makeCase);
  const answers = signByUs(requests);
  if (answers.length !== CASES) throw new Error(`${answers.length} answers for ${CASES} requests`);
  let failures = 0;
  for (let i = 0; i < CASES; ++i) {
    const expected = await signBySdk(requests[i]);
    const ours = answers[i].headers ?? {};
    const same =
      ours['Authorization'] === expected['authorization'] &&
      ours['X-Amz-Date'] === expected['x-amz-date'] &&
      ours['X-Amz-Security-Token'] === expected['x-amz-security-token'] &&
      ours['Host'] === requests[i].host;
    if (!same && ++failures <= 3) console.log('differs:', requests[i], urlOf(requests[i]), answers[i], expected);
  }
  console.log(`${CASES} requests signed by both, ${failures} differ`);
  process.exit(failures ? 1 : 0);
}

main();
