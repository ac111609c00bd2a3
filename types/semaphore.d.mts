export * from './semaphore.js';
