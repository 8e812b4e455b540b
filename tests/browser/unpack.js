// Unpacks @chromium into a folder: unpack.js PACKED FOLDER
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { execFileSync } = require('node:child_process');
const { pipeline } = require('node:stream/promises');

const [packed, folder] = process.argv.slice(2);
const CHUNK_BYTES = 1 << 20; // with 64 KB, 200 MB take about half as long again

const unpack = (name) => execFileSync('tar', ['--no-same-owner', '-x', '-C', folder], {
  input: zlib.brotliDecompressSync(fs.readFileSync(path.join(packed, name))),
});

async function main() {
  fs.mkdirSync(folder, { recursive: true });
  await pipeline(
    fs.createReadStream(path.join(packed, 'chromium.br'), { highWaterMark: CHUNK_BYTES }),
    zlib.createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
    fs.createWriteStream(path.join(folder, 'chromium'), { mode: 0o755 }),
  );
  unpack('al2023.tar.br'); // Amazon Linux's builds of NSS and expat, which a bare Debian lacks
  unpack('fonts.tar.br');
}

main();
