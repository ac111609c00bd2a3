'use strict';

const { Job } = require('./durable/job.js');
const { Queue } = require('./durable/queue.js');
const { Worker } = require('./durable/worker.js');

/** Errors of BullMQ that a processor throws; they are recognized by name. */
const control = (name, text) =>
  ({
    [name]: class extends Error {
      constructor(message = text) {
        super(message);
        this.name = name;
      }
    },
  })[name];

const absent = (name) =>
  ({
    [name]: class {
      constructor() {
        throw new TypeError(
          `sloppy-workers/durable has no ${name}; bullmq has it.`,
        );
      }
    },
  })[name];

const DelayedError = control('DelayedError', 'bullmq:movedToDelayed');
const UnrecoverableError = control(
  'UnrecoverableError',
  'bullmq:unrecoverable',
);
const WaitingError = control('WaitingError', 'bullmq:movedToWait');
const FlowProducer = absent('FlowProducer');
const QueueEvents = absent('QueueEvents');

module.exports = {
  DelayedError,
  FlowProducer,
  Job,
  Queue,
  QueueEvents,
  UnrecoverableError,
  WaitingError,
  Worker,
};
