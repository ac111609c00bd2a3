// Everything of `sloppy`, `sloppy/workers` and `sloppy/time`.

export * from './app.js';
export * from './inspector.js';
export * from './prewarm.js';
export * from './time.js';
export * from './workers.js';
