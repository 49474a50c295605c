import { reply } from "../helpers/service/reply.ts";
import { createAuthority } from "./server/certificates.ts";
import { openConnectProxy, type ProxyManner } from "./server/connect-proxy.ts";
import { type FaultServer, openFaultServer } from "./server/fault-server.ts";
import { rawReply } from "./server/reply.ts";
import { interfaceDialect } from "./server/service/dialect.ts";
import { createService } from "./server/service/service.ts";
import { type Ended, runHere } from "./world.ts";

const authority = createAuthority();
const TO = "0xde709f2102306220921060314715629080e2fb77";
const files = { "body.json": `{"value":1,"to":"${TO}","speed":"fast"}`, "ca.pem": authority.cert };

/** Each sends its write over the first connection. */
const WRITES = [
  ["relayers", "update", "evm-1", "--name", "New"],
  ["notifications", "create", "--url", "https://hooks.example.org/new"],
  ["api", "PUT", "/relayers/evm-1/transactions/tx-evm", "-f", "body.json", "--yes"],
].map((argv) => [argv.slice(0, 2).join(" "), argv] as const);

const GREETINGS = [
  ["a refusal", rawReply(reply(400, ""))],
  ["a refusal that closes the connection", rawReply(reply(400, "", { connection: "close" }))],
  ["a success", rawReply(reply(200, '{"success":true,"data":{"id":"evm-1","paused":true},"error":null}'))],
  ["half a refusal", "HTTP/1.1 400 Bad"],
] as const;

async function serve(options: { greeting?: string; tls?: { cert: string; key: string } }): Promise<FaultServer> {
  const { greeting, tls } = options;
  const service = createService({ dialect: interfaceDialect, routes: true });
  const scripts = greeting === undefined ? [] : [{ connection: 1, greeting }];
  const server = await openFaultServer({ service, scripts, ...(tls && { tls }) });
  onTestFinished(() => server.close());
  return server;
}

async function run(argv: readonly string[], origin: string): Promise<Ended> {
  return await runHere([...argv, "--retries", "1", "--timeout", "20s"], { origin, files });
}

function expectNothingSent({ exitCode, stderr }: Ended, server: FaultServer): void {
  expect(stderr).toContain("nothing was sent");
  expect(exitCode).toBe(10);
  expect(server.arrived).toEqual([]);
}

describe.each(WRITES)("%s sends nothing if a response arrives before the request", (_, argv) => {
  test.each(GREETINGS)("%s over TCP", async (_, greeting) => {
    const server = await serve({ greeting });
    const ended = await run(argv, server.origin);
    expect(ended.stderr).toContain("it sent a response before there was a request");
    expectNothingSent(ended, server);
    expect(server.connections()).toBe(2);
  });

  test.each(GREETINGS)("%s over TLS", async (_, greeting) => {
    const server = await serve({ greeting, tls: authority.issue() });
    expectNothingSent(await run([...argv, "--ca-file", "ca.pem"], server.origin), server);
  });

  test.each<[ProxyManner]>([["speaks with its response"], ["speaks after its response"]])(
    "through a proxy that %s",
    async (manner) => {
      const [server, proxy] = [await serve({}), await openConnectProxy(manner)];
      onTestFinished(proxy.close);
      const origin = server.origin.replace("127.0.0.1", "relayer.invalid");
      expectNothingSent(await run([...argv, "--proxy", proxy.url, "--allow-http"], origin), server);
    },
  );
});
