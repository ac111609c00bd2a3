import semaphore from './semaphore.js';

export const { CountingSemaphore } = semaphore;
