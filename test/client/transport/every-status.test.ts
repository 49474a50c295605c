import { setMaxListeners } from "node:events";
import { STATUS_CODES } from "node:http";
import { createClient } from "../../../src/client/client.ts";
import { openTransport } from "../../../src/client/transport.ts";
import type { RelayctlError } from "../../../src/errors.ts";
import { DEEP } from "../../helpers/deep.ts";
import { type RawServer, rawServer } from "../../helpers/service/raw-server.ts";
import { testClientContext } from "../../helpers/test-link.ts";

const PAUSED = { paused: true };
const AT_ONCE = 20;
/** Those that HTTP knows, and one in nine of all others; every one in a deep run. */
const STATUSES = Array.from({ length: 1000 }, (_, status) => String(status).padStart(3, "0")).filter(
  (status, index) => DEEP || status in STATUS_CODES || index % 29 === 0 || index % 100 === 99,
);

let server: RawServer;

/** Responds to each write with the status that its target names, and to each read with an empty list. */
beforeAll(async () => {
  server = await rawServer((socket, request) => {
    const [, id = "list"] = /^PATCH \S+\/([0-9]{3}) /.exec(request) ?? [];
    const body = id === "list" ? '{"success":true,"data":[]}' : bodyOf(Number(id));
    const status = id === "list" ? "200" : id;
    const text = `HTTP/1.1 ${status} Words\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    // After processing and early hints something has to follow.
    const ends = /\r\nconnection: close\r\n/i.test(request) || ["102", "103"].includes(status);
    if (ends) socket.end(text);
    else socket.write(text);
  });
});

afterAll(() => server.close());

function bodyOf(status: number): string {
  if (status === 204 || status === 304 || (status >= 100 && status <= 199)) return "";
  return status >= 200 && status <= 299
    ? `{"success":true,"data":{"id":"${status}","paused":true},"error":null}`
    : '{"success":false,"data":null,"error":"Bad Request"}';
}

/** What a status means for a write (promises 4.3). */
function meaningOf(status: number): string {
  if (status >= 200 && status <= 299 && status !== 204) return "as asked";
  if ([301, 302, 307, 308, 501].includes(status)) return "no";
  return status >= 400 && status <= 499 && status !== 408 ? "no" : "unknown";
}

test.each([
  ["a separate connection", {}],
  ["a shared connection", { inBulk: true as const }],
])("every status from 000 to 999 proves a refusal or nothing, over %s", async (_, bulk) => {
  const transport = openTransport({ origin: server.origin, caCertificates: [] });
  const clientContext = testClientContext(transport, { retries: 0, ...bulk });
  setMaxListeners(0, clientContext.interrupt, clientContext.abandon);
  const client = createClient(clientContext);
  const claims: Record<string, string> = {};
  const expected: Record<string, string> = {};
  const statuses = STATUSES.values();
  const work = async () => {
    for (const status of statuses) {
      expected[status] = meaningOf(Number(status));
      claims[status] = await client.relayers.update(status, PAUSED).then(
        () => "as asked",
        (error: RelayctlError) => error.applied,
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(claims).toEqual(expected);
});
