// A model with OpenAI's API for tests: it answers what asynchronous generation asks, when the test lets it.
//
//   const model = await ModelServer.start();
//   … `byoshin up --model-url=${model.url}` …
//   model.hold();
//   model.allow(3);  // answers three questions, and keeps the others waiting
//   model.letGo();
'use strict';

const { once } = require('node:events');
const http = require('node:http');

const PARTS = 8;

/** The last list that the prompt's schema names is what is asked for. */
const listOf = (prompt) => [...prompt.matchAll(/"(subGoals|actions|tasks)"/g)].at(-1)[1];
const valueOf = (prompt, label) => new RegExp(`^${label}: (.*)$`, 'm').exec(prompt)?.[1];

function contentFor(prompt) {
  const list = listOf(prompt);
  if (list === 'tasks') {
    const about = valueOf(prompt, 'アクション');
    const minutes = about === 'Action 1.1' ? [30] : [30, 45];
    return { tasks: minutes.map((estimatedMinutes, i) => ({ title: `Task ${i + 1}`, description: `For ${about}`, estimatedMinutes })) };
  }
  const parts = [...Array(PARTS).keys()];
  if (list === 'subGoals') return { subGoals: parts.map((i) => ({ title: `Sub-goal ${i + 1}`, description: `Part ${i + 1} of the way` })) };
  const number = /\d+/.exec(valueOf(prompt, 'サブゴール'))[0];
  return { actions: parts.map((i) => ({ title: `Action ${number}.${i + 1}`, description: 'Do it', type: i % 2 ? 'HABIT' : 'EXECUTION' })) };
}

class ModelServer {
  #allowed = Infinity;
  #waiting = []; // functions that answer
  #server;
  garbage = 0; // so many of the next answers are not what was asked for

  static async start() {
    const model = new ModelServer();
    model.#server = http.createServer((request, response) => {
      let body = '';
      request.on('data', (data) => { body += data; });
      request.on('end', () => {
        model.#waiting.push(() => model.#answer(JSON.parse(body), response));
        model.#serve();
      });
    });
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    model.url = `http://127.0.0.1:${model.#server.address().port}`;
    return model;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  hold() { this.#allowed = 0; }
  letGo() { this.allow(Infinity); }
  allow(questions) {
    this.#allowed += questions;
    this.#serve();
  }

  #serve() {
    while (this.#allowed > 0 && this.#waiting.length > 0) {
      --this.#allowed;
      this.#waiting.shift()();
    }
  }

  #answer({ messages }, response) {
    const bad = this.garbage > 0;
    if (bad) --this.garbage;
    const prompt = messages.filter(({ role }) => role === 'user').map(({ content }) => content).join('\n');
    const content = bad ? 'I would rather not.' : JSON.stringify(contentFor(prompt));
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }], usage: { prompt_tokens: 100, completion_tokens: 50 },
    }));
  }
}

module.exports = { ModelServer };
