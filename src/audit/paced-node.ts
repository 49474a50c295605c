import { FINAL } from "../chain/evm/receipt.ts";
import type { ChainNode, NodeFault } from "../chain/node/node.ts";

/** The requests that a node gets at a time, and how often one that it limits is sent again. */
const AT_ONCE = 8;
const MOST_PAUSES = 6;
const FIRST_PAUSE = 500;

/**
 * Returns a node that gets a few requests at a time, is asked again after a pause if it limits the rate, and is not
 * asked any more after a fault that concerns all requests.
 * @param pause waits for so many milliseconds, or until the command is interrupted
 */
export function createPacedNode(node: ChainNode, pause: (milliseconds: number) => Promise<void>): ChainNode {
  let free = AT_ONCE;
  const waiting: (() => void)[] = [];
  let ended: { fault: NodeFault } | undefined;
  const askSoon: ChainNode["ask"] = async (method, params) => {
    for (let times = 0; ; times++) {
      if (ended) return ended;
      const reading = await node.ask(method, params);
      if (!("fault" in reading) || !FINAL.includes(reading.fault.kind)) return reading;
      if (reading.fault.kind === "limited" && times < MOST_PAUSES) await pause(FIRST_PAUSE * 2 ** times);
      else ended = reading;
    }
  };
  return {
    get name() {
      return node.name;
    },
    async ask(method, params) {
      if (free > 0) free--;
      else await new Promise<void>((resume) => waiting.push(resume));
      try {
        return await askSoon(method, params);
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
