import module from './benchmark.js';

export const { benchmark } = module;
