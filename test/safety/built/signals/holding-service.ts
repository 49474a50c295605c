import { rawService, reply } from "../../../e2e/services/raw.ts";

/** A service of some relayers that holds requests until the test lets them go, and keeps a ledger of what it applied. */
export interface HoldingService {
  env: Record<string, string>;
  /** Every change that was applied, as `PATCH r1`. */
  applied: readonly string[];
  requests: readonly string[];
  /** Resolves once so many requests are held. */
  holds(count: number): Promise<void>;
  /** Applies and responds to everything that is held, and from then on to everything at once. */
  release(): void;
}

/** More than a pipe and the buffers around it hold. */
export const LONG = "x".repeat(400_000);
export const isWrite = (request: string) => !request.startsWith("GET ");
export const isRead = (request: string) => request.startsWith("GET ");
export const NONE = () => false;

const IDS = ["r1", "r2", "r3", "r4"];

/** @param held whether a request, as `PATCH /api/v1/relayers/r1`, is held @param name makes a response long */
export async function holdingService(held: (request: string) => boolean, name = "Relayer"): Promise<HoldingService> {
  const applied: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let count = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { env, requests } = await rawService(async (request) => {
    const [method = "", target = ""] = request.split(" ");
    if (held(`${method} ${target}`)) {
      count++;
      for (const one of waiting) if (one.count <= count) one.resolve();
      await released;
    }
    if (method !== "GET") applied.push(`${method} ${target.split("/").at(-1)}`);
    return answered(method, target, { name, body: request.split("\r\n\r\n")[1] ?? "" });
  });
  return {
    env: { ...env },
    applied,
    requests,
    holds: (wanted) =>
      new Promise((resolve) => {
        waiting.push({ count: wanted, resolve });
        if (count >= wanted) resolve();
      }),
    release,
  };
}

function answered(method: string, target: string, { name, body }: { name: string; body: string }): string {
  const relayer = (id: string) => ({
    id,
    name,
    network: "mainnet",
    network_type: "evm",
    paused: false,
    policies: { gas_price_cap: 80_000_000_000 },
  });
  const [, id] = /^\/api\/v1\/relayers\/([^/?]+)$/.exec(target) ?? [];
  const success = (data: unknown, more = {}) => reply(200, JSON.stringify({ success: true, data, ...more }));
  if (method === "DELETE") return success("deleted");
  if (id !== undefined) return success({ ...relayer(id), ...(method === "PATCH" && JSON.parse(body)) });
  if (!target.startsWith("/api/v1/relayers?")) return reply(404, "", "text/plain");
  return success(IDS.map(relayer), { pagination: { current_page: 1, per_page: 1000, total_items: IDS.length } });
}
