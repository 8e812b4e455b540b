// Requests to AppSync that are signed with the account's or a role's keys.
'use strict';

const crypto = require('node:crypto');
const {SignatureV4} = require('@smithy/signature-v4');

class Sha256 {
  constructor(secret) { this.hash = secret ? crypto.createHmac('sha256', secret) : crypto.createHash('sha256'); }
  update(bytes) { this.hash.update(bytes); }
  async digest() { return new Uint8Array(this.hash.digest()); }
}

/** The headers of a POST request. */
async function signedHeaders({url, body, credentials}) {
  const {hostname, port, host, pathname} = new URL(url);
  const signer = new SignatureV4({service: 'appsync', region: 'us-east-1', credentials, sha256: Sha256});
  const {headers} = await signer.sign(
    {method: 'POST', protocol: 'http:', hostname, port: Number(port), path: pathname, query: {}, headers: {host}, body});
  return headers;
}

module.exports = {signedHeaders};
