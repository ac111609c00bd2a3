// The worker's half of `processor(file)`: it loads a sandbox file of BullMQ and
// calls it with the job object that the file expects. It runs in isolates and
// on threads. Values cross the boundary as JSON text, because BullMQ stores
// JSON: a Date or an undefined looks here as it will look to later readers of
// the job.

const CONSOLE = ['log', 'info', 'warn', 'error', 'debug'];

/**
 * @param {{ file: string, task: boolean, logs: boolean, methods: string[] }} of
 *   the processor: `methods` of a job are those that the owner alone can do,
 *   because it holds the connection
 * @returns {{ exports: object, byDefault?: Function, logs?: object }}
 */
export async function init({ file, task, logs, methods }) {
  const exports = await import(file);
  const byDefault = exports.default?.default ?? exports.default;
  const isNamed = task || Object.values(exports).some(isFunction);
  if (!isFunction(byDefault) && !isNamed) {
    throw new TypeError(`No function is exported in ${file}`);
  }
  const state = { exports, byDefault, task, methods, job: undefined };
  // Loaded only on demand, because a worker starts sooner without it.
  if (logs) copyConsole(state, await import('node:util'));
  return state;
}

const isFunction = (value) => typeof value === 'function';

/** Copies the running job's prints to its log. */
function copyConsole(state, { format }) {
  for (const method of CONSOLE) {
    const print = console[method];
    console[method] = (...words) => {
      print.apply(console, words);
      state.job?.log(format(...words));
    };
  }
}

function findFunction({ exports, byDefault, task }, wanted) {
  if (!task && isFunction(byDefault)) return byDefault;
  const found = exports[wanted] ?? exports.default?.[wanted];
  if (isFunction(found)) return found;
  throw Object.assign(
    new TypeError(`The processor file exports no function "${wanted}".`),
    { name: 'UnrecoverableError' },
  );
}

/**
 * A real AbortSignal, for APIs that take one. Its `aborted` is read live, so
 * that a loop which never yields sees the cancellation too.
 */
function abortSignalOf(signal) {
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort(signal.reason));
  return Object.defineProperty(controller.signal, 'aborted', {
    configurable: true,
    get: () => signal.aborted,
  });
}

/**
 * Only functions with that parameter get a signal, because it costs as much as
 * a small job.
 */
const takesSignal = new WeakMap();
const OPEN_PARAMETERS = /^[^{]*(\.\.\.|=(?!>))|\barguments\b/;

function wantsSignal(run) {
  let wants = takesSignal.get(run);
  if (wants === undefined) {
    wants = run.length > 2 || OPEN_PARAMETERS.test(String(run));
    takesSignal.set(run, wants);
  }
  return wants;
}

function jobOf(text, key, { host, emit, state }) {
  const fields = JSON.parse(text);
  const call = async (method, words) => {
    const answer = await host.bullmqJob(key, method, JSON.stringify(words));
    return answer === null ? undefined : JSON.parse(answer);
  };
  const job = {
    ...fields,
    data: JSON.parse(fields.data || '{}'),
    returnValue: JSON.parse(fields.returnvalue || '{}'),
    async updateProgress(progress) {
      const written = JSON.stringify(progress) ?? 'null';
      job.progress = progress;
      emit(['progress', written]);
    },
    async log(row) {
      emit(['log', String(row)]);
    },
  };
  for (const method of state.methods) {
    job[method] = (...words) => call(method, words);
  }
  job.updateData = async (data) => {
    await call('updateData', [data]);
    job.data = data;
  };
  return job;
}

/** @returns {Promise<string>} the result as JSON; `null` for undefined */
export async function process({ key, job, token, task }, context) {
  const { state } = context;
  const run = findFunction(state, task);
  const wrapped = jobOf(job, key, context);
  state.job = wrapped;
  const signal = wantsSignal(run) ? abortSignalOf(context.signal) : undefined;
  const result = await run(wrapped, token ?? undefined, signal);
  return JSON.stringify(result) ?? 'null';
}
