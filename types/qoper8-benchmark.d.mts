export * from './qoper8-benchmark.js';
