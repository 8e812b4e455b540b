// AWS Signature Version 4 for tests that must send what no SDK sends.
//
//   presign({ url: 'http://127.0.0.1:4566/?Action=ListQueues', service: 'sqs', credentials });  // a URL
//   sign({ url, service: 'sqs', headers: { 'x-amz-target': 'AmazonSQS.ListQueues' }, body: '{}', credentials });  // headers
'use strict';

const crypto = require('node:crypto');

const REGION = 'us-east-1';
const ALGORITHM = 'AWS4-HMAC-SHA256';

const sha256 = (text) => crypto.createHash('sha256').update(text).digest('hex');
const hmac = (key, text) => crypto.createHmac('sha256', key).update(text).digest();
const encode = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** What both ways of signing have in common. */
function prepare({ service, credentials }) {
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = [time.slice(0, 8), REGION, service, 'aws4_request'];
  return { time, scope: scope.join('/'), credential: [credentials.accessKeyId, ...scope].join('/'), parts: scope };
}

function signatureOf({ method, url, headers, body, prepared, credentials }) {
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort().join('&');
  const names = Object.keys(headers).sort();
  const canonical = [method, url.pathname, query, ...names.map((name) => `${name}:${headers[name]}`), '', names.join(';'), sha256(body)].join('\n');
  const text = [ALGORITHM, prepared.time, prepared.scope, sha256(canonical)].join('\n');
  const key = prepared.parts.reduce(hmac, `AWS4${credentials.secretAccessKey}`);
  return hmac(key, text).toString('hex');
}

/** The URL of a request that needs no further headers, as a page can send it. */
function presign({ method = 'GET', url, service, body = '', credentials }) {
  const prepared = prepare({ service, credentials });
  const signed = new URL(url);
  for (const [name, value] of Object.entries({
    'X-Amz-Algorithm': ALGORITHM, 'X-Amz-Credential': prepared.credential, 'X-Amz-Date': prepared.time,
    'X-Amz-Expires': '600', 'X-Amz-SignedHeaders': 'host',
  })) signed.searchParams.set(name, value);
  signed.searchParams.set('X-Amz-Signature', signatureOf({ method, url: signed, headers: { host: signed.host }, body, prepared, credentials }));
  return signed.href;
}

/** The headers of a signed POST. Names are in lower case. `host` is what the client will send. */
function sign({ url, host = new URL(url).host, service, headers, body, credentials }) {
  const prepared = prepare({ service, credentials });
  const all = { ...headers, 'x-amz-date': prepared.time };
  const signed = { ...all, host };
  const signature = signatureOf({ method: 'POST', url: new URL(url), headers: signed, body, prepared, credentials });
  return {
    ...all,
    authorization: `${ALGORITHM} Credential=${prepared.credential}, SignedHeaders=${Object.keys(signed).sort().join(';')}, Signature=${signature}`,
  };
}

module.exports = { presign, sign };
