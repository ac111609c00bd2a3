// The jobs as named exports, as tinypool wants them.
import jobsModule from '../jobs.js';

export const { echo, length, spin, forever } = jobsModule.jobs;
