// Self-signed certificates for TLS servers in tests, created for each run: no
// key is stored, and none expires.
//
//   const {key, cert} = makeCertificate({host: 'localhost', days: 1});
//   https.createServer({key, cert}, ...);
'use strict';

const crypto = require('crypto');

// Just enough of DER (X.690): a tag, a length, and content.
function der(tag, ...contents) {
  const content = Buffer.concat(contents);
  let length = [content.length];
  if (content.length >= 0x100) length = [0x82, content.length >> 8, content.length & 0xff];
  else if (content.length >= 0x80) length = [0x81, content.length];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
const sequence = (...items) => der(0x30, ...items);
const set = (...items) => der(0x31, ...items);
const explicit = (number, item) => der(0xa0 + number, item);
const integer = (bytes) => der(0x02, Buffer.from(bytes));
const octets = (item) => der(0x04, item);
const bits = (bytes) => der(0x03, Buffer.from([0]), bytes);
const TRUE = der(0x01, Buffer.from([0xff]));
// 20250102030405Z
const time = (date) => der(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')));

const OID = {
  ecdsaWithSha256: der(0x06, Buffer.from('2a8648ce3d040302', 'hex')),
  commonName: der(0x06, Buffer.from('550403', 'hex')),
  subjectAltName: der(0x06, Buffer.from('551d11', 'hex')),
  basicConstraints: der(0x06, Buffer.from('551d13', 'hex')),
};

/**
 * A certificate (RFC 5280) that is valid for one host name, from a day before now or before its end until `days` from
 * now, and signed by itself: whoever trusts it as an authority accepts it. Negative days make one that has expired.
 */
function makeCertificate({host, days}) {
  const {privateKey, publicKey} = crypto.generateKeyPairSync('ec', {namedCurve: 'P-256'});
  const dayMs = 24 * 60 * 60 * 1000;
  const end = Date.now() + days * dayMs;
  const algorithm = sequence(OID.ecdsaWithSha256);
  const name = sequence(set(sequence(OID.commonName, der(0x0c, Buffer.from(host)))));
  const toBeSigned = sequence(
    explicit(0, integer([2])), // version 3
    integer([1, ...crypto.randomBytes(8)]),
    algorithm,
    name,
    sequence(time(new Date(Math.min(end, Date.now()) - dayMs)), time(new Date(end))),
    name,
    publicKey.export({type: 'spki', format: 'der'}),
    explicit(
      3,
      sequence(
        sequence(OID.basicConstraints, TRUE, octets(sequence(TRUE))),
        sequence(OID.subjectAltName, octets(sequence(der(0x82, Buffer.from(host))))),
      ),
    ),
  );
  const signed = sequence(toBeSigned, algorithm, bits(crypto.sign('sha256', toBeSigned, privateKey)));
  const base64 = signed.toString('base64').match(/.{1,64}/g).join('\n');
  return {
    key: privateKey.export({type: 'pkcs8', format: 'pem'}),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

module.exports = {makeCertificate};
