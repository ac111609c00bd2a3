import { programsOf } from '../../../scripts/lib/programs.mjs';
import { BOTH, IN_NODE } from '../answers.mjs';

export const packages = { tsx: '4.23.15' };
export const common = ['typescript'];

export default async ({
  check,
  toolPrints,
  nodePrints,
  write,
  requireEqual,
}) => {
  await check('a program in ES modules', async () =>
    requireEqual(await toolPrints('tsx', ['app.mts']), BOTH),
  );
  await check('a program in CommonJS', async () =>
    requireEqual(await toolPrints('tsx', ['app.ts']), BOTH),
  );
  await check('node --import tsx', async () =>
    requireEqual(await nodePrints(['--import', 'tsx', 'app.mts']), BOTH),
  );
  for (const RUNTIME of ['thread', 'process']) {
    const env = { RUNTIME };
    await check(`a module in a ${RUNTIME}, from ES modules`, async () =>
      requireEqual(await toolPrints('tsx', ['app.mts'], { env }), IN_NODE),
    );
    await check(`a module in a ${RUNTIME}, from CommonJS`, async () =>
      requireEqual(await toolPrints('tsx', ['app.ts'], { env }), IN_NODE),
    );
  }
  const [{ code, output }] = programsOf('README.md');
  await check('the first program of the README', async () => {
    const typed = code.replace('(n)', '(n: number)');
    // A busy machine takes longer than the README says.
    write('readme.mts', typed.replace('timeoutMs: 5000', 'timeoutMs: 120_000'));
    requireEqual(`${await toolPrints('tsx', ['readme.mts'])}\n`, output);
  });
};
