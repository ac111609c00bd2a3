export const packages = { 'pdfjs-dist': '5.5.207' };

export default async ({ check, nodePrints, requireEqual }) =>
  check('the text of a PDF, in an isolate', async () => {
    const answer = await nodePrints(['app.mjs']);
    requireEqual(answer, 'isolate: Hello | World');
  });
