// EvaluateCode by the program ":evaluate".
'use strict';
const {spawnSync} = require('node:child_process');

// The answers to evaluations of `request` in each of `codes`, with an empty context.
exports.evaluateAll = (program, codes) => {
  const requests = codes.map((code) => JSON.stringify({
    runtime: {name: 'APPSYNC_JS', runtimeVersion: '1.0.0'}, code, context: '{}', function: 'request'}));
  const {status, stdout, stderr} = spawnSync(program, {input: `${requests.join('\n')}\n`, maxBuffer: 1 << 28});
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  const answers = stdout.toString().trimEnd().split('\n').map((line) => JSON.parse(line));
  if (answers.length !== codes.length) throw new Error(`${answers.length} answers to ${codes.length} requests`);
  return answers;
};
