'use strict';

// Members of `process` about the system, and about what a process has and an
// isolate has not: those throw.

/* global host */
const { invalidArgument, needFunction } = require('./node-error.js');
const { unsupported } = require('./unsupported.js');

const BYTES_OF_MB = 2 ** 20;
const { apply } = Reflect;

const ABSENT = [
  ...['abort', 'chdir', 'dlopen', 'execve', 'initgroups', 'kill'],
  ...['loadEnvFile', 'openStdin', 'resourceUsage', 'setSourceMapsEnabled'],
  ...['setUncaughtExceptionCaptureCallback', 'threadCpuUsage'],
  ...['setegid', 'seteuid', 'setgid', 'setgroups', 'setuid'],
];
const OF_IDS = ['initgroups', 'setegid', 'seteuid', 'setgid', 'setgroups'];
// Not on Windows.
const ONLY_POSIX = [...OF_IDS, 'setuid'];
// Only where Node has them.
const SOME = ['assert', 'execve', 'finalization', 'ref', 'threadCpuUsage'];

function previous(given, name) {
  const value = given[name];
  if (typeof value !== 'number') {
    throw invalidArgument(`prevValue.${name}`, 'of type number', value);
  }
  return value;
}

function cpuUsage(given = undefined) {
  const now = host.cpuUsage?.() ?? { user: 0, system: 0 };
  if (!given) return now;
  if (typeof given !== 'object') {
    throw invalidArgument('prevValue', 'of type object', given);
  }
  return {
    user: now.user - previous(given, 'user'),
    system: now.system - previous(given, 'system'),
  };
}

// Of the isolate, whose limit is its pool's.
const constrainedMemory = () => (host.memoryLimitMb ?? 0) * BYTES_OF_MB;

function availableMemory() {
  const { heapUsed, external } = host.memoryUsage();
  return Math.max(0, constrainedMemory() - heapUsed - external);
}

function assert(value, message) {
  if (value) return;
  throw Object.assign(new Error(message || 'assertion error'), {
    code: 'ERR_ASSERTION',
  });
}

// Calls the function that the symbol names, or else that of the old name.
const caller = (name) => (object) => {
  const work = object?.[Symbol.for(`nodejs.${name}`)] || object?.[name];
  if (typeof work === 'function') apply(work, object, []);
};

/** Callbacks at the end of the isolate, for objects that are still there. */
function finalizationOf(process) {
  const kept = new Set();
  const gone = new FinalizationRegistry((entry) => kept.delete(entry));
  const isListening = { exit: false, beforeExit: false };

  function add(object, callback, event) {
    if (object === null || !['object', 'function'].includes(typeof object)) {
      throw invalidArgument('obj', 'of type object', object);
    }
    needFunction(callback, 'fn');
    const entry = { reference: new WeakRef(object), callback, event };
    kept.add(entry);
    gone.register(object, entry, object);
    if (isListening[event]) return;
    isListening[event] = true;
    process.on(event, () => call(event));
  }

  function call(event) {
    for (const entry of [...kept]) {
      if (entry.event !== event) continue;
      kept.delete(entry);
      const object = entry.reference.deref();
      if (object !== undefined) entry.callback(object, event);
    }
  }

  return {
    register: (object, callback) => add(object, callback, 'exit'),
    registerBeforeExit: (object, callback) =>
      add(object, callback, 'beforeExit'),
    unregister(object) {
      gone.unregister(object);
      for (const entry of kept) {
        if (entry.reference.deref() === object) kept.delete(entry);
      }
    },
  };
}

function idMembers() {
  const { uid, euid, gid, egid, groups } = host.process.ids ?? {};
  if (uid === undefined) return {};
  return {
    getuid: () => uid,
    geteuid: () => euid,
    getgid: () => gid,
    getegid: () => egid,
    getgroups: () => [...groups],
  };
}

/** @param {object} process of the isolate */
function systemMembers(process) {
  const { debugPort, has = [], ids = {} } = host.process;
  const lacks = new Set([
    ...SOME.filter((name) => !has.includes(name)),
    ...(ids.uid === undefined ? ONLY_POSIX : []),
  ]);
  const throwing = ABSENT.map((name) => [name, unsupported('process', name)]);
  const all = {
    ...Object.fromEntries(throwing),
    assert,
    availableMemory,
    constrainedMemory,
    cpuUsage,
    debugPort,
    domain: null,
    finalization: finalizationOf(process),
    hasUncaughtExceptionCaptureCallback: () => false,
    reallyExit: (code) => host.terminateProcess(Number(code ?? 0)),
    ref: caller('ref'),
    sourceMapsEnabled: false,
    unref: caller('unref'),
    ...idMembers(),
  };
  if (!has.includes('ref')) lacks.add('unref');
  for (const name of lacks) delete all[name];
  return all;
}

module.exports = { systemMembers };
