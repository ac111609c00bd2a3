// The packages that Next.js, Nitro and Vercel trace files with.
export const packages = {
  'nft-of-next-15': 'npm:@vercel/nft@0.27.1',
  'nft-today': 'npm:@vercel/nft@1.11.5',
};

const TRACE = `
const { nodeFileTrace } = require(process.argv[2]);
nodeFileTrace(['app.cjs']).then(({ fileList }) => {
  const kinds = [/@sloppy-workers.*\\.node$/, /amaro\\/dist\\/index\\.js$/];
  const found = (kind) => [...fileList].some((file) => kind.test(file));
  console.log(kinds.map(found).join());
});
`;

export default async (steps) => {
  const { check, write, nodePrints, requireEqual } = steps;
  write('trace.cjs', TRACE);
  write('app.cjs', "require('sloppy-workers');\n");
  for (const name of Object.keys(packages)) {
    await check(`${name} finds the binary and amaro`, async () =>
      requireEqual(await nodePrints(['trace.cjs', name]), 'true,true'),
    );
  }
};
