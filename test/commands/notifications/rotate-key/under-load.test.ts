import { verifyWebhook } from "../../../../src/contract/webhook/signature.ts";
import { interfaceDialect } from "../../../../src/embedded-server/dialect.ts";
import { openzeppelinDialect } from "../../../../src/embedded-server/openzeppelin/dialect.ts";
import { createEmbeddedServer } from "../../../../src/embedded-server/server.ts";
import { memoryStore, movingStore, type ServerStore } from "../../../../src/embedded-server/state/store.ts";
import { createDeliveries, type Deliver } from "../../../../src/embedded-server/webhooks/deliveries.ts";
import { cli, TOKEN } from "../../../helpers/cli.ts";
import { chosen } from "../../../helpers/deep.ts";
import { seedState } from "../../../helpers/seed-state.ts";
import { steppedClock } from "../../../helpers/stepped-clock.ts";

const OLD = "the-old-key-of-more-than-32-characters";
const NEW = "a-new-key-of-more-than-32-characters-x";
const ROTATE = "notifications rotate-key ops-hook --signing-key-file new --old-key-file old --yes";
/** Milliseconds that a delivery is on its way. */
const TRANSIT = 300;
/** Milliseconds after which the service notices what has happened, and those once nothing depends on their order. */
const [STEP, LONG_STEP] = [100, 2000];

interface Arrival {
  id: string;
  /** The index of the key among the old and the new one, if it signed. */
  key: number | undefined;
  status: number;
}

/** The embedded server, whose deliveries take a while to arrive at a receiver with these keys. */
function world(name: "interface" | "openzeppelin", accepted: readonly string[], isDown: () => boolean = () => false) {
  const clock = steppedClock();
  const state = seedState("demo");
  state.notifications.put({ id: "ops-hook", type: "webhook", url: "http://127.0.0.1:9/hook", signing_key: OLD });
  let ids = 0;
  const random = { uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`, fraction: () => 0.5 };
  const dialect = name === "interface" ? interfaceDialect : openzeppelinDialect(random);
  const arrivals: Arrival[] = [];
  let inFlight = 0;
  const deliver: Deliver = async ({ headers, body }) => {
    inFlight++;
    await clock.sleep(TRANSIT);
    inFlight--;
    const signature = headers["x-signature"];
    const found = verifyWebhook(body, signature, [OLD, NEW]);
    const isAccepted = !isDown() && verifyWebhook(body, signature, accepted).verified;
    const status = isDown() ? 503 : isAccepted ? 204 : 401;
    arrivals.push({ id: JSON.parse(body).id, key: found.verified ? found.key : undefined, status });
    return status;
  };
  const store: ServerStore = movingStore(memoryStore(state), clock.now, (updates) => deliveries.deliver(updates));
  const interrupt = new AbortController().signal;
  const deliveries = createDeliveries({
    ...{ store, clock, random, deliver, interrupt, shown: dialect.shown },
    delivered: async () => {},
  });
  const service = createEmbeddedServer({ token: TOKEN, store, clock, random, dialect });
  const load = async (count: number, milliseconds: number, step = STEP) => {
    const line = "tx send base-hot --to 0x90f79bf6eb2c4f870365e785982e1f101e93b906 --value 1wei --speed fast --yes";
    for (let sent = 0; sent < count; sent++) expect((await cli(line, { service })).exitCode).toBe(0);
    for (let passed = 0; passed < milliseconds; passed += step) await pass(step);
  };
  const pass = async (step = STEP) => {
    await clock.pass(step);
    await store.read(() => undefined);
  };
  const untilInFlight = async () => {
    while (inFlight === 0) await pass();
  };
  const rotate = () => cli(ROTATE, { service, files: { new: NEW, old: OLD } });
  return { arrivals, load, untilInFlight, rotate };
}

describe.each(chosen(["interface", "openzeppelin"], 1))("rotation under load, dialect %s:", (name) => {
  test("a receiver with both keys refuses nothing, and the old key signs nothing that begins later", async () => {
    const { arrivals, load, untilInFlight, rotate } = world(name, [OLD, NEW]);
    await load(4, 5000);
    await load(4, 0);
    await untilInFlight();
    const before = arrivals.length;
    expect(await rotate()).toMatchObject({ exitCode: 0 });
    await load(0, TRANSIT);
    const inFlight = arrivals.length - before;
    await load(4, 60_000, LONG_STEP);
    expect(new Set(arrivals.map(({ status }) => status))).toEqual(new Set([204]));
    expect(new Set(arrivals.slice(0, before).map(({ key }) => key))).toEqual(new Set([0]));
    expect(inFlight).toBeGreaterThan(0);
    expect(arrivals.slice(before, before + inFlight).map(({ key }) => key)).toContain(0);
    expect(new Set(arrivals.slice(before + inFlight).map(({ key }) => key))).toEqual(new Set([1]));
    expect(arrivals.length - before - inFlight).toBeGreaterThan(8);
  });

  test("a retry of an event that the old key signed has the same ID and the new signature", async () => {
    let isDown = true;
    const { arrivals, load, rotate } = world(name, [OLD, NEW], () => isDown);
    await load(1, 2000);
    expect(arrivals.length).toBeGreaterThan(0);
    await rotate();
    isDown = false;
    await load(0, 50_000, LONG_STEP);
    const signed = new Map<string, (number | undefined)[]>();
    for (const { id, key } of arrivals) signed.set(id, [...(signed.get(id) ?? []), key]);
    expect([...signed.values()]).toContainEqual([0, 1]);
  });

  test("a receiver with the old key alone refuses what follows, as the words before say", async () => {
    const { arrivals, load, rotate } = world(name, [OLD]);
    await load(2, 20_000, LONG_STEP);
    const before = arrivals.length;
    await rotate();
    await load(1, 300_000, LONG_STEP);
    const after = arrivals.slice(before);
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]));
    const attempts = new Set(after.map(({ id }) => after.filter((other) => other.id === id).length));
    expect(attempts).toEqual(new Set([5]));
  });
});
