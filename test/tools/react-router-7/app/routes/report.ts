import { report } from '../../report.mjs';

export const loader = async () => new Response(await report());
