export * from './qoper8.js';
