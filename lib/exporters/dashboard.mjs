// Re-exports only, so that `import` and `require` share one instance.
import all from './dashboard.js';

export const { createDashboard } = all;
