'use strict';

// Members of `process` about the system, and about what a process has and an
// isolate has not: those throw.

/* global host */
const { invalidArgument } = require('./node-error.js');
const { unsupported } = require('./unsupported.js');

const BYTES_OF_MB = 2 ** 20;
const { apply } = Reflect;

const ABSENT = [
  ...['abort', 'chdir', 'dlopen', 'execve', 'initgroups', 'kill'],
  ...['loadEnvFile', 'openStdin', 'resourceUsage', 'setSourceMapsEnabled'],
  ...['setUncaughtExceptionCaptureCallback', 'threadCpuUsage'],
  ...['setegid', 'seteuid', 'setgid', 'setgroups', 'setuid'],
];

function previous(given, name) {
  const value = given[name];
  if (typeof value !== 'number') {
    throw invalidArgument(`prevValue.${name}`, 'of type number', value);
  }
  return value;
}

function cpuUsage(given) {
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
    hasUncaughtExceptionCaptureCallback: () => false,
    reallyExit: (code) => host.terminateProcess(Number(code ?? 0)),
    ref: caller('ref'),
    sourceMapsEnabled: false,
    unref: caller('unref'),
    ...idMembers(),
  };
  // A flag of the owner, which has the member only with it.
  if (noDeprecation !== undefined) members.noDeprecation = noDeprecation;
  for (const name of lacks) delete members[name];
  return members;
}

module.exports = { systemMembers };
