export * from './pg-boss.js';
