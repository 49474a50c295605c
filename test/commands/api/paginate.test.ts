import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, ends, says } from "../../helpers/cli.ts";
import { reply } from "../../helpers/service/reply.ts";

/** A list of this many items, in descending order of their IDs, at any path. */
function listing(count: number, largest = 1000): Transport {
  return async ({ target }) => {
    const query = new URL(target, "http://x").searchParams;
    const [page, size] = [Number(query.get("page")), Number(query.get("per_page"))];
    if (size > largest) return reply(400, '{"success":false,"error":"per_page is too large"}');
    const ids = Array.from({ length: count }, (_, index) => `i${String(count - index).padStart(3, "0")}`);
    const data = ids.slice((page - 1) * size, page * size).map((id) => `{"id":"${id}","n":18446744073709551617}`);
    const pagination = `{"current_page":${page},"per_page":${size},"total_items":${count}}`;
    return reply(200, `{"success":true,"data":[${data}],"error":null,"pagination":${pagination}}`);
  };
}

test("merges the items of every page into one JSON array, in the order of the service", async () => {
  const ran = await cli("api GET /things?per_page=2 --paginate", { service: listing(5) });
  expect(ran.stdout.replaceAll(/\s/g, "")).toBe(
    `[${[5, 4, 3, 2, 1].map((n) => `{"id":"i00${n}","n":18446744073709551617}`)}]`,
  );
  expect(ran.requests.map(({ target }) => target)).toEqual(
    [1, 2, 3].map((page) => `/api/v1/things?page=${page}&per_page=2`),
  );
});

test("prints one item per line in ndjson, and IDs in name", async () => {
  const lines = await cli("api GET /things?per_page=1 --paginate -o ndjson", { service: listing(2) });
  expect(lines.stdout).toBe('{"id":"i002","n":18446744073709551617}\n{"id":"i001","n":18446744073709551617}\n');
  expect((await cli("api GET /things --paginate -o name", { service: listing(2) })).stdout).toBe("i002\ni001\n");
});

test("keeps the other names of the query, and asks for smaller pages if the service refuses large ones", async () => {
  const ran = await cli("api GET /things -F status=pending --paginate -o name", { service: listing(150, 100) });
  expect(ran.stdout.split("\n")).toHaveLength(151);
  expect(ran.requests.map(({ target }) => target)).toEqual([
    "/api/v1/things?status=pending&page=1&per_page=1000",
    "/api/v1/things?status=pending&page=1&per_page=100",
    "/api/v1/things?status=pending&page=2&per_page=100",
  ]);
});

test("reads known lists with masked URLs, and --query sees all items", async () => {
  expect((await cli("api GET /relayers --paginate -o name")).stdout).toBe((await cli("relayers list -o name")).stdout);
  expect((await cli(["api", "GET", "/relayers", "--paginate", "--query", "length(@)"])).stdout).toBe("8\n");
});

test("prints an empty array for an empty list", async () =>
  expect((await cli("api GET /things --paginate", { service: listing(0) })).stdout).toBe("[]\n"));

test("prints nothing as JSON if a page fails, and says how far it came", async () => {
  let asked = 0;
  const service: Transport = async (request, limits) =>
    ++asked === 1 ? await listing(4)(request, limits) : reply(404, '{"success":false,"error":"gone"}');
  await says({ exitCode: 5, stdout: "" }, "api GET /things?per_page=2 --paginate", "2 of 4 were read", { service });
});

test("ends at a service that repeats its first page forever", async () => {
  const service: Transport = async () => {
    const data = '[{"id":"a"}]';
    return reply(
      200,
      `{"success":true,"data":${data},"pagination":{"current_page":1,"per_page":1,"total_items":9999999}}`,
    );
  };
  const ran = await ends({ exitCode: 9, stdout: "" }, "api GET /things?per_page=1 --paginate", { service });
  expect(ran.requests.length).toBeLessThan(60);
});

test.each([
  ["api POST /things --paginate", "--paginate: works with GET only"],
  ["api GET /relayers/eth-main-1 --paginate", "--paginate: this path is not a list"],
  ["api GET /relayers?page=2 --paginate", "--paginate: reads every page, so the path must not choose one with page"],
  ["api GET /relayers?per_page=0 --paginate", "--paginate 0: per_page must be a number from 1"],
  ["api GET /relayers --paginate -o tsv", "--paginate: prints json (the default), ndjson, yaml, or name, not tsv"],
  ["api GET /relayers --paginate -o raw --query length(@)", "or name, not raw"],
  ["api GET /relayers --paginate --include", "--include: cannot be combined with --paginate"],
])("rejects %s", (line, words) => says({ exitCode: 2, requests: [] }, line, words));

test("shows the first request in a dry run", async () =>
  expect((await cli("api GET /relayers?per_page=5 --paginate --dry-run")).stdout).toContain(
    "GET /api/v1/relayers?page=1&per_page=5\n",
  ));

describe("api --include", () => {
  const headers = {
    "content-type": "application/json",
    "x-request-id": "6f1a2c1e",
    "set-cookie": "sid=canary-cookie-value",
    location: "https://user:canary-password@host.example/canary-path",
    "x-odd": "a\u001b[2J",
  };

  test("prints the status and the headers before the body, without secrets", async () => {
    const service: Transport = async () => ({ ...reply(200, "{}"), headers });
    expect((await cli("api GET /things -i", { service })).stdout).toBe(
      [
        "HTTP/1.1 200",
        "content-type: application/json",
        "x-request-id: 6f1a2c1e",
        "set-cookie: ***",
        "location: https://host.example/***",
        "x-odd: a\\u{1b}[2J",
        "",
        "{}",
      ].join("\n"),
    );
  });

  test("shows the response to a write", async () => {
    const body = '{"success":true,"data":{"id":"r1","paused":true},"error":null}';
    const service: Transport = async () => ({ ...reply(200, body), headers });
    const ran = await cli("api PATCH /relayers/r1 -F paused=true -i", { service });
    expect(ran.stdout).toContain("HTTP/1.1 200\ncontent-type: application/json\nx-request-id: 6f1a2c1e\n");
  });

  test("cannot be combined with --query", async () =>
    expect((await cli("api GET /relayers -i --query data")).stderr).toContain(
      "--include: cannot be combined with --query",
    ));
});
