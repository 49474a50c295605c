/** The text of a file, which the bundle contains. */
declare module "*?raw" {
  const text: string;
  export default text;
}
