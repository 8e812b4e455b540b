// A headless Chromium for tests, from nothing but the pinned packages: it needs no more of the machine
// than glibc.
//
//   const browser = await launch({ chromium: 'path of @chromium', playwright: 'path of @playwright_core//:index.js', scratch });
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { execFileSync } = require('node:child_process');

function unpack(archive, folder) {
  const tar = path.join(folder, `${path.basename(archive, '.br')}`);
  fs.writeFileSync(tar, zlib.brotliDecompressSync(fs.readFileSync(archive)));
  execFileSync('tar', ['--no-same-owner', '-xf', tar, '-C', folder]);
  fs.unlinkSync(tar);
}

/** Unpacks into `folder`, which is made, and returns how to start it. */
function install(packed, folder) {
  fs.mkdirSync(folder, { recursive: true });
  const executable = path.join(folder, 'chromium');
  fs.writeFileSync(executable, zlib.brotliDecompressSync(fs.readFileSync(path.join(packed, 'chromium.br'))), { mode: 0o755 });
  // Amazon Linux's builds of NSS and expat, which a bare Debian lacks.
  unpack(path.join(packed, 'al2023.tar.br'), folder);
  unpack(path.join(packed, 'fonts.tar.br'), folder);
  // Only these fonts, so that a picture is the same on every machine.
  fs.writeFileSync(path.join(folder, 'fonts.conf'),
    `<?xml version="1.0"?>\n<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>\n`);
  return {
    executablePath: executable,
    // Without LANG the language is "en-US@posix", which Intl refuses.
    env: { HOME: folder, TMPDIR: folder, LANG: 'en_US.UTF-8', LD_LIBRARY_PATH: path.join(folder, 'lib'), FONTCONFIG_FILE: path.join(folder, 'fonts.conf') },
  };
}

async function launch({ chromium, playwright, scratch }) {
  const begun = Date.now();
  const how = install(path.resolve(chromium), path.join(scratch, 'chromium'));
  const unpacked = Date.now();
  const browser = await require(path.resolve(playwright)).chromium.launch({
    ...how,
    // Bazel's sandbox and Docker leave no room for Chromium's own sandbox, nor for a shared /dev/shm; it
    // only ever loads our own page.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--no-zygote', '--font-render-hinting=none', '--lang=en-US'],
    chromiumSandbox: false,
  });
  console.log(`Chromium ${browser.version()}: unpacked in ${unpacked - begun} ms, started in ${Date.now() - unpacked} ms`);
  return browser;
}

module.exports = { launch };
