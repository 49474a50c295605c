/** `100,000` */
export function count(number) {
  return number.toLocaleString("en-GB");
}
