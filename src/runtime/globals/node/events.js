'use strict';

const EventEmitter = require('events/');

const { invalidArgument } = require('../lib/node-error.js');
const { createStatics } = require('../lib/events-static.js');

const errorMonitor = Symbol('events.errorMonitor');
const { emit } = EventEmitter.prototype;
const { apply } = Reflect;

// The library lacks error monitors. A monitor sees an error before the
// listeners, and does not count as a handler.
EventEmitter.prototype.emit = function (type, ...args) {
  if (type === 'error' && this.listenerCount?.(errorMonitor) > 0) {
    apply(emit, this, [errorMonitor, ...args]);
  }
  return apply(emit, this, [type, ...args]);
};
Object.defineProperty(EventEmitter.prototype.emit, 'name', { value: 'emit' });

module.exports = Object.assign(EventEmitter, {
  EventEmitter,
  captureRejectionSymbol: Symbol.for('nodejs.rejection'),
  captureRejections: false,
  errorMonitor,
  ...createStatics(EventEmitter, invalidArgument),
});
