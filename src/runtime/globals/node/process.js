'use strict';

/* global host, load */
const { unsupported } = require('../lib/unsupported.js');
const {
  invalidArgument,
  needFunction,
  outOfRange,
} = require('../lib/node-error.js');
const { systemMembers } = require('../lib/process-system.js');
const { since } = require('../lib/versions.js');

const facts = host.process;
const { apply } = Reflect;
const NS_PER_MS = 1_000_000n;
const NS_PER_S = 1_000_000_000;
// Node's library has it already (src/runtime/node/process.js).
const { exists, moduleOf, output, process } = require('sw:library');

function nextTick(callback, ...args) {
  needFunction(callback);
  host.nextTick(() => apply(callback, undefined, args));
}

function hrtime(previous) {
  const ms = host.nowMs();
  let seconds = Math.floor(ms / 1000);
  let nanoseconds = Math.floor((ms % 1000) * 1e6);
  if (previous !== undefined) {
    if (!Array.isArray(previous)) {
      throw invalidArgument('time', 'an instance of Array', previous);
    }
    if (previous.length !== 2) throw outOfRange('time', 2, previous.length);
    seconds -= previous[0];
    nanoseconds -= previous[1];
    if (nanoseconds < 0) {
      seconds -= 1;
      nanoseconds += NS_PER_S;
    }
  }
  return [seconds, nanoseconds];
}
hrtime.bigint = function hrtimeBigInt() {
  const ms = host.nowMs();
  const whole = Math.floor(ms);
  return BigInt(whole) * NS_PER_MS + BigInt(Math.floor((ms - whole) * 1e6));
};

function toWarning(warning, { type, code, detail, from }) {
  if (warning instanceof Error) return warning;
  if (typeof warning !== 'string') {
    const needed = 'of type string or an instance of Error';
    throw invalidArgument('warning', needed, warning);
  }
  const made = new Error(warning);
  made.name = type || 'Warning';
  if (code !== undefined) made.code = code;
  if (detail !== undefined) made.detail = detail;
  Error.captureStackTrace(made, from || process.emitWarning);
  return made;
}

const isOptions = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Instead of a name there may be the function at which the stack begins.
function readWarning(type, code, from) {
  if (isOptions(type)) {
    const detail = typeof type.detail === 'string' ? type.detail : undefined;
    const { type: name, code: own, ctor } = type;
    return { ...readWarning(name || 'Warning', own, ctor), detail };
  }
  if (typeof type === 'function') return { from: type };
  if (type !== undefined) needString(type, 'type');
  if (typeof code === 'function') return { type, from: code };
  if (code !== undefined) needString(code, 'code');
  return { type, code, from };
}

function needString(value, name) {
  if (typeof value !== 'string') {
    throw invalidArgument(name, 'of type string', value);
  }
}

function emitWarning(warning, type, code, ctor) {
  if (process.noDeprecation && type === 'DeprecationWarning') return;
  const made = toWarning(warning, readWarning(type, code, ctor));
  if (made.name === 'DeprecationWarning') {
    if (process.noDeprecation) return;
    if (process.throwDeprecation) {
      nextTick(() => {
        throw made;
      });
      return;
    }
  }
  // The emitter's first listener prints it (src/runtime/node/process.js).
  nextTick(() => process.emit('warning', made));
}

// The one part of Node's inside that packages read: what Emscripten makes asks
// for the numbers of fs.
function binding(name) {
  if (name !== 'constants') unsupported('process', 'binding')();
  return {
    crypto: { ...require('node:crypto').constants },
    fs: { ...require('sw:constants').fs },
    os: { ...require('node:os').constants },
    zlib: { ...require('node:zlib').constants },
  };
}

function getBuiltinModule(id) {
  if (typeof id !== 'string') throw invalidArgument('id', 'of type string', id);
  const { createRequire, isBuiltin } = require('node:module');
  return isBuiltin(id) ? createRequire(`${facts.cwd}/_`)(id) : undefined;
}

function lazily(name, make) {
  let value;
  Object.defineProperty(process, name, {
    get() {
      value ??= make();
      return value;
    },
    enumerable: true,
    configurable: true,
  });
}

function memoryUsage() {
  return host.memoryUsage();
}
memoryUsage.rss = function rss() {
  return host.memoryUsage().rss;
};

let exitCode;

const toInt32 = (code) => (code === undefined ? undefined : code | 0);

// A text of an integer is one too.
function needExitCode(code) {
  if (typeof code === 'string' && code !== '' && Number.isInteger(+code)) {
    return;
  }
  const { validateInteger } = moduleOf('internal/validators');
  validateInteger(code, 'code');
}

const members = {
  allowedNodeEnvironmentFlags: new Set(),
  argv0: 'node',
  binding,
  config: { target_defaults: {}, variables: {} },
  emitWarning,
  get exitCode() {
    return exitCode;
  },
  set exitCode(code) {
    if (code !== null && code !== undefined) needExitCode(code);
    if (since(22, 23)) code = code === null ? undefined : toInt32(code);
    exitCode = code;
  },
  _exiting: false,
  getActiveResourcesInfo() {
    return load('timers').activeTimers();
  },
  getBuiltinModule,
  hrtime,
  memoryUsage,
  nextTick,
  ppid: facts.ppid,
  title: 'node',
  umask(mask) {
    if (mask !== undefined) unsupported('process', 'umask')();
    return 0o22;
  },
  uptime: () => host.nowMs() / 1000,
  exit(code) {
    const given = code === undefined ? process.exitCode : code;
    process.exitCode = given;
    if (!process._exiting) {
      process._exiting = true;
      process.emit('exit', given ?? 0);
    }
    host.terminateProcess(Number(process.exitCode ?? 0));
  },
};
// Members are defined: some are inherited as long as this has not run.
for (const part of [members, systemMembers()]) {
  Object.defineProperties(process, Object.getOwnPropertyDescriptors(part));
}
Object.defineProperty(process, 'exitCode', { configurable: false });
// Packages with native parts ask it which of them they need.
lazily('report', () => ({
  excludeNetwork: true,
  getReport: () => ({
    header: {
      platform: facts.platform,
      arch: facts.arch,
      nodejsVersion: facts.version,
      glibcVersionRuntime: host.glibcVersion?.(),
    },
    sharedObjects: [],
  }),
}));
// The stream is at its end, as a thread's that nobody writes to.
lazily('stdin', () => {
  const { Readable } = require('node:stream');
  return new Readable({ read: () => process.stdin.push(null) });
});
// Node's text, from 22 on.
const FINALIZATION = 'internal/process/finalization';
if (exists(FINALIZATION)) {
  lazily('finalization', () => moduleOf(FINALIZATION).createFinalization());
}
lazily('stdout', () => output(1));
lazily('stderr', () => output(2));
Object.defineProperty(process, Symbol.toStringTag, {
  value: 'process',
  configurable: true,
});

module.exports = process;
