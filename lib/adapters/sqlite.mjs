import sqlite from './sqlite.js';

export const { createSqliteBackend } = sqlite;
