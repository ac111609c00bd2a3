import all from './index.js';

export * from './index.js';
export default all;
