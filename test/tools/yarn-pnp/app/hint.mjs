// An isolate finds no package of Yarn's by its name, and says so.
import { WorkerPool } from 'sloppy-workers';

const pool = WorkerPool.create('tasks', {
  module: new URL('./tasks.mjs', import.meta.url),
});
try {
  await pool.tasks.table([]);
} catch ({ code, hint }) {
  console.log(`${code}: ${/Plug'n'Play/.test(hint)}`);
}
await pool.stop();
