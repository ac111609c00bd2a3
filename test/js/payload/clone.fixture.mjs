let data;

export function init(given) {
  data = given;
}

export const since = () => data?.get('since');
export const year = (date) => date.getUTCFullYear();
export const kind = (value) =>
  typeof value === 'object' && value !== null
    ? value.constructor.name
    : typeof value;
