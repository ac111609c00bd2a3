import { Outlet, Scripts } from 'react-router';

export default function Root() {
  return (
    <html lang="en">
      <head>
        <title>app</title>
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}
