import { type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import { cli, ends, exits } from "../../helpers/cli.ts";
import { reply } from "../../helpers/service/reply.ts";

test("prints the body as received", async () => {
  const body = '{ "success":true,"data": {"n":340282366920938463463374607431768211456, "x":1.0}}\n';
  const service: Transport = async () => reply(200, body);
  expect(await cli("api GET /anything/at/all", { service })).toMatchObject({ exitCode: 0, stdout: body });
  expect((await cli("api GET /relayers", { service })).stdout).toBe(body);
  expect((await cli("api GET /plain", { service: async () => reply(200, "up 1\n") })).stdout).toBe("up 1\n");
});

test("reports what the read-back proved after a lost response to a known write", async () => {
  let sent = 0;
  const relayer = '{"success":true,"data":{"id":"r1","paused":true},"error":""}';
  const service: Transport = async ({ method }) => {
    if (method === "GET") return reply(200, relayer);
    sent++;
    throw new TransportFailure("reset", "the connection was closed", { sent: true });
  };
  const world = { service, files: { "body.json": '{"paused":true}' } };
  const ran = await ends({ exitCode: 0, stdout: relayer }, "api PATCH /relayers/r1 -f body.json", world);
  expect([sent, ran.stderr]).toEqual([
    1,
    "warning: the response was lost (the connection was closed); reading it back from the service proved that it was applied\n",
  ]);
});

test("prints the result of --query", async () =>
  expect((await cli("api GET /relayers/polygon-bulk -o json --query data.policies.gas_price_cap")).stdout).toBe(
    "340282366920938463463374607431768211455\n",
  ));

test.each([
  ["/relayers", "/api/v1/relayers"],
  ["relayers", "/api/v1/relayers"],
  ["/api/v1/relayers", "/api/v1/relayers"],
  ["/relayers?page=2&per_page=3", "/api/v1/relayers?page=2&per_page=3"],
  ["/relayers/b%20c/x", "/api/v1/relayers/b%20c/x"],
  ["/things??a=%c3%a9+b", "/api/v1/things?%3Fa=%C3%A9+b"],
  ["/things/p:1/call", "/api/v1/things/p:1/call"],
])("requests %s", async (path, target) => {
  const { requests } = await cli(["api", "get", path], { service: async () => reply(200, "{}") });
  expect(requests.map(({ method, target }) => `${method} ${target}`)).toEqual([`GET ${target}`]);
});

test.each([
  ["GTE", "/relayers", "<method> GTE: one of GET, POST, PUT, PATCH, DELETE (did you mean GET?)"],
  ["FETCH", "/relayers", "<method> FETCH: one of GET, POST, PUT, PATCH, DELETE"],
  ["GET", "/relayers/..", "<path> /relayers/.."],
  ["GET", "/relayers/%2e%2e", "<path> /relayers/%2e%2e"],
  ["GET", "/relayers/a%2Fb", "<path> /relayers/a%2Fb"],
  ["GET", "/relayers/%zz", "<path> /relayers/%zz"],
  ["GET", "/relayers?a=%zz", "<path> /relayers?a=%zz"],
  ["GET", "/relayers?a=%ff", "<path> /relayers?a=%ff"],
  ["GET", "/relayers/a b", "<path> /relayers/a b"],
  ["GET", "https://evil.example/relayers", "without an origin"],
  ["GET", "/relayers/r1/", "or an empty part"],
  ["GET", "//evil.example/x", "sent"],
  ["GET", "/relayers#x", "percent-encoded"],
  ["GET", "/relayers/[1-3]", "percent-encoded"],
  ["GET", "/relayers/{id}", "percent-encoded"],
  ["GET", "/relayers//x", "<path> /relayers//x"],
  ["GET", "/relayers?a=1&a=2", "<path> a: has a repeated name in its query"],
  ["GET", "/relayers/a\nb", "<path> /relayers/a\\u{a}b"],
])("rejects %s %s", async (method, path, words) => {
  const ran = await cli(["api", method, path]);
  if (words === "sent") return expect(ran.requests.map(({ target }) => target)).toContain("/api/v1/evil.example/x");
  expect(ran).toMatchObject({ exitCode: 2, requests: [] });
  expect(ran.stderr).toContain(words);
});

test("rejects a body for GET, and a file that is not JSON", async () => {
  const files = { "b.json": "{}", "bad.json": "{" };
  expect((await cli("api GET /relayers -f b.json", { files })).stderr).toContain("--file: a GET request has no body");
  expect((await cli("api POST /x -f bad.json", { files })).stderr).toContain("bad.json: is not JSON");
});

test("sends every digit of a body", async () => {
  const text = '{"policies":{"gas_price_cap":340282366920938463463374607431768211455},"name":"x"}';
  expect((await cli("api PATCH /relayers/eth-main-1 -f - --yes", { stdin: text })).writes[0]?.body).toBe(text);
});

test("checks the response to a known write, and reads the outcome back after a lost response", async () => {
  const files = { "b.json": '{"paused":true}' };
  const other: Transport = async () => reply(200, '{"success":true,"data":{"id":"r1","paused":false}}');
  expect((await cli("api PATCH /relayers/r1 -f b.json", { files, service: other })).exitCode).toBe(14);
  const lost: Transport = async ({ method }) =>
    method === "GET" ? reply(200, '{"success":true,"data":{"id":"r1","paused":true}}') : reply(502, "");
  expect((await cli("api PATCH /relayers/r1 -f b.json", { files, service: lost })).exitCode).toBe(0);
});

test("exits with 11 after a lost response to an unknown write, with the path to check", async () => {
  const ran = await exits(11, "api DELETE /signers/s1 --yes", { service: async () => reply(502, "") });
  expect(ran.stderr).toContain("hint: relayctl api GET /signers/s1\n");
});

test("exits with 11 after a lost response to a creation, with the path to check", async () => {
  const files = {
    "own.json": '{"id":"a b","url":"https://h.example.org"}',
    "none.json": '{"url":"https://h.example.org"}',
  };
  const service: Transport = async ({ method }) => reply(method === "GET" ? 404 : 502, "");
  const own = await exits(11, "api POST /notifications -f own.json", { files, service });
  expect(own.stderr).toContain("hint: relayctl api GET /notifications/a%20b\n");
  const none = await cli("api POST /notifications -f none.json", { files, service });
  expect(none.stderr).toContain("hint: relayctl api GET /notifications\n");
});

test.each([
  ["eth_chainId", "", 9],
  ["eth_sendRawTransaction", " --yes", 11],
])("handles a lost response to %s by the JSON-RPC method", async (method, yes, exitCode) => {
  const files = { "b.json": JSON.stringify({ method, params: [] }) };
  const service: Transport = async () => reply(502, "");
  expect((await cli(`api POST /relayers/r1/rpc -f b.json${yes}`, { files, service })).exitCode).toBe(exitCode);
});

test("never prints a signing key from the body", async () => {
  const key = "a-signing-key-of-more-than-32-characters";
  const files = { "b.json": JSON.stringify({ signing_key: key }) };
  const service: Transport = async () => reply(400, JSON.stringify({ success: false, message: `bad key ${key}` }));
  const ran = await cli("api PATCH /notifications/n1 -f b.json", { files, service });
  expect(ran.stderr).not.toContain(key);
});
