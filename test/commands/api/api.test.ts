import { type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import { cli, ends, exits, says, type World } from "../../helpers/cli.ts";
import { reply } from "../../helpers/service/reply.ts";

describe("a request", () => {
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

  test.each([
    ["eth_chainId", "", -33000, 9],
    ["eth_sendRawTransaction", " --yes", -32602, 7],
    ["eth_sendRawTransaction", " --yes", -33000, 11],
  ])("reports the JSON-RPC error of %s%s as `relayers rpc` does: %d", async (method, yes, code, exitCode) => {
    const files = { "b.json": JSON.stringify({ method, params: [], id: 1 }) };
    const error = { code, message: "Request failed", description: "" };
    const service: Transport = async () => reply(200, JSON.stringify({ jsonrpc: "2.0", error, id: 1 }));
    const ran = await exits(exitCode, `api POST /relayers/r1/rpc -f b.json${yes}`, { files, service });
    expect(ran.stderr).toContain(`JSON-RPC error ${code}: Request failed\n`);
    if (exitCode === 11) expect(ran.stderr).toContain("hint: relayctl relayers status r1\n");
  });

  test("never prints a signing key from the body", async () => {
    const key = "a-signing-key-of-more-than-32-characters";
    const files = { "b.json": JSON.stringify({ signing_key: key }) };
    const service: Transport = async () => reply(400, JSON.stringify({ success: false, message: `bad key ${key}` }));
    const ran = await cli("api PATCH /notifications/n1 -f b.json", { files, service });
    expect(ran.stderr).not.toContain(key);
  });
});

const service: Transport = async () => reply(200, "{}");

async function bodyOf(fields: readonly string[], world: World = {}): Promise<string | undefined> {
  const ran = await exits(0, ["api", "POST", "/things", ...fields, "--yes"], { service, ...world });
  return ran.writes[0]?.body;
}

function typed(...fields: string[]): string[] {
  return fields.flatMap((field) => ["-F", field]);
}

describe("fields of a body", () => {
  test.each([
    ["a=true", '{"a":true}'],
    ["a=false", '{"a":false}'],
    ["a=null", '{"a":null}'],
    ["a=0", '{"a":0}'],
    ["a=-7", '{"a":-7}'],
    ["a=340282366920938463463374607431768211457", '{"a":340282366920938463463374607431768211457}'],
    ["a=1.50", '{"a":"1.50"}'],
    ["a=007", '{"a":"007"}'],
    ["a=1e3", '{"a":"1e3"}'],
    ["a=0x1f", '{"a":"0x1f"}'],
    ["a=True", '{"a":"True"}'],
    ["a=", '{"a":""}'],
    ["a=b=c[d]", '{"a":"b=c[d]"}'],
    ["a=line\nline", '{"a":"line\\nline"}'],
    ["__proto__=1", '{"__proto__":1}'],
    ["__proto__[a]=1", '{"__proto__":{"a":1}}'],
    ["a[]", '{"a":[]}'],
    ["a[b][]", '{"a":{"b":[]}}'],
  ])("reads -F %j", async (field, body) => expect(await bodyOf(typed(field))).toBe(body));

  test("nest in objects and lists", async () => {
    expect(await bodyOf(typed("a[b]=1", "a[c][d]=x", "l[]=1", "l[]=two"))).toBe(
      '{"a":{"b":1,"c":{"d":"x"}},"l":[1,"two"]}',
    );
    expect(await bodyOf(typed("l[][a]=1", "l[][b]=2", "l[][a]=3", "m[][]=4", "m[][]=5"))).toBe(
      '{"l":[{"a":1,"b":2},{"a":3}],"m":[[4],[5]]}',
    );
  });

  test("are texts with --raw-field", async () =>
    expect(await bodyOf(["--raw-field", "a=1", "--raw-field", "b=@x", "--raw-field", "c=null", "-F", "d=1"])).toBe(
      '{"a":"1","b":"@x","c":"null","d":1}',
    ));

  test("read files and stdin as texts", async () => {
    const world = { files: { "a.txt": "1\n" }, stdin: "true" };
    expect(await bodyOf(typed("a=@a.txt", "b=@-"), world)).toBe('{"a":"1\\n","b":"true"}');
  });

  test("override the members of --file", async () => {
    const files = { "b.json": '{"name":"x","policies":{"min_balance":18446744073709551617,"a":1},"l":[1]}' };
    const fields = ["-f", "b.json", ...typed("name=y", "policies[a]=2", "l[]=3")];
    expect(await bodyOf(fields, { files })).toBe(
      '{"name":"y","policies":{"min_balance":18446744073709551617,"a":2},"l":[3]}',
    );
  });

  test("need consent by what the body does", async () => {
    const fields = typed("policies[whitelist_receivers]=null");
    const ran = await ends({ exitCode: 3, writes: [] }, ["api", "PATCH", "/relayers/eth-main-1", ...fields]);
    expect(ran.stderr).toContain("-F 'policies[whitelist_receivers]=null' --confirm eth-main-1");
  });
});

describe("fields of a query", () => {
  test("are those of a GET, as typed", async () => {
    const argv = ["api", "GET", "/things?a=1", ...typed("b=true", "c[]=x y", "d=@d.txt")];
    const ran = await cli(argv, { service, files: { "d.txt": "&" } });
    expect(ran.requests.map(({ target, body }) => [target, body])).toEqual([
      ["/api/v1/things?a=1&b=true&c%5B%5D=x+y&d=%26", undefined],
    ]);
  });

  test.each([[typed("a=2")], [typed("b=1", "b=2")]])("cannot repeat a name: %j", (fields) =>
    says({ exitCode: 2, requests: [] }, ["api", "GET", "/things?a=1", ...fields], ": is in the query already"),
  );
});

describe("invalid fields", () => {
  test.each([
    [typed("a"), "--field a: write it as name=value, a[b]=value, or a[]=value"],
    [typed("=x"), "--field =…: write it as name=value"],
    [typed("[a]=x"), "--field [a]=…: write it as name=value"],
    [typed("a[b=x"), "--field a[b=…: write it as name=value"],
    [typed("a=1", "a=2"), "--field a: conflicts with an earlier field"],
    [typed("a=1", "a[b]=2"), "--field a[b]: conflicts with an earlier field"],
    [typed("a[b]=1", "a[]=2"), "--field a[]: conflicts with an earlier field"],
    [typed("a=@none.txt"), "none.txt: cannot be read: it does not exist"],
    [["-f", "-", "-F", "a=@-"], "-: stdin can be read only once per command"],
    [["-f", "list.json", "-F", "a=1"], "--file: must contain a JSON object to be combined with fields"],
  ])("%j is a usage error", async (fields, words) => {
    const world = { service, stdin: "{}", files: { "list.json": "[]" } };
    await says({ exitCode: 2, requests: [] }, ["api", "POST", "/things", ...fields, "--yes"], words, world);
  });

  test("a secret is read from a file alone, without its line ending, and is never printed", async () => {
    const key = "a-signing-key-of-more-than-32-characters";
    const argv = ["api", "PATCH", "/notifications/ops-hook", "--yes"];
    const refused = await ends({ exitCode: 2, requests: [] }, [...argv, "-F", `signing_key=${key}`]);
    expect(refused.stderr).toContain("read it from a file: -F signing_key=@FILE");
    expect(refused.stderr).not.toContain(key);
    const sent = await cli([...argv, "-F", "signing_key=@key.txt"], { files: { "key.txt": `${key}\n` } });
    expect(sent.writes[0]?.body).toBe(`{"signing_key":"${key}"}`);
    expect(sent.stdout + sent.stderr).not.toContain(key);
    const removed = await cli([...argv, "-F", "signing_key="]);
    expect(removed.writes[0]?.body).toBe('{"signing_key":""}');
  });
});

describe("pages", () => {
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
    expect((await cli("api GET /relayers --paginate -o name")).stdout).toBe(
      (await cli("relayers list -o name")).stdout,
    );
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
});
