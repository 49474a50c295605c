import type { Transport } from "../../../src/client/transport/transport.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { SERVER, TOKEN, type World } from "../../helpers/test-app.ts";

const ALL = 4010;
/** The relayers that are paused already. */
const PAUSED = 10;
/** The relayers that the service refuses to change. */
const DISABLED = [121, 544, 1020];
const LAST = 1214;
const EACH = 32;

const idOf = (number: number) => `relayer-${String(number).padStart(7, "0")}`;
const relayer = (number: number, paused: boolean) => ({ id: idOf(number), name: `Relayer ${number}`, paused });

/** A service of 4,010 relayers whose user presses Ctrl-C in the middle of a bulk change. */
export function manyRelayers(beforeInterrupt: () => void): World {
  const clock = steppedClock();
  const interrupt = new AbortController();
  const service: Transport = async ({ method, target }) => {
    if (method === "GET") return list(target);
    await clock.pass(EACH);
    const number = Number(target.split("relayer-")[1]);
    if (number === LAST) {
      beforeInterrupt();
      interrupt.abort("interrupted");
    }
    if (DISABLED.includes(number)) return reply(400, { success: false, error: "Relayer is disabled" });
    return reply(200, { success: true, data: relayer(number, true) });
  };
  const prod = { server: SERVER, token: TOKEN };
  return {
    config: { version: 1, current: "prod", contexts: { prod } },
    service,
    clock,
    interrupt: interrupt.signal,
  };
}

function list(target: string) {
  const page = new URL(target, SERVER).searchParams;
  const [number, size] = [Number(page.get("page") ?? 1), Number(page.get("per_page") ?? 100)];
  const from = (number - 1) * size;
  const count = Math.max(0, Math.min(size, ALL - from));
  const data = Array.from({ length: count }, (_, at) => relayer(from + at + 1, from + at < PAUSED));
  return reply(200, {
    success: true,
    data,
    pagination: { current_page: number, per_page: size, total_items: ALL },
  });
}

function reply(status: number, body: object) {
  return {
    status,
    headers: { "content-type": "application/json" },
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}
