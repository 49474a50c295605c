import { createClient } from "../../src/client/client.ts";
import { type Transport, TransportFailure } from "../../src/client/transport/transport.ts";
import { DEFAULT_TIMEOUT } from "../../src/timing.ts";
import { refusal, success } from "../helpers/service/reply.ts";
import { lost, type Step, scriptedService } from "../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../helpers/test-link.ts";

const HANGS: Step = {};

async function whileHanging(
  kind: "read" | "write",
  act: (clientContext: ReturnType<typeof testClientContext>, abandon: AbortController) => void,
  ...after: Step[]
) {
  const service = scriptedService(HANGS, ...after);
  const abandon = new AbortController();
  const clientContext = testClientContext(service.transport, { abandon: abandon.signal, retries: 0 });
  const client = createClient(clientContext);
  const done = kind === "read" ? client.relayers.get("r1") : client.relayers.update("r1", { paused: true });
  const failure = errorOf(done);
  await Promise.resolve();
  act(clientContext, abandon);
  return { error: await failure, service };
}

describe("an attempt that times out", () => {
  test("exits with 10 for a read", async () => {
    const { error } = await whileHanging("read", (clientContext) => clientContext.expire());
    expect(error).toMatchObject({ failure: "network", applied: "no" });
  });

  test("is read back for a write", async () => {
    const seen = { reply: success({ id: "r1", paused: false }) };
    const { error, service } = await whileHanging("write", (clientContext) => clientContext.expire(), seen);
    expect(error).toMatchObject({ failure: "unknown", applied: "unknown" });
    expect(service.left()).toBe(0);
  });
});

describe("Ctrl-C", () => {
  test("ends a read immediately", async () => {
    const { error } = await whileHanging("read", (clientContext) => clientContext.controller.abort());
    expect(error).toMatchObject({ failure: "interrupted", applied: "no", exitCode: 130 });
  });

  test.each([undefined, 200])(
    "ends a read whose request was sent (status received: %s), without a retry",
    async (status) => {
      const transport: Transport = async () => {
        clientContext.controller.abort();
        throw lost("interrupted", status);
      };
      const clientContext = testClientContext((request, limits) => transport(request, limits));
      const error = await errorOf(createClient(clientContext).relayers.get("r1"));
      expect(error).toMatchObject({
        failure: "interrupted",
        message: "interrupted; nothing was changed",
        applied: "no",
        exitCode: 130,
      });
      expect(clientContext.events.filter(({ type }) => type === "attempt")).toHaveLength(1);
    },
  );

  test("lets a write in progress continue; a second one leaves the outcome unknown", async () => {
    const { error, service } = await whileHanging("write", (clientContext, abandon) => {
      clientContext.controller.abort();
      abandon.abort();
    });
    expect(error).toMatchObject({ failure: "interrupted", applied: "unknown", exitCode: 130 });
    expect((error as unknown as { because: string[] }).because.join()).not.toContain("nothing was sent");
    expect(service.requests).toHaveLength(1);
  });

  test("ends a write that waits for its connection, and reports that nothing was sent", async () => {
    const transport: Transport = (_, { signal, untilSent }) =>
      new Promise((_resolve, reject) => {
        untilSent?.();
        signal.addEventListener("abort", () =>
          reject(new TransportFailure(signal.reason, "left before it was sent", { sent: false })),
        );
        clientContext.controller.abort();
      });
    const clientContext = testClientContext((request, limits) => transport(request, limits));
    expect(await errorOf(createClient(clientContext).relayers.update("r1", { paused: true }))).toMatchObject({
      failure: "interrupted",
      applied: "no",
    });
    expect(clientContext.events.filter(({ type }) => type === "note")).toEqual([]);
  });

  test("prevents the request if pressed before it", async () => {
    const service = scriptedService();
    const clientContext = testClientContext(service.transport);
    clientContext.controller.abort();
    expect(await errorOf(createClient(clientContext).relayers.update("r1", { paused: true }))).toMatchObject({
      failure: "interrupted",
      message: "interrupted; nothing was sent",
      applied: "no",
    });
  });

  test("prevents the retry if pressed during a delay", async () => {
    const service = scriptedService({ reply: refusal(429, "Too Many Requests") });
    const clientContext = testClientContext(service.transport, {
      report: (event) => void (event.type === "retry" && clientContext.controller.abort()),
    });
    const error = await errorOf(createClient(clientContext).relayers.update("r1", { paused: true }));
    expect(error).toMatchObject({
      failure: "interrupted",
      message: "interrupted; nothing was changed",
      applied: "no",
    });
    expect(service.requests).toHaveLength(1);
  });
});

test("the deadline of the command ends a write that waits for its connection", async () => {
  const transport: Transport = (_, { signal, untilSent }) =>
    new Promise((_resolve, reject) => {
      untilSent?.();
      signal.addEventListener("abort", () => reject(new TransportFailure(signal.reason, "left", { sent: false })));
    });
  const clientContext = testClientContext(transport, { remaining: () => 5_000, retries: 0 });
  expect(await errorOf(createClient(clientContext).relayers.update("r1", { paused: true }))).toMatchObject({
    failure: "network",
    applied: "no",
  });
});

test("the deadline of the command limits a read, but not a write in progress", async () => {
  const limits: number[] = [];
  const timed = (remaining: number) => {
    const clientContext = testClientContext(async () => success({ id: "r1", paused: true }), {
      remaining: () => remaining,
    });
    const sleep = (time: number, signal?: AbortSignal) => {
      limits.push(time);
      return clientContext.clock.sleep(time, signal);
    };
    return createClient({ ...clientContext, clock: { ...clientContext.clock, sleep } });
  };
  await timed(5_000).relayers.get("r1");
  await timed(5_000).relayers.update("r1", { paused: true });
  await timed(90_000).relayers.get("r1");
  expect(limits).toEqual([5_000, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT]);
});
