'use strict';

// The worker's side of a QOper8 pool, the same on a thread and in an isolate.
// The owner sends `{ op: 'start' | 'stats' | 'stop', ... }` or `{ first,
// messages }`, which are handled one at a time, in the order they came, unless
// the owner took them back (claims.js). `first` is the first one's number.

const { parentPort } = require('node:worker_threads');
const { claimsOver } = require('./claims.js');
const { errorText } = require('./error-text.js');
const { memoryFigures } = require('./up-time.js');
const { unpackArguments } = require('./start-arguments.js');
const { createContext } = require('./worker-context.js');

const post = (value) => parentPort.postMessage(value);
const { context, state, listens } = createContext((value) => post({ value }));
const sources = new Map();
const handlers = new Map();
// Messages that came while another runs, each after its number, and requests
// for statistics.
const waiting = [];
const STATS = Symbol('stats');
let claim;
let threadId;
let busy = true;
let ended = false;

parentPort.on('message', (data) => {
  if (data.op === undefined) receiveAll(data);
  else if (data.op === 'start') start(data);
  else if (data.op === 'stats') receive(STATS, 0);
  else if (data.op === 'stop') {
    if (data.asked) tellReceived({ type: 'qoper8_terminate' });
    shutDown();
  }
});

function tellReceived(received) {
  if (!state.logging && !listens('received')) return;
  const message = { ...received };
  const json = JSON.stringify(message, null, 2);
  context.log(`Message received by worker ${context.id}: ${json}`);
  context.emit('received', { message });
}

function receiveAll({ first, messages }) {
  for (let i = 0; i < messages.length; i++) receive(messages[i], first + i);
}

function receive(message, no) {
  if (busy) waiting.push(no, message);
  else take(message, no);
}

function take(message, no) {
  if (message === STATS) tellStats();
  else if (claim(no)) handle(message);
}

async function start(settings) {
  claim = claimsOver(settings.claims);
  context.id = settings.id;
  threadId = settings.threadId;
  state.logging = settings.logging;
  // Reset, because a spare worker has been up for longer.
  state.startedAt = Date.now();
  for (const [type, source] of settings.handlers) sources.set(type, source);
  if (settings.startup && !(await runStartup(settings.startup))) return;
  context.log(`new worker ${context.id} started...`);
  context.emit('started', { id: context.id });
  post({ started: { threadId } });
  context.emit('finished', {
    threadId,
    qoper8: { init: true, finished: true },
  });
  release();
}

async function runStartup({ module, url, args }) {
  let text = `Unable to load onStartup customisation module ${module}`;
  try {
    const { onStartupModule } = await import(url);
    text = `Error running onStartup customisation module ${module}`;
    await onStartupModule.call(context, unpackArguments(args));
    return true;
  } catch (err) {
    post({ startFailed: report(text, err) });
    return false;
  }
}

function report(error, caught) {
  const caughtError = errorText(caught);
  context.log(error);
  context.log(caughtError);
  context.emit('error', { error, caughtError });
  return { error, caughtError };
}

function handle(message) {
  if (ended) return;
  busy = true;
  tellReceived(message);
  message.qoper8 = {};
  const { type } = message;
  const job = { type, message, done: false };
  if (handlers.has(type)) run(job, handlers.get(type), message);
  else if (type === 'qoper8_terminate') shutDown();
  else if (type === 'qoper8_getStats') finish(job, stats());
  else if (!type && !message.handlerUrl) {
    refuse(
      job,
      `No type or handler specified in message sent to worker ${context.id}`,
    );
  } else if (type && sources.has(type)) load(job, sources.get(type), message);
  else refuse(job, `No handler defined for messages of type ${type}`);
}

function refuse(job, error) {
  context.log(error);
  context.emit('error', error);
  answer(job, { error: { error } });
}

async function load(job, { text, module, url }, message) {
  let handler;
  try {
    if (text) handler = new Function('message', 'finished', text);
  } catch (err) {
    fail(job, err);
    return;
  }
  try {
    if (!text && module) handler = (await import(url)).handler;
  } catch (err) {
    const failure = report(`Unable to load Handler module ${module}`, err);
    answer(job, { error: { ...failure, workerId: context.id } });
    return;
  }
  if (typeof handler === 'function') handlers.set(job.type, handler);
  context.emit('handler_imported', { type: job.type });
  context.emit(`handler${job.type}Loaded`);
  run(job, handler, message);
}

function run(job, handler, message) {
  state.messages++;
  try {
    const result = handler.call({ ...context }, message, (value) =>
      finish(job, value),
    );
    // Fulfilment does not finish the message; only a rejection does.
    if (typeof result?.then === 'function') {
      result.then(undefined, (err) => fail(job, err));
    }
  } catch (err) {
    fail(job, err);
  }
}

function finish(job, value) {
  if (job.done || ended) return;
  const whole = value || {};
  answer(job, { answer: typeof whole === 'object' ? whole : { value } });
}

function fail(job, caught) {
  const failure = report(
    `Error running Handler Method for type ${job.type}`,
    caught,
  );
  if (job.done || ended) return;
  // The owner ends this worker, so nothing else may run in it.
  ended = true;
  const error = { ...failure, shutdown: true, workerId: context.id };
  answer(job, { error });
}

function answer(job, data) {
  // Posted first: a value that cannot travel leaves the job unfinished.
  post(data);
  job.done = true;
  if (listens('finished')) context.emit('finished', asAnswer(job, data));
  release();
}

// The answer for the sender; the owner completes its own copy the same way.
function asAnswer({ message }, { answer: given, error }) {
  const { qoper8, ...originalMessage } = message;
  const value = error ? { ...error, originalMessage } : given;
  return { ...value, qoper8: { ...value.qoper8, finished: true } };
}

let releasing = false;

function release() {
  busy = false;
  // A loop, not a recursion: handlers that finish at once can be many.
  if (releasing) return;
  releasing = true;
  while (!busy && waiting.length > 0) {
    const no = waiting.shift();
    take(waiting.shift(), no);
  }
  releasing = false;
}

function tellStats() {
  tellReceived({ type: 'qoper8_getStats' });
  const figures = stats();
  post({ stats: figures });
  context.emit('finished', { ...figures, qoper8: { finished: true } });
}

function stats() {
  return {
    threadId,
    uptime: context.upTime(),
    noOfMessages: state.messages,
    memory: memoryFigures(process.memoryUsage()),
  };
}

function shutDown() {
  if (ended) return;
  ended = true;
  context.log(`Worker ${context.id} sending request to shut down`);
  context.emit('stop');
  post({ stopped: true });
  context.emit('shutdown_signal_sent');
  // The worker ends by itself without its port, once its output is out.
  parentPort.close();
}
