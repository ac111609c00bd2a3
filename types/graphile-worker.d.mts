export * from './graphile-worker.js';
