import journal from './journal.js';

export const { Journal } = journal;
