const { join } = require('node:path');
const { WorkerPool, openInspector } = require('sloppy-workers');

const MODULES = ['module.mjs', 'stripped.ts', 'transformed.mts', 'common.cjs'];

// The debugger's process has ended.
process.on('disconnect', () => process.exit());

async function main() {
  const inspector = await openInspector({ port: 0, wait: true });
  process.send({ port: inspector.port });
  await new Promise((resolve) => process.once('message', resolve));
  const pool = WorkerPool.create('functions', { workers: 1 });
  await pool.run(
    ({ input }) => {
      let result = input;
      result *= 2; // here
      return result;
    },
    { input: 21 },
  );
  await pool.stop();
  for (const name of MODULES) {
    const module = join(__dirname, name);
    const modules = WorkerPool.create(name, { workers: 1, module });
    await modules.invoke('crunch', { n: 4 });
    await modules.stop();
  }
  await inspector.close();
  process.disconnect();
}

main();
