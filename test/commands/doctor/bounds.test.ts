import { cli, exited, type World } from "../../helpers/cli.ts";
import { refusal } from "../../helpers/service/reply.ts";
import { examined, ward, well, words } from "./sick.ts";

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => well({ id: `r${index}`, address: addressOf(index) }));
const addressOf = (index: number) => `0x${String(index + 1).padStart(40, "0")}`;
/** How many requests were sent about each relayer. */
const perRelayer = (requests: readonly { target: string }[]) => {
  const counts = new Map<string, number>();
  for (const { target } of requests) {
    const id = /\/relayers\/([^/?]+)/.exec(target)?.[1];
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
};

describe("doctor keeps within its bounds", () => {
  test("sends at most 8 requests about a relayer, and shares what belongs to a network", async () => {
    const { requests, findings } = await examined(ward({ relayers: many(100) }).world);
    expect(findings).toEqual([]);
    const counts = [...perRelayer(requests).values()];
    expect(counts).toHaveLength(100);
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
    expect(requests.filter(({ body = "" }: { body?: string }) => body.includes("eth_feeHistory"))).toHaveLength(1);
  });

  test("only reads", async () => {
    const { writes } = await examined(ward({ relayers: many(3) }).world);
    const methods = writes.map(({ body = "" }) => JSON.parse(body).method as string);
    expect(methods.filter((method) => !/^eth_(?:chainId|get\w+|feeHistory)$/.test(method))).toEqual([]);
  });

  test("a node that hangs delays no other relayer, and is reported", async () => {
    const { world } = ward({ relayers: [well({ id: "r0", network: "sepolia" }), well({ paused: true })] });
    const service: World["service"] = async (request, limits) =>
      request.target.includes("/r0/") && !request.target.includes("transactions")
        ? await hanging(limits.signal)
        : await world.service(request, limits);
    const clock = { ...world.clock, sleep: async () => {} };
    const found = await examined({ ...world, service, clock });
    expect(words(found)).toEqual(["fail RPC-DOWN r0", "warn REL-PAUSED r1"]);
    expect(found.skipped.filter(({ relayer }) => relayer === "r0").map(({ code }) => code)).toContain("NONCE-JAM");
  });

  test("ends at the deadline, and reports the skipped checks", async () => {
    const { world } = ward({ relayers: many(40) });
    let elapsed = 0;
    const clock = { ...world.clock, elapsed: () => elapsed };
    const service: World["service"] = async (request, limits) => {
      elapsed += 200;
      return await world.service(request, limits);
    };
    const found = await exited(10, examined({ ...world, service, clock }, "doctor --deadline 5s"));
    expect(elapsed).toBeLessThan(10_000);
    expect(found.skipped).toContainEqual({ code: "NONCE-JAM", relayer: "r39", reason: "the time limit was reached" });
    elapsed = 0;
    const { stdout } = await cli("doctor --deadline 5s -v", { ...world, service, clock, terminal: true, columns: 80 });
    expect(stdout.split("\n").length).toBeLessThan(12);
    expect(stdout).toMatch(/r10, r11, r12, and 11 more: /);
  });

  test("a service that refuses every request by rate ends the examination soon", async () => {
    const found = await examined({ ...ward({}).world, service: async () => refusal(429, "Too Many Requests") });
    expect(found.requests.length).toBeLessThanOrEqual(8);
    expect(words(found)).toContain("warn SVC-RATE");
  });

  test("one relayer that cannot be read hides no other", async () => {
    const { world } = ward({
      relayers: [well(), well({ id: "r2", paused: true })],
      failures: [{ method: "GET", path: "/api/v1/relayers/r1/*", status: 500, rate: 1 }],
    });
    const found = await examined(world);
    expect(words(found)).toContain("warn REL-PAUSED r2");
    expect(found.skipped.map(({ code, relayer }) => `${code} ${relayer}`)).toContain("NONCE-BACKLOG r1");
    expect(words(found)).not.toContain("fail RPC-DOWN r1");
  });
});

async function hanging(signal: AbortSignal): Promise<never> {
  const { TransportFailure } = await import("../../../src/client/transport/transport.ts");
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
  throw new TransportFailure("timeout", "no response in time", { sent: true });
}
