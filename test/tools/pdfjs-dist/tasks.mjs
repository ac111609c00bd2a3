// pdfjs-dist looks for a browser's class while it loads.
globalThis.DOMMatrix ??= class {};
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');

/** The text of each page of a PDF. */
export async function textOf(data) {
  const task = getDocument({ data, verbosity: 0 });
  const document = await task.promise;
  const texts = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    texts.push(items.map(({ str }) => str).join(''));
  }
  await task.destroy();
  // An isolate's process has only what needs no I/O.
  const isNode = typeof process.getActiveResourcesInfo === 'function';
  return `${isNode ? 'node' : 'isolate'}: ${texts.join(' | ')}`;
}
