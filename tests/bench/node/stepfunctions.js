// Runs a state machine of a template with npm's aws-local-stepfunctions, in this process, and prints what it measured
// as one line of JSON.
//
//   node stepfunctions.js TEMPLATE MACHINE INPUT STARTERS MILLISECONDS   executions one after the other per starter
//   node stepfunctions.js TEMPLATE MACHINE INPUT COUNT                   COUNT executions that wait
'use strict';

const fs = require('node:fs');
const {StateMachine} = require('./aws_local_stepfunctions');

const [template, name, input, count, milliseconds] = process.argv.slice(2);
const {Resources} = JSON.parse(fs.readFileSync(template, 'utf8'));
const definition = Resources[name].Properties.Definition;
const machine = new StateMachine(definition);

// What GetItem answers.
const answer = {SdkHttpMetadata: {HttpStatusCode: 200}};
const tasks = Object.entries(definition.States).filter(([, {Type}]) => Type === 'Task');
const overrides = {taskResourceLocalHandlers: Object.fromEntries(tasks.map(([state]) => [state, async () => answer]))};

async function measureRate() {
  // The first fifth is not counted.
  const begin = performance.now();
  const from = begin + Number(milliseconds) / 5;
  const until = begin + Number(milliseconds);
  const latencies = [];
  let cpu;
  let last = from;
  async function start() {
    // However slow the machine is, something is measured.
    for (let now = begin; now < until || latencies.length === 0;) {
      const started = now;
      if (started >= from) cpu ??= process.cpuUsage();
      JSON.stringify(await machine.run(JSON.parse(input), {overrides}).result);
      now = performance.now();
      if (started >= from) {
        latencies.push(now - started);
        last = now;
      }
    }
  }
  await Promise.all(Array.from({length: Number(count)}, start));
  const {user, system} = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  const at = (part) => latencies[Math.floor(part * (latencies.length - 1))];
  return {
    perSecond: (latencies.length * 1000) / (last - from),
    perCpuSecond: (latencies.length * 1e6) / (user + system),
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
  };
}

const residentKib = () => process.memoryUsage.rss() / 1024;

async function measureWaiting() {
  const before = residentKib();
  for (let i = 0; i < Number(count); ++i) machine.run(JSON.parse(input));
  // Each has come to its Wait state when the promises have.
  await new Promise((resolve) => setImmediate(resolve));
  return {before, after: residentKib()};
}

(milliseconds ? measureRate() : measureWaiting()).then((result) => {
  console.log(JSON.stringify(result));
  process.exit(0);
});
