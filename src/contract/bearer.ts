/** Returns whether a header has the token (interface 1.2). The time does not reveal where the two differ. */
export function isAuthorized(header: string | undefined, token: string): boolean {
  const expected = `Bearer ${token}`;
  const given = header ?? "";
  let difference = given.length ^ expected.length;
  for (let index = 0; index < expected.length; index++) {
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
  }
  return difference === 0;
}
