import { exited, exitedSaying } from "../helpers/exited.ts";
import { reply } from "../helpers/service/reply.ts";
import { type FaultServer, openFaultServer } from "./server/fault-server.ts";
import { rawReply } from "./server/reply.ts";
import type { Step } from "./server/script.ts";
import { interfaceDialect } from "./server/service/dialect.ts";
import { createService, type Service } from "./server/service/service.ts";
import { type Ended, runHere, SIGNING_KEY } from "./world.ts";

const LOST: readonly Step[] = [{ do: "read", bytes: "all" }, { do: "apply" }, { do: "rst" }];
const NOT_APPLIED: readonly Step[] = [{ do: "read", bytes: "all" }, { do: "rst" }];
const UUID = "3c2a8f1e-0000-4000-8000-000000000001";
const CREATE = ["notifications", "create", "--url", "https://hooks.example.org/new"];

/** Runs a command with these steps for every write. */
async function lost(
  argv: readonly string[],
  steps: readonly Step[],
  service = createService({ dialect: interfaceDialect, routes: true }),
): Promise<Ended & { server: FaultServer; looks: string[] }> {
  const scripts = ["PATCH", "POST", "PUT"].map((method) => ({ match: { method }, steps }));
  const server = await openFaultServer({ service, scripts });
  onTestFinished(() => server.close());
  const ended = await runHere(argv, { origin: server.origin, files: { "key.txt": SIGNING_KEY } });
  const written = server.arrived.findIndex(({ method }) => method !== "GET");
  const looks = server.arrived.slice(written + 1).map(({ method, path }) => `${method} ${path}`);
  return { ...ended, server, looks };
}

describe("after a lost response", () => {
  const paused = ["relayers", "pause", "evm-1"];

  test("reads a relayer by its ID, and confirms the change with a warning", async () => {
    const ended = await lost(paused, LOST);
    expect(ended.looks).toEqual(["GET /api/v1/relayers/evm-1"]);
    expect(ended.exitCode).toBe(0);
    expect(ended.stderr).toContain("warning: the response was lost");
    expect(ended.server.ledger).toMatchObject([{ id: "evm-1", body: '{"paused":true}' }]);
  });

  test("reports an unconfirmed change as unknown, with the observed value, the time, and a command to check", async () => {
    await exitedSaying(11, lost(paused, NOT_APPLIED), [
      /at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ the service shows paused: requested true, got false/,
      "it may still arrive",
      "hint: relayctl relayers get evm-1",
    ]);
  });
});

describe("a create request without a response", () => {
  test("is confirmed if the generated ID exists", async () => {
    await exited({ exitCode: 0, looks: [`GET /api/v1/notifications/${UUID}`] }, lost(CREATE, LOST));
  });

  test("reports that the signing key is not confirmed", async () => {
    const ended = await exited(0, lost([...CREATE, "--signing-key-file", "key.txt"], LOST));
    expect(ended.stderr).toContain(
      "note: the service never returns signing keys, so the new key could not be verified",
    );
  });

  test("reports the generated id if the outcome stays unknown", () =>
    exitedSaying(11, lost(CREATE, NOT_APPLIED), `the request was sent with the ID ${UUID}`));

  test("exits with 14 if the ID exists with different values", async () => {
    const ended = await exited(14, lost([...CREATE, "-o", "json"], LOST, changing("https://elsewhere.example.org/")));
    expect(JSON.parse(ended.stderr).error).toMatchObject({ code: "mismatch", applied: "yes" });
    expect(ended.stderr).toContain("https://elsewhere.example.org/");
  });
});

test("a JSON-RPC error proves nothing if another response follows", async () => {
  const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}';
  const argv = ["relayers", "rpc", "evm-1", "eth_sendRawTransaction", "0x02f8", "--yes", "-o", "json"];
  const refused = await lost(argv, [
    { do: "read", bytes: "all" },
    { do: "send", text: rawReply(reply(200, error)) },
  ]);
  expect(JSON.parse(refused.stderr).error).toMatchObject({ exit_code: 7, applied: "no" });
  const doubtful = await lost(argv, [
    { do: "read", bytes: "all" },
    { do: "answer", edit: { ahead: rawReply(reply(200, error)) } },
  ]);
  expect(JSON.parse(doubtful.stderr).error).toMatchObject({ exit_code: 11, applied: "unknown" });
  expect(doubtful.server.ledger).toHaveLength(1);
});

function changing(url: string): Service {
  const service = createService({ dialect: interfaceDialect, routes: true });
  return {
    ...service,
    consider(request) {
      const { apply, ...considered } = service.consider(request);
      if (!apply) return considered;
      const applyOther = () => {
        apply();
        service.state.notifications.set(considered.id, {
          id: considered.id,
          type: "webhook",
          url,
          has_signing_key: false,
        });
      };
      return { ...considered, apply: applyOther };
    },
  };
}
