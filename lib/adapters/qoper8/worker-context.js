'use strict';

const { upTime } = require('./up-time.js');

/**
 * Makes the `this` of a handler and of the startup module. It has own
 * properties, because every handler call gets a shallow copy: a handler's
 * changes of `this` end with its call, the startup module's stay.
 *
 * One listener per event; a second `on` is ignored until `off`.
 *
 * @param {(value: unknown) => void} post sends an intermediate message
 */
function createContext(post) {
  const listeners = new Map();
  const state = { logging: false, messages: 0, startedAt: Date.now() };
  const context = {
    id: undefined,
    postMessage: (value) => {
      post(value);
    },
    upTime: () => upTime(state.startedAt),
    getMessageCount: () => state.messages,
    on: (type, listener) => {
      if (!listeners.has(type)) listeners.set(type, listener);
    },
    off: (type) => {
      listeners.delete(type);
    },
    emit: (type, data) => {
      listeners.get(type)?.call(context, data);
    },
    log: (text) => {
      if (state.logging) console.log(`${Date.now()}: ${text}`);
    },
  };
  return { context, state, listens: (type) => listeners.has(type) };
}

module.exports = { createContext };
