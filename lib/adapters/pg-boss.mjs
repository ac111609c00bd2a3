import pgBoss from './pg-boss.js';

export const { handler } = pgBoss;
