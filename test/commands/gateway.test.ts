import { openTransport } from "../../src/client/transport.ts";
import type { Config } from "../../src/config/config.ts";
import type { WireReply } from "../../src/contract/wire.ts";
import { exited, exitedSaying, printedError, runHere, TOKEN, testApp, type World } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { type Gateway, type Guard, openGateway } from "../helpers/service/gateway.ts";
import { refusal, reply } from "../helpers/service/reply.ts";
import { testServer } from "../helpers/service/test-server.ts";

const SECRET = "gateway-secret-7f3a91";
const PAGE = (title: string) => `<!doctype html><html><head><title>${title}</title></head><body></body></html>`;
const HTML = { "content-type": "text/html" };

interface Recipe {
  headers: Readonly<Record<string, string>>;
  refused: WireReply;
  says: string;
}

const RECIPES: Readonly<Record<string, Recipe>> = {
  "Cloudflare Access": {
    headers: { "CF-Access-Client-Id": "88bf3b6d86161464.access", "CF-Access-Client-Secret": SECRET },
    refused: reply(302, PAGE("302 Found"), {
      location: "https://team.cloudflareaccess.com/cdn-cgi/access/login/relayer.example.org?kid=1",
    }),
    says: "it redirects to https://team.cloudflareaccess.com/***",
  },
  "an API key of AWS": {
    headers: { "x-api-key": SECRET },
    refused: reply(403, { message: "Forbidden" }, { "x-amzn-errortype": "ForbiddenException" }),
    says: "Forbidden",
  },
  "Google IAP": {
    headers: { "Proxy-Authorization": `Bearer ${SECRET}` },
    refused: reply(401, "Invalid IAP credentials: empty token", HTML),
    says: "Invalid IAP credentials: empty token",
  },
  "a consumer key": {
    headers: { apikey: SECRET },
    refused: reply(401, { message: "No API key found in request" }, { "www-authenticate": 'Key realm="kong"' }),
    says: "No API key found in request",
  },
  "Basic authentication before the bearer token": {
    headers: { "Proxy-Authorization": `Basic ${Buffer.from(`ops:${SECRET}`).toString("base64")}` },
    refused: reply(407, PAGE("407 Authorization Required"), { "proxy-authenticate": 'Basic realm="x"' }),
    says: "407 Authorization Required",
  },
  "a forward to a sign-in page": {
    headers: { "X-Forward-Key": SECRET },
    refused: reply(307, "", { location: "/oauth2/start?rd=%2Fapi%2Fv1" }),
    says: "it redirects to /oauth2/start",
  },
  "its own page for 403": {
    headers: { "X-Zone-Key": SECRET },
    refused: reply(403, PAGE("Attention Required!"), HTML),
    says: "Attention Required!",
  },
};

const open: Gateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

async function behind(guard: Guard, service = testServer()) {
  const gateway = await openGateway(guard, service);
  open.push(gateway);
  const network = openTransport({ origin: gateway.origin, caCertificates: [] });
  const run = async (argv: readonly string[], world: World = {}) => {
    const env = { RELAYCTL_RETRIES: "0", ...world.env };
    const made = testApp({ service: network, config: contextAt(gateway), ...world, env });
    return { ...(await runHere(made, argv)), config: made.config(), journal: made.journal };
  };
  return { gateway, run };
}

function contextAt({ origin }: Gateway, members: Partial<Config["contexts"][string]> = {}): Config {
  return { version: 1, current: "gw", contexts: { gw: { server: origin, token: TOKEN, ...members } } };
}

function demanding({ headers, refused }: Recipe): Guard {
  const isSent = (found: Readonly<Record<string, string>>) =>
    Object.entries(headers).every(([name, value]) => found[name.toLowerCase()] === value);
  return (request) => (isSent(request.headers) ? undefined : refused);
}

const READ = ["relayers", "get", "base-hot"];
const WRITE = ["relayers", "pause", "base-hot"];

describe.each(Object.entries(RECIPES))("with %s before the service", (_, recipe) => {
  test.each([
    ["a read", READ],
    ["a write", WRITE],
  ])("%s without the header ends with 4, and says what the gateway said", async (_, argv) => {
    const { gateway, run } = await behind(demanding(recipe));
    const { exitCode, stderr } = await run([...argv, "-o", "json"]);
    const error = printedError(stderr);
    expect([exitCode, error.applied, gateway.passed]).toEqual([4, "no", []]);
    expect(error.message).toContain(`the response is from a gateway, not from the service: ${recipe.says}`);
    expect(error.message).toContain("no headers for a gateway are configured (--header)");
  });

  test("a login without the header says so, too, and stores nothing", async () => {
    const { gateway, run } = await behind(demanding(recipe));
    const login = ["auth", "login", "--server", gateway.origin, "--token-file", "-"];
    const ran = await run(login, { stdin: TOKEN, config: { version: 1, contexts: {} } });
    expect([ran.exitCode, ran.config?.contexts, gateway.passed]).toEqual([4, {}, []]);
    expect(ran.stderr).toContain("no headers for a gateway are configured (--header)");
    expect(ran.stderr).not.toContain("rejected the token");
  });

  test("both work with the header, which no output shows", async () => {
    const { gateway, run } = await behind(demanding(recipe));
    const config = contextAt(gateway, { headers: { ...recipe.headers } });
    for (const argv of [READ, [...WRITE, "-vv"], ["auth", "status"], [...READ, "--curl"]]) {
      const { exitCode, stdout, stderr, journal } = await run(argv, { config });
      expect([argv, exitCode]).toEqual([argv, 0]);
      expect(`${stdout}${stderr}${JSON.stringify(journal.entries)}`).not.toContain(SECRET);
    }
  });
});

describe("a page with the status of a success", () => {
  const guard: Guard = () => reply(200, PAGE("Sign in to continue"), HTML);

  test("ends a read with 4", async () => {
    const { run } = await behind(guard);
    for (const argv of [READ, ["relayers", "list"], ["api", "GET", "/relayers"], ["server", "health"]]) {
      const { exitCode, stderr } = await run(argv);
      expect([argv, exitCode]).toEqual([argv, 4]);
      expect(stderr).toContain("the response is from a gateway, not from the service: Sign in to continue");
    }
  });

  test.each([
    ["Log in", "the response is from a gateway"],
    ["Welcome", "the response is HTML; it may come from a proxy"],
  ])(
    "leaves open whether a write was applied, and does not say that the service accepted it: %s",
    async (page, words) => {
      const { run } = await behind(({ method }) => (method === "GET" ? undefined : reply(200, PAGE(page), HTML)));
      const { stderr } = await exited(11, run([...WRITE, "--yes"]));
      expect(stderr).toContain(words);
      expect(stderr).not.toContain("accepted");
    },
  );
});

test("a 429 with a page ends with 8", async () => {
  const { run } = await behind(() => reply(429, PAGE("Slow down"), HTML));
  await exitedSaying(8, run(READ), "the response is from a gateway, not from the service: Slow down");
});

test.each([
  ["a redirect that no login is behind", reply(302, "", { location: "https://other.example/api/v1/relayers" }), 7],
  ["a 403 with an envelope", refusal(403, "Relayer is paused"), 6],
  ["a permission that is missing", refusal(403, "missing permission relayers:read"), 4],
  ["a page of a 502", reply(502, PAGE("Bad Gateway"), HTML), 9],
  ["a welcome page", reply(200, PAGE("Welcome"), HTML), 9],
])("a refusal of the service is not taken for one of a gateway: %s", async (_, response, code) => {
  const { run } = await behind(() => response);
  const { stderr } = await exited(code, run(READ));
  expect(stderr).not.toContain("from a gateway");
});

test("shows the address of any redirect, without what may be secret, next to a page, too", async () => {
  const location = "https://user:pass@other.example/key-1/x?token=abc";
  for (const [text, headers] of [
    ["", {}],
    [PAGE("Moved"), HTML],
  ] as const) {
    const { run } = await behind(() => reply(301, text, { ...headers, location }));
    const { stderr } = await exited(7, run(READ));
    expect(stderr).toContain("error: HTTP 301; it redirects to https://other.example/*** (redirects are not followed)");
  }
});

const DOORS = [
  "relayers list",
  "relayers get base-hot",
  "relayers status",
  "relayers pause base-hot eth-main-1 polygon-bulk --yes",
  "relayers update base-hot --name other",
  "tx list base-hot",
  "tx send base-hot --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 1wei --gas-limit 21000 --speed fast --yes",
  "notifications create --url https://hooks.example/x",
  "networks list",
  "plugins list",
  "signers list",
  "find base",
  "doctor",
  "export",
  "server health",
  "server ready",
  "server metrics",
  "api GET /relayers",
  "api GET /relayers --paginate",
  "auth status",
  "auth login --context new --token-file -",
  "__ids relayer 0123456789abcdef",
];

test.each(sampled(DOORS, 3))("%s sends the header with every request", async (line) => {
  const { gateway, run } = await behind(() => undefined);
  const server = line.startsWith("auth login") ? ["--server", gateway.origin] : [];
  await run([...line.split(" "), ...server, "--header", "@headers"], {
    files: { headers: `X-Api-Key: ${SECRET}\r\n\r\n` },
    stdin: `${TOKEN}\n`,
  });
  expect(gateway.received.length).toBeGreaterThan(0);
  expect(gateway.received.filter(({ headers }) => headers["x-api-key"] !== SECRET)).toEqual([]);
});

test("a node and a receiver of webhooks never get it", async () => {
  const elsewhere = await behind(() => reply(404));
  const { gateway, run } = await behind(() => undefined);
  const config = contextAt(gateway, { headers: { "X-Api-Key": SECRET }, nodes: { base: elsewhere.gateway.origin } });
  const nodes = { [elsewhere.gateway.origin]: openTransport({ origin: elsewhere.gateway.origin, caCertificates: [] }) };
  const id = JSON.parse((await run(["tx", "list", "base-hot", "--limit", "1", "-o", "json"], { config })).stdout)[0].id;
  await run(["tx", "get", "base-hot", id, "--on-chain", "--node", elsewhere.gateway.origin], { config, nodes });
  await run(["webhooks", "test", "--to", `${elsewhere.gateway.origin}/hook`], { config, nodes });
  expect(elsewhere.gateway.received.length).toBeGreaterThan(1);
  expect(elsewhere.gateway.received.filter(({ headers }) => "x-api-key" in headers)).toEqual([]);
});

describe("headers of a context", () => {
  test("are stored, shown by name, and forgotten with the server", async () => {
    const { gateway, run } = await behind(() => undefined);
    const set = await run(["context", "set", "gw", "--header", `X-Api-Key: ${SECRET}`], { config: contextAt(gateway) });
    expect(set.stderr).toContain("note: the shell's history and ps show the value of X-Api-Key; use --header @FILE");
    expect(set.config.contexts.gw?.headers).toEqual({ "X-Api-Key": SECRET });
    const shown = await run(["context", "show", "-o", "json"], { config: set.config });
    expect(JSON.parse(shown.stdout).headers).toEqual([{ names: ["X-Api-Key"], kind: "stored", from: "context gw" }]);
    const moved = await run(["context", "set", "gw", "--server", "https://other.example"], { config: set.config });
    expect(moved.config.contexts.gw).toEqual({ server: "https://other.example" });
    expect(moved.stderr).toContain(`the headers for ${gateway.origin} were removed: X-Api-Key`);
    const unset = await run(["context", "set", "gw", "--unset-header", "x-api-key"], { config: set.config });
    expect(unset.config.contexts.gw).toEqual({ server: gateway.origin, token: TOKEN });
  });

  test("go with its server, whichever place the token comes from, and to no other", async () => {
    const { gateway, run } = await behind(() => undefined);
    const world = { config: contextAt(gateway, { headers: { "X-Api-Key": SECRET } }), files: { t: TOKEN } };
    await run([...READ, "--token-file", "t"], world);
    await run(READ, { ...world, env: { RELAYCTL_TOKEN: TOKEN } });
    expect(gateway.received.map(({ headers }) => headers["x-api-key"])).toEqual([SECRET, SECRET]);
    const other = await run([...READ, "-c", "gw", "--server", "http://127.0.0.1:9", "--token-file", "t"], world);
    expect([other.exitCode, gateway.received.length]).toEqual([4, 2]);
    expect(other.stderr).toContain(`the headers of context gw are for ${gateway.origin}, not for http://127.0.0.1:9`);
  });

  test("come from a command, which runs again before they expire", async () => {
    const { gateway, run } = await behind(() => undefined);
    const clock = manualClock();
    let runs = 0;
    const execute: World["execute"] = async () => {
      const expires_at = Math.floor(clock.now() / 1_000) + 6;
      return { stdout: JSON.stringify({ "X-Api-Key": `${SECRET}-${++runs}`, expires_at }) };
    };
    const config = contextAt(gateway, { header_command: ["print-headers"] });
    await run(["tx", "wait", "base-hot", "none", "--timeout", "1s"], { config, execute, clock });
    await run(READ, { config, execute, clock });
    expect(gateway.received.at(-1)?.headers["x-api-key"]).toBe(`${SECRET}-${runs}`);
  });

  test("of a sign-in are checked and stored with the token", async () => {
    const { gateway, run } = await behind(demanding(RECIPES["Cloudflare Access"] as Recipe));
    const files = { h: "CF-Access-Client-Id: 88bf3b6d86161464.access\nCF-Access-Client-Secret: wrong-secret\n" };
    const login = ["auth", "login", "--context", "new", "--server", gateway.origin, "--token-file", "-"];
    const world = { stdin: TOKEN, config: { version: 1, contexts: {} } } as const;
    const refused = await run([...login, "--header", "@h"], { ...world, files });
    expect([refused.exitCode, refused.config.contexts]).toEqual([4, {}]);
    expect(refused.stderr).not.toContain("rejected the token");
    const right = { h: files.h.replace("wrong-secret", SECRET) };
    const { config } = await exited(0, run([...login, "--header", "@h"], { ...world, files: right }));
    expect(config.contexts.new?.headers).toMatchObject({ "CF-Access-Client-Secret": SECRET });
    expect((await run(READ, { config })).exitCode).toBe(0);
    const out = await run(["auth", "logout"], { config });
    expect(out.config.contexts.new).toEqual({ server: gateway.origin });
  });
});

test.each([
  ["Authorization: Bearer abcdefgh", "--header Authorization: is the token"],
  ["Host: other.example", "--header Host: belongs to the connection"],
  ["Content-Length: 5", "--header Content-Length: belongs to the connection"],
  ["Transfer-Encoding: chunked", "belongs to the connection"],
  ["Connection: close", "belongs to the connection"],
  ["Content-Type: text/plain", "is set by relayctl"],
  ["X-Key: a\r\nX-Other: b", "has a control character"],
  ["X-Key:", "has no value"],
  ["gateway-secret-without-a-name", "must be a name, a colon, and a value"],
  ["@", "needs the name of a file"],
])("--header %j is refused before anything is sent, without its value", async (header, rule) => {
  const { gateway, run } = await behind(() => undefined);
  const { exitCode, stderr } = await run([...READ, "--header", header]);
  expect([exitCode, gateway.received]).toEqual([2, []]);
  expect(stderr).toContain(rule);
  expect(stderr).not.toMatch(/abcdefgh|gateway-secret/);
});

test("--curl has a variable in place of each value", async () => {
  const { gateway, run } = await behind(() => undefined);
  const config = contextAt(gateway, { headers: { "X-Api-Key": SECRET }, header_command: ["print-headers"] });
  const execute = async () => ({ stdout: '{"headers":{"X-Other":"other-secret"}}' });
  const { stdout } = await run([...WRITE, "--curl"], { config, execute });
  expect(stdout).toContain(`-H "X-Api-Key: \${HEADER_X_API_KEY:?}"`);
  expect(stdout).toContain(`-H "X-Other: \${HEADER_X_OTHER:?}"`);
  expect(gateway.received).toEqual([]);
});

test("a dry run that reads has a variable in place of a value from stdin", async () => {
  const { gateway, run } = await behind(() => undefined);
  const line = ["relayers", "pause", "base-hot", "--dry-run", "--diff", "--header", "@-"];
  const { stdout } = await exited(0, run(line, { stdin: `X-Api-Key: ${SECRET}\n` }));
  expect(stdout).toMatch(/^X-Api-Key: \$\{HEADER_X_API_KEY:\?\}$/m);
  expect(gateway.received.map(({ headers }) => headers["x-api-key"])).toEqual([SECRET]);
});

test("auth status shows which groups of routes a scoped token may read", async () => {
  const guard: Guard = ({ target }) =>
    /signers|plugins/.test(target)
      ? refusal(403, `missing permission ${/\w+s\b/.exec(target.slice(8))}:read`)
      : undefined;
  const { gateway, run } = await behind(guard);
  const { exitCode, stdout } = await run(["auth", "status", "-o", "json"]);
  const { routes } = JSON.parse(stdout);
  expect(exitCode).toBe(0);
  expect(routes.map(({ group, readable }: { group: string; readable: boolean }) => [group, readable])).toEqual([
    ["relayers", true],
    ["transactions", true],
    ["notifications", true],
    ["signers", false],
    ["networks", true],
    ["plugins", false],
  ]);
  expect(routes[3].message).toBe("missing permission signers:read");
  expect(gateway.received.filter(({ method }) => method !== "GET")).toEqual([]);
});
