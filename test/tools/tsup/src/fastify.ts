import Fastify from 'fastify';
import { pool, report } from './report';

const app = Fastify();
app.get('/report', report);
app.addHook('onClose', () => pool.stop());
console.log((await app.inject('/report')).body);
await app.close();
