export * from './bullmq.js';
