'use strict';
// The streams of stdout and stderr: enough of one for printing. They are never
// full and never fail, and are emitters as soon as anybody asks.

/* global host */
const isCallback = (value) => typeof value === 'function';

function write(chunk, encoding, callback = encoding) {
  const text =
    typeof chunk === 'string' ? chunk : host.utf8Decode(chunk, false, true);
  host.write(this.fd, text);
  if (isCallback(callback)) host.queueMicrotask(() => callback(null));
  return true;
}

function end(chunk, encoding, callback = encoding) {
  if (typeof chunk === 'string' || ArrayBuffer.isView(chunk)) {
    this.write(chunk);
  }
  if (isCallback(callback)) host.queueMicrotask(() => callback());
  return this;
}

/** @param {object} methods of an emitter, until node:events is loaded */
function makeOutputs(methods) {
  const streams = { __proto__: null };
  let prototype;
  let Emitter;

  return {
    /** @param {number} fd 1 or 2 */
    of(fd) {
      prototype ??= {
        __proto__: Emitter?.prototype ?? methods,
        isTTY: false,
        writable: true,
        write,
        end,
        cork() {},
        uncork() {},
      };
      if (streams[fd] === undefined) {
        streams[fd] = { __proto__: prototype, fd };
        Emitter?.call(streams[fd]);
      }
      return streams[fd];
    },
    /** Whether it is one of these, and writes as it always has. */
    isOutput: (stream) =>
      (stream === streams[1] || stream === streams[2]) &&
      stream.write === write,
    /** Called once node:events is loaded. */
    becomeEmitters(EventEmitter) {
      Emitter = EventEmitter;
      for (const fd in streams) EventEmitter.call(streams[fd]);
      if (prototype !== undefined) {
        Object.setPrototypeOf(prototype, EventEmitter.prototype);
      }
    },
  };
}

module.exports = { makeOutputs };
