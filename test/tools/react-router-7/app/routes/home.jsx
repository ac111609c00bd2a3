import { report } from '../../report.mjs';

export const loader = () => report();

export default function Home({ loaderData }) {
  return <p>{loaderData}</p>;
}
