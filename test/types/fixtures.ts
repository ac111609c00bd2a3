// A worker module, as its own project would compile it.
import type { JobContext } from '../../types/index.js';

export interface Text {
  text: string;
}

export const version = 3;

export async function parse(payload: Text, context: JobContext<Text>) {
  return payload.text.split(',').slice(0, context.input.text.length);
}

export function count(payload: readonly string[]) {
  return payload.length;
}

export const ping = () => 'pong' as const;

export function maybe(payload: number | null) {
  return payload !== null;
}

export function limited(limit?: number) {
  return limit ?? 10;
}

export function onMessage(payload: { id: number }) {
  return payload.id;
}

export async function* lines(payload: Text) {
  yield payload.text.length;
  return 'end' as const;
}
