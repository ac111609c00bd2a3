// Re-exports only, so that `import` and `require` share one instance.
import all from './prometheus.js';

export const { register } = all;
