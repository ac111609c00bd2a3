'use strict';

// Members of `process` about the system, and about what a process has and an
// isolate has not: those throw.

/* global host */
const { unsupported } = require('./unsupported.js');
const { since } = require('./versions.js');

const BYTES_OF_MB = 2 ** 20;
const { apply } = Reflect;

const ABSENT = [
  ...['abort', 'chdir', 'dlopen', 'execve', 'initgroups', 'kill'],
  ...['loadEnvFile', 'openStdin', 'setSourceMapsEnabled'],
  ...['setegid', 'seteuid', 'setgid', 'setgroups', 'setuid'],
];

const isTime = (value) =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;

// Node looks at the object only if a part of it is no time.
function needTimes(given) {
  const { moduleOf } = require('sw:library');
  const { validateNumber, validateObject } = moduleOf('internal/validators');
  const { ERR_INVALID_ARG_VALUE } = moduleOf('internal/errors').codes;
  for (const part of ['user', 'system']) {
    const value = given[part];
    if (isTime(value)) continue;
    const name = `prevValue.${part}`;
    if (part === 'user') validateObject(given, 'prevValue');
    validateNumber(value, name);
    throw new ERR_INVALID_ARG_VALUE.RangeError(name, value);
  }
}

function usageSince(now, given) {
  if (!given) return now;
  return { user: now.user - given.user, system: now.system - given.system };
}

function cpuUsage(prevValue) {
  if (prevValue) needTimes(prevValue);
  return usageSince(host.cpuUsage(), prevValue);
}

function threadCpuUsage(prevValue) {
  if (prevValue) needTimes(prevValue);
  return usageSince(host.threadCpuUsage(), prevValue);
}

function resourceUsage() {
  return host.resourceUsage();
}

// The isolate's limit is its pool's.
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

// Whoever is handed what nobody caught, before its listeners are
// (src/runtime/uncaught.js).
function captureMembers() {
  const { moduleOf } = require('sw:library');
  const members = {
    hasUncaughtExceptionCaptureCallback() {
      return host.captures.only !== null;
    },
    setUncaughtExceptionCaptureCallback(fn) {
      if (fn !== null) {
        const { codes } = moduleOf('internal/errors');
        if (typeof fn !== 'function') {
          throw new codes.ERR_INVALID_ARG_TYPE('fn', ['Function', 'null'], fn);
        }
        if (host.captures.only !== null) {
          throw new codes.ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
        }
      }
      host.captures.only = fn;
    },
    addUncaughtExceptionCaptureCallback(fn) {
      moduleOf('internal/validators').validateFunction(fn, 'fn');
      const { others } = host.captures;
      others[others.length] = fn;
    },
  };
  if (!since(26)) delete members.addUncaughtExceptionCaptureCallback;
  return members;
}

/** @returns {object} the members that this Node has */
function systemMembers() {
  const { debugPort, lacks = [], noDeprecation } = host.process;
  const members = {
    ...Object.fromEntries(
      ABSENT.map((name) => [name, unsupported('process', name)]),
    ),
    assert,
    availableMemory,
    constrainedMemory,
    cpuUsage,
    debugPort,
    domain: null,
    ...captureMembers(),
    resourceUsage,
    reallyExit: (code) => host.terminateProcess(Number(code ?? 0)),
    ref: caller('ref'),
    sourceMapsEnabled: false,
    threadCpuUsage,
    unref: caller('unref'),
    ...idMembers(),
  };
  // A flag of the owner, which has the member only with it.
  if (noDeprecation !== undefined) members.noDeprecation = noDeprecation;
  for (const name of lacks) delete members[name];
  return members;
}

module.exports = { systemMembers };
