export * from './sqlite.js';
