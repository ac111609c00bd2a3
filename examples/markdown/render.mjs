// Runs in the isolates; `marked` is found as Node would find it from here.

import { marked } from 'marked';

export function render({ name, text }) {
  const heading = marked.lexer(text).find(({ type }) => type === 'heading');
  return { name, title: heading?.text ?? name, html: marked.parse(text) };
}
