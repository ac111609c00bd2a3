export default function Page() {
  return <p>A page</p>;
}
