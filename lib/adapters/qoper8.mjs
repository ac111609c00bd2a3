import qoper8 from './qoper8.js';

export const { QOper8 } = qoper8;
