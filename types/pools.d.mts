export * from './pools.js';
