import journal from './journal.js';

export const { Journal, JournalError } = journal;
