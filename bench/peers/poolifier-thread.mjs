import { ThreadWorker } from 'poolifier';
import jobsModule from '../jobs.js';

export default new ThreadWorker(jobsModule.jobs);
