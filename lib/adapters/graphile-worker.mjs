import graphileWorker from './graphile-worker.js';

export const { taskList } = graphileWorker;
