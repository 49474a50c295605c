import type { Transport } from "../../../src/client/transport/transport.ts";
import { pageReply, reply, success } from "../../helpers/service/reply.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { inProd, type World } from "../../helpers/test-app.ts";

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
  const relayers = Array.from({ length: ALL }, (_, at) => relayer(at + 1, at < PAUSED));
  const service: Transport = async ({ method, target }) => {
    if (method === "GET") return pageReply(relayers, target);
    await clock.pass(EACH);
    const number = Number(target.split("relayer-")[1]);
    if (number === LAST) {
      beforeInterrupt();
      interrupt.abort("interrupted");
    }
    if (DISABLED.includes(number)) return reply(400, { success: false, error: "Relayer is disabled" });
    return success(relayer(number, true));
  };
  return { config: inProd().config, service, clock, interrupt: interrupt.signal };
}
