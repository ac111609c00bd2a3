import bullmq from './bullmq.js';

export const { processor } = bullmq;
