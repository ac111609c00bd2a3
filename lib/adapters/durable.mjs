import durable from './durable.js';

export const {
  DelayedError,
  FlowProducer,
  Job,
  Queue,
  QueueEvents,
  UnrecoverableError,
  WaitingError,
  Worker,
} = durable;
