import { sampled } from "../helpers/deep.ts";
import { exited } from "../helpers/exited.ts";
import { closedPort } from "../helpers/service/closed-port.ts";
import { TIMEOUT } from "../helpers/time-up.ts";
import { createAuthority } from "./server/certificates.ts";
import { openConnectProxy, type ProxyManner } from "./server/connect-proxy.ts";
import { type FaultServer, type FaultServerOptions, openFaultServer } from "./server/fault-server.ts";
import { interfaceDialect } from "./server/service/dialect.ts";
import { createService } from "./server/service/service.ts";
import { type Ended, type RunnerWorld, runHere, TOKEN } from "./world.ts";

const authority = createAuthority();
const TO = "0xde709f2102306220921060314715629080e2fb77";
const REPLACE = ["api", "PUT", "/relayers/evm-1/transactions/tx-evm", "-f", "body.json", "--yes"];
const COMMANDS = [
  ["relayers", "list"],
  ["relayers", "update", "evm-1", "--name", "New"],
  ["notifications", "create", "--url", "https://hooks.example.org/new"],
  ["tx", "replace", "evm-1", "tx-evm", "--to", TO, "--value", "1", "--speed", "fast", "--yes"],
  REPLACE,
];
const files = { "body.json": `{"value":1,"to":"${TO}","speed":"fast"}`, "ca.pem": authority.cert };

async function serve(options: Partial<FaultServerOptions> = {}): Promise<FaultServer> {
  const service = createService({ dialect: interfaceDialect, routes: true });
  const server = await openFaultServer({ service, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Under a name that only the proxy knows: this machine is always reached directly. */
function elsewhere({ origin }: FaultServer): string {
  return origin.replace("127.0.0.1", "relayer.invalid");
}

async function run(argv: readonly string[], origin: string, more: Pick<RunnerWorld, "timeUp"> = {}): Promise<Ended> {
  return await runHere([...argv, "--timeout", TIMEOUT, "--retries", "1"], { origin, files, ...more });
}

/** Nothing was sent, that is said, and the server has no other opinion. */
function expectNothingSent(ended: Ended, words: string, server?: FaultServer): void {
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).toContain("nothing was sent");
  expect(ended.exitCode).toBe(10);
  expect(ended.stdout).toBe("");
  expect(server?.arrived ?? []).toEqual([]);
}

describe.each(sampled(COMMANDS, 2).map((argv) => [argv.slice(0, 3).join(" "), argv] as const))("%s", (_, argv) => {
  test("reports that nothing was sent to a closed port", async () => {
    expectNothingSent(await run(argv, `http://127.0.0.1:${await closedPort()}`), "connection refused");
  });

  test("reports that nothing was sent to a host name that does not exist", async () => {
    expectNothingSent(await run([...argv, "--allow-http"], "http://nope.invalid"), "cannot be resolved");
  });

  test("works over TLS with a private certificate authority", async () => {
    const server = await serve({ tls: authority.issue() });
    await exited(0, run([...argv, "--ca-file", "ca.pem"], server.origin));
    expect(server.arrived.length).toBeGreaterThan(0);
  });

  test.each([
    ["from an unknown authority", () => authority.issue(), [], "not trusted"],
    ["for a different host", () => authority.issue({ host: "evil.test" }), ["--ca-file", "ca.pem"], "a different host"],
    [
      "that has expired",
      () => authority.issue({ until: new Date("2024-01-01T00:00:00Z") }),
      ["--ca-file", "ca.pem"],
      "expired",
    ],
    [
      "that is not valid yet",
      () => authority.issue({ from: new Date("2048-01-01T00:00:00Z") }),
      ["--ca-file", "ca.pem"],
      "not valid yet",
    ],
  ] as const)("sends nothing to a server with a certificate %s", async (_, issue, flags, words) => {
    const server = await serve({ tls: issue() });
    expectNothingSent(await run([...argv, ...flags], server.origin), words, server);
  });

  test("sends nothing to a server without TLS", async () => {
    const refusal = { do: "send", text: "HTTP/1.1 400 Bad Request\r\n\r\n" } as const;
    const server = await serve({ scripts: [{ connection: 1, steps: [refusal, { do: "fin" }] }] });
    expectNothingSent(await run(argv, server.origin.replace("http:", "https:")), "does not speak TLS", server);
  });

  test.each<[ProxyManner]>([
    ["asks for a password"],
    ["cannot reach it"],
    ["never answers"],
    ["closes"],
    ["speaks no HTTP"],
  ])("sends nothing through a proxy that %s, and connects to it once per attempt", async (manner) => {
    const [server, proxy] = [await serve(), await openConnectProxy(manner)];
    onTestFinished(proxy.close);
    const more = manner === "never answers" ? { timeUp: proxy.asked } : {};
    const ended = await run([...argv, "--proxy", proxy.url, "--allow-http"], elsewhere(server), more);
    expectNothingSent(ended, "the proxy 127.0.0.1", server);
    expect(proxy.heads.length).toBe(2);
    expect(proxy.heads.join()).not.toContain(TOKEN);
  });

  test("tunnels plain HTTP through a proxy, and never sends the token to the proxy", async () => {
    const [server, proxy] = [await serve(), await openConnectProxy("tunnels")];
    onTestFinished(proxy.close);
    await exited(0, run([...argv, "--proxy", proxy.url, "--allow-http"], elsewhere(server)));
    expect(proxy.heads.length).toBeGreaterThan(0);
    expect(proxy.heads.filter((head) => !head.startsWith("CONNECT ") || /authorization/i.test(head))).toEqual([]);
  });
});
