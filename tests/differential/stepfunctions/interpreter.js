// Both interpreters of state machines: Byoshin's, as a child process (interpreter.cc), and npm's
// aws-local-stepfunctions. Each resolves with {status, output} or {status, error, cause}.
//
//   const interpreter = new Interpreter(path);
//   await interpreter.ask({definition, input, tasks});
//   interpreter.close();
//   await runPeer({definition, input, tasks});
'use strict';

const {spawn} = require('node:child_process');
const readline = require('node:readline');
const {StateMachine} = require('../../bench/node/aws_local_stepfunctions');

class Interpreter {
  constructor(path) {
    this.child = spawn(path, [], {stdio: ['pipe', 'pipe', 'inherit']});
    this.waiting = [];
    readline.createInterface({input: this.child.stdout}).on('line', (line) => this.waiting.shift().resolve(line));
    this.child.on('close', (code, signal) => {
      for (const {reject} of this.waiting) reject(new Error(`the interpreter has ended: ${signal ?? code}`));
    });
  }

  async ask(request) {
    const line = await new Promise((resolve, reject) => {
      this.waiting.push({resolve, reject});
      this.child.stdin.write(`${JSON.stringify(request)}\n`);
    });
    return JSON.parse(line);
  }

  close() {
    this.child.stdin.end();
  }
}

/** A function for each task's state, which gives its outcomes in turn, as interpreter.cc does. */
function handlers(tasks) {
  const runs = new Map();
  return Object.fromEntries(
    Object.entries(tasks).map(([state, outcomes]) => [
      state,
      async (input) => {
        const key = state + JSON.stringify(input);
        const run = runs.get(key) ?? 0;
        runs.set(key, run + 1);
        const outcome = outcomes[Math.min(run, outcomes.length - 1)];
        if ('output' in outcome) return structuredClone(outcome.output);
        throw Object.assign(new Error(outcome.cause), {name: outcome.error});
      },
    ]),
  );
}

/** The names of all states, those of nested machines too, by type. */
function statesOf(machine, found = []) {
  for (const [name, state] of Object.entries(machine.States)) {
    found.push([name, state]);
    for (const nested of [...(state.Branches ?? []), ...(state.ItemProcessor ? [state.ItemProcessor] : [])]) {
      statesOf(nested, found);
    }
  }
  return found;
}

async function runPeer({definition, input, tasks}) {
  // Nothing waits.
  const zeros = Object.fromEntries(statesOf(definition).map(([name]) => [name, 0]));
  const overrides = {
    taskResourceLocalHandlers: handlers(tasks),
    waitTimeOverrides: zeros,
    retryIntervalOverrides: zeros,
  };
  try {
    // Checked already, and checking takes longer than running.
    const machine = new StateMachine(definition, {validationOptions: {noValidate: true}});
    const output = await machine.run(structuredClone(input), {overrides}).result;
    return {status: 'SUCCEEDED', output: JSON.parse(JSON.stringify(output))};
  } catch (error) {
    const cause = error.cause ?? error;
    return {status: 'FAILED', error: cause.name, cause: cause.message};
  }
}

module.exports = {Interpreter, runPeer, statesOf};
