import { WorkerPool } from 'sloppy-workers';
import { pdfOf } from './pdf.mjs';

const pool = WorkerPool.create('texts', {
  module: new URL('./tasks.mjs', import.meta.url),
});
console.log(await pool.tasks.textOf(pdfOf(['Hello', 'World'])));
await pool.stop();
