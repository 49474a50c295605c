/** What people use today for the same, as lines of bash. */
const AUTH = '-H "Authorization: Bearer $RELAYCTL_TOKEN"';
const RELAYERS = "$RELAYCTL_SERVER/api/v1/relayers";

/** The first ten relayers. */
export const curlTen = `curl -fsS ${AUTH} "${RELAYERS}?page=1&per_page=10"`;

/** So many relayers, a thousand a page, over one connection; curl counts the pages up. */
export function curlAll(items) {
  return `curl -fsS ${AUTH} "${RELAYERS}?page=[1-${items / 1000}]&per_page=1000"`;
}

/** One relayer a line, as jq takes them out of their pages. */
export function asLines(curl) {
  return `${curl} | jq -c '.data[]'`;
}

/** Sends a PATCH for each of the first IDs of a file, each from its process, sixteen at a time. */
export function xargsPatch(count) {
  const patch = `curl -fsS ${AUTH} -X PATCH -H "Content-Type: application/json" -d '{"name":"bench"}'`;
  return `head -n ${count} "$IDS" | xargs -P16 -I{} ${patch} -o /dev/null -w '%{http_code}\\n' "${RELAYERS}/{}"`;
}

/** On the service's SDK, one page after the other, as CommonJS. */
export function sdkList(perPage, items) {
  return `node "$SDK/sdk-list.cjs" ${perPage} ${items}`;
}
