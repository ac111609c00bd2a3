import scheduler from './scheduler.js';

export const { Scheduler } = scheduler;
