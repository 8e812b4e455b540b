// What has happened to each state of an execution, read from its events. Pure.
//
//   const progress = new Progress();
//   progress.add(events);           // in order; again for those that come later
//   progress.state('Charge');       // { status, visits: [Visit, …] }; undefined if it was not entered
//
// A state can be entered several times: by a loop, or by each iteration of a Map. Each time is a Visit. Events name their state
// only when it is entered and left. To which visit the others belong, the event before them tells.

/** From the worst to the best: a state that was entered several times has the first of these that a visit has. */
const PRECEDENCE = ['running', 'failed', 'caught', 'aborted', 'succeeded'];

const OUTCOMES = { Succeeded: 'succeeded', Failed: 'failed', TimedOut: 'timed out' };

export class Visit {
  status = 'running';
  left = null; // when it was left, or came to its end
  output = null;
  outputBytes = null;
  error = null;
  cause = null;
  attempts = []; // of a task: [{ begun, ended, outcome, error, cause }]
  resource = null; // of a task: { type, name, parameters }
  endedExecution = false; // it was open when the execution ended

  constructor(event, parent, iteration) {
    this.name = event.name;
    this.type = event.type.replace('StateEntered', '');
    this.entered = event.t;
    this.input = event.data ?? null;
    this.inputBytes = event.dataBytes ?? null;
    this.parent = parent;
    this.iteration = iteration; // of the Map around it; null if there is none
    this.entryId = event.id;
  }

  get open() {
    return this.status === 'running';
  }
}

export class Progress {
  events = [];
  #visits = new Map(); // lists, by the state's name
  #visitOf = new Map(); // by the event's id
  #iterationOf = new Map(); // by the id of an event at which an iteration started
  #steps = new Set(); // what step() returns

  add(events) {
    for (const event of events) {
      if (event.id <= (this.events.at(-1)?.id ?? 0)) continue; // known
      this.events.push(event);
      this.#read(event);
    }
  }

  state(name) {
    const visits = this.#visits.get(name);
    if (!visits) return undefined;
    const status = PRECEDENCE.find((one) => visits.some((visit) => visit.status === one));
    return { status, visits };
  }

  /** Whether the execution has gone from one state to another; `caught`: after an error. */
  follows(from, to, caught) {
    return this.#steps.has(step(from, to, caught));
  }

  /** The state that the event belongs to, by its name; null if it belongs to none. */
  stateOf(event) {
    return event.name || this.#visitOf.get(event.id)?.name || null;
  }

  #read(event) {
    const { type } = event;
    const previous = this.#visitOf.get(event.previous) ?? null;
    if (type.endsWith('StateEntered')) {
      this.#enter(event, previous);
      return;
    }
    if (type.startsWith('Execution')) {
      this.#readExecution(event, previous);
      return;
    }
    const visit = this.#ownerOf(event, previous);
    if (!visit) return;
    this.#visitOf.set(event.id, visit);
    if (type.endsWith('StateExited')) this.#exit(event, visit);
    else if (type.endsWith('StateAborted')) end(visit, 'aborted', event);
    else if (/^Map(Iteration|State|Run)|^ParallelState/.test(type)) this.#readComposite(event, visit, previous);
    else readTask(event, visit);
  }

  #enter(event, previous) {
    const parent = previous?.open ? previous : previous?.parent ?? null; // a visit that is over was followed by this one
    const iteration = this.#iterationOf.get(event.previous) ?? previous?.iteration ?? null;
    const visit = new Visit(event, parent, iteration);
    if (!this.#visits.has(event.name)) this.#visits.set(event.name, []);
    this.#visits.get(event.name).push(visit);
    this.#visitOf.set(event.id, visit);
    if (previous && !previous.open) this.#steps.add(step(previous.name, event.name, previous.status === 'caught'));
  }

  /** The visit to which an event that enters no state belongs: that of the event before it, or one around that. */
  #ownerOf({ type, name }, previous) {
    const composite = /^(Map|Parallel)/.exec(type)?.[1];
    const isOwner = type.endsWith('StateExited') ? (visit) => visit.name === name
      : composite ? (visit) => visit.type === composite : () => true;
    let visit = previous;
    while (visit && !isOwner(visit)) visit = visit.parent;
    return visit;
  }

  #exit(event, visit) {
    visit.output = event.data ?? null;
    visit.outputBytes = event.dataBytes ?? null;
    end(visit, visit.error === null ? 'succeeded' : 'caught', event);
  }

  #readComposite(event, visit, previous) {
    const { type } = event;
    if (type === 'MapIterationStarted') this.#iterationOf.set(event.id, event.number);
    else if (type.endsWith('StateStarted')) clearError(visit);
    else if (/^Map(Iteration|State)Failed|^ParallelStateFailed/.test(type)) {
      this.#failBelow(visit, previous, event);
      if (!type.startsWith('MapIteration')) setError(visit, event);
    } else if (type === 'MapRunFailed') setError(visit, event);
  }

  /** Something inside `visit` has failed at `previous`: what is still open there was aborted. */
  #failBelow(visit, previous, event) {
    const within = (one) => {
      let around = one.parent;
      while (around && around !== visit) around = around.parent;
      return around === visit;
    };
    const failed = new Set();
    for (let one = previous; one && one !== visit; one = one.parent) failed.add(one);
    const iteration = event.type.startsWith('MapIteration') ? event.number : null;
    for (const one of this.#open()) {
      if (!within(one)) continue;
      if (failed.has(one)) {
        if (one.error === null) setError(one, event);
        end(one, 'failed', event);
      } else if (iteration === null) {
        end(one, 'aborted', event);
      }
    }
  }

  * #open() {
    for (const visits of this.#visits.values()) for (const visit of visits) if (visit.open) yield visit;
  }

  #readExecution(event, previous) {
    if (previous) this.#visitOf.set(event.id, previous);
    if (event.type === 'ExecutionRedriven') this.#redrive();
    if (!/^Execution(Failed|TimedOut|Aborted)$/.test(event.type)) return;
    const failed = new Set();
    if (event.type === 'ExecutionFailed') for (let one = previous; one; one = one.parent) failed.add(one);
    for (const visit of this.#open()) {
      if (failed.has(visit) && visit.error === null) setError(visit, event);
      end(visit, failed.has(visit) ? 'failed' : 'aborted', event);
      visit.endedExecution = true;
    }
  }

  /** What the end of the execution has interrupted goes on. */
  #redrive() {
    for (const visits of this.#visits.values()) {
      const last = visits.at(-1);
      if (!last.endedExecution) continue;
      last.endedExecution = false;
      last.status = 'running';
      last.left = null;
    }
  }
}

const step = (from, to, caught) => JSON.stringify([from, to, caught]);

function end(visit, status, event) {
  if (!visit.open) return;
  visit.status = status;
  visit.left = event.t;
}

function setError(visit, event) {
  visit.error = event.error ?? 'unknown';
  visit.cause = event.cause ?? null;
}

function clearError(visit) {
  visit.error = null;
  visit.cause = null;
}

/** TaskScheduled, LambdaFunctionFailed, ActivityTimedOut, …; EvaluationFailed. */
function readTask(event, visit) {
  const { type } = event;
  if (type === 'EvaluationFailed') {
    setError(visit, event);
    return;
  }
  if (/Scheduled$/.test(type)) {
    clearError(visit); // tried again
    visit.attempts.push({ begun: event.t, ended: null, outcome: null, error: null, cause: null });
    visit.resource = { type: event.resourceType ?? '', name: event.resource ?? '', parameters: event.data ?? null };
    return;
  }
  const attempt = visit.attempts.at(-1);
  const outcome = /(Succeeded|Failed|TimedOut)$/.exec(type)?.[1];
  if (!outcome) return; // started, submitted
  if (attempt) Object.assign(attempt, { ended: event.t, outcome: OUTCOMES[outcome], error: event.error ?? null, cause: event.cause ?? null });
  if (outcome !== 'Succeeded') setError(visit, event);
}

/** The name of the Lambda function that a task calls; null if it calls none. */
export function functionOf(resource) {
  if (!resource) return null;
  let text = resource.name;
  if (resource.type === 'lambda') {
    try {
      text = JSON.parse(resource.parameters).FunctionName;
    } catch {
      return null; // cut, or left out
    }
  }
  if (typeof text !== 'string') return null;
  const arn = /^arn:[^:]+:lambda:[^:]*:[^:]*:function:([^:]+)/.exec(text);
  if (arn) return arn[1];
  return resource.type === 'lambda' ? text.split(':')[0] : null;
}

/** The index of one of several visits: the one that was chosen, else the last that has not simply succeeded, else the last. */
export function visitToShow(visits, chosen) {
  if (chosen !== null && chosen < visits.length) return chosen;
  const notable = visits.findLastIndex(({ status }) => status !== 'succeeded');
  return notable < 0 ? visits.length - 1 : notable;
}
