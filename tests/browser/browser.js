// A headless Chromium for tests, from nothing but the pinned packages: it needs no more of the machine
// than glibc.
//
//   const browser = await launch({ chromium: 'path of :chromium', playwright: 'path of @playwright_core//:index.js', scratch });
//   await until(page, (id) => document.getElementById(id).innerText, 'clock');
'use strict';

const fs = require('node:fs');
const path = require('node:path');

// Only a hang takes as long.
const PATIENCE_MS = 240_000;

/** How to start the Chromium of `folder`, which is only read. */
function installed(folder, scratch) {
  fs.mkdirSync(scratch, { recursive: true });
  const fonts = path.join(scratch, 'fonts.conf');
  // Only these fonts, so that a picture is the same on every machine.
  fs.writeFileSync(fonts,
    `<?xml version="1.0"?>\n<fontconfig><dir>${folder}/fonts</dir><cachedir>${scratch}/font-cache</cachedir></fontconfig>\n`);
  return {
    executablePath: path.join(folder, 'chromium'),
    // Without LANG the language is "en-US@posix", which Intl refuses.
    env: { HOME: scratch, TMPDIR: scratch, LANG: 'en_US.UTF-8', LD_LIBRARY_PATH: path.join(folder, 'lib'), FONTCONFIG_FILE: fonts },
  };
}

async function launch({ chromium, playwright, scratch, args = [] }) {
  const begun = Date.now();
  const browser = await require(path.resolve(playwright)).chromium.launch({
    ...installed(path.resolve(chromium), path.join(scratch, 'chromium')),
    // Bazel's sandbox and Docker leave no room for Chromium's own sandbox, nor for a shared /dev/shm; it
    // only ever loads our own page. Without a GPU it would look for one in software, which is not there either.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-software-rasterizer', '--no-zygote', '--font-render-hinting=none', '--lang=en-US', ...args],
    chromiumSandbox: false,
    timeout: PATIENCE_MS,
  });
  console.log(`Chromium ${browser.version()}: started in ${Date.now() - begun} ms`);
  return browser;
}

/**
 * What `condition` says in the page, with `argument`, once that is true. It is asked whenever the document changes, and
 * not once a frame as Playwright's waitForFunction does it, for which the browser would have to draw all those frames.
 */
const until = (page, condition, argument = null) => page.evaluate(`new Promise((resolve, reject) => {
  const condition = ${condition};
  const ask = () => {
    try {
      const answer = condition(${JSON.stringify(argument)});
      if (answer) end(resolve, answer);
    } catch (error) {
      end(reject, error);
    }
  };
  const observer = new MutationObserver(ask);
  const hang = setTimeout(() => end(reject, new Error('waited in vain for ' + condition)), ${PATIENCE_MS});
  const end = (settle, how) => {
    observer.disconnect();
    clearTimeout(hang);
    settle(how);
  };
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  ask();
})`);

module.exports = { launch, until, PATIENCE_MS };
