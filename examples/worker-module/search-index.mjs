// Runs in an isolate. Its variables live as long as the worker does.

const postings = new Map();

const wordsOf = (text) => text.toLowerCase().match(/\p{L}+/gu) ?? [];

export function onMessage({ id, text }) {
  for (const word of new Set(wordsOf(text))) {
    const ids = postings.get(word);
    if (ids === undefined) postings.set(word, [id]);
    else ids.push(id);
  }
  postMessage({ indexed: id });
}

export function search(word) {
  if (typeof word !== 'string') throw new TypeError('a word to search for');
  return postings.get(word.toLowerCase()) ?? [];
}
