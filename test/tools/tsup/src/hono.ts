import { Hono } from 'hono';
import { pool, report } from './report';

const app = new Hono();
app.get('/report', async (context) => context.text(await report()));
console.log(await (await app.request('/report')).text());
await pool.stop();
