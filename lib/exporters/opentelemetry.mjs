// Re-exports only, so that `import` and `require` share one instance.
import all from './opentelemetry.js';

export const { instrument } = all;
