import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import { stateFromText, stateToText } from "../../../src/embedded-server/state/state-text.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { askDemo, START, stoppedClock, UUID } from "../ask.ts";
import { localService, TO } from "./local-service.ts";

const dead = (path: string) => ({ failures: [{ method: "WORKER", path, status: "dead" as const, rate: 1 }] });
const node = (path: string, status: number | "lost") => ({ failures: [{ method: "NODE", path, status, rate: 1 }] });
const DAY = 86_400;

describe("with a dead worker, a transaction", () => {
  test.each([
    ["*", { status: "pending", nonce: null }],
    ["prepare", { status: "pending", nonce: null }],
    ["submit", { status: "sent", nonce: 0, sent_at: null }],
    ["status", { status: "submitted", nonce: 0 }],
  ])("stays where %s would take it on: %o", async (worker, fields) => {
    const { send, record } = localService(dead(worker));
    expect(await record(await send(), DAY)).toMatchObject(fields);
  });

  test("is not on the chain if nothing sends it", async () => {
    const { send, record, byHash } = localService(dead("submit"));
    const { hash } = await record(await send(), DAY);
    expect(hash).toMatch(/^0x/);
    expect(await byHash(hash)).toBe(null);
  });

  test.each([
    ["replaced", "PUT"],
    ["canceled", "DELETE"],
  ] as const)("that nothing sends is not sent either once it is %s", async (_, method) => {
    const { ask, send, record, byHash, minedAt } = localService(dead("submit"));
    const id = await send();
    await record(id, 60);
    const body = method === "PUT" ? { to: TO, value: "2", speed: "fastest" } : undefined;
    expect((await ask(method, `/relayers/local-1/transactions/${id}`, body)).status).toBe(200);
    const { status, sent_at, hash } = await record(id, DAY);
    expect([status, sent_at, await byHash(hash), await minedAt(0)]).toEqual(["sent", null, null, undefined]);
  });

  test("is mined even if nothing notices it", async () => {
    const { send, record, minedAt } = localService(dead("status"));
    const { hash } = await record(await send(), DAY);
    expect(await minedAt(0)).toMatchObject({ hash, value: "0x1" });
  });

  test.each(["*", "prepare", "submit", "status"])("is confirmed after a restart with %s alive", async (worker) => {
    const { send, record, state } = localService(dead(worker));
    const id = await send();
    await record(id, 60);
    const clock = { ...stoppedClock(), now: () => START + 600_000 };
    const random = { uuid: () => UUID, fraction: () => 0 };
    const store = memoryStore(stateFromText(stateToText(state)));
    const restarted = askDemo({ clock, store, random, dialect: openzeppelinDialect(random) });
    expect((await restarted("GET", `/relayers/local-1/transactions/${id}`)).data.status).toBe("confirmed");
  });
});

test("a call to a node can fail with a code, which is all that the service passes on", async () => {
  const { ask } = localService(node("eth_getBalance", -32_005));
  const { status, text } = await ask("POST", "/relayers/local-1/rpc", { method: "eth_getBalance", params: ["0x1"] });
  const error = { code: -32603, message: "Internal error", description: "RPC error occurred (code: -32005)" };
  expect([status, JSON.parse(text)]).toEqual([200, { jsonrpc: "2.0", id: 1, error }]);
});
