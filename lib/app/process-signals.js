'use strict';

const { constants } = require('node:os');

const UNCATCHABLE = ['SIGKILL', 'SIGSTOP'];

/**
 * @param {unknown} names
 * @returns {string[]}
 * @throws {TypeError}
 */
function checkSignalNames(names) {
  const valid =
    Array.isArray(names) &&
    names.every(
      (name) =>
        typeof name === 'string' &&
        Object.hasOwn(constants.signals, name) &&
        !UNCATCHABLE.includes(name),
    );
  if (!valid) {
    throw new TypeError(
      'Sloppy.create signals must be an array of catchable signal names.',
    );
  }
  return [...names];
}

/**
 * Shuts down at the first of these signals, then lets the signal take its
 * usual effect, so that the process ends with the status its parent expects.
 * A second signal during the shutdown takes effect at once. If others listen
 * to the signal, ending the process is left to them.
 *
 * @param {string[]} names
 * @param {() => Promise<unknown>} shutdown never rejects
 * @returns {() => void} stops listening
 */
function onProcessSignals(names, shutdown) {
  const listener = async (name) => {
    stopListening();
    await shutdown();
    if (process.listenerCount(name) === 0) process.kill(process.pid, name);
  };
  const stopListening = () => {
    for (const name of names) process.removeListener(name, listener);
  };
  for (const name of names) process.on(name, listener);
  return stopListening;
}

module.exports = { checkSignalNames, onProcessSignals };
