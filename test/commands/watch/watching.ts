import type { Transport } from "../../../src/client/transport/transport.ts";
import { runHere, testApp, type World } from "../../helpers/cli.ts";
import { refusal, success, wholeList } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";

export interface Fleet {
  relayers: { id: string; [field: string]: unknown }[];
  /** The responses of the status route; "hangs" never responds. */
  statuses: Record<string, object | "hangs">;
  transactions: Record<string, { id: string; status: string; [field: string]: unknown }[]>;
  /** The relayer whose transactions cannot be read. */
  unreadable?: string;
  /** Responds to everything, if it is set. */
  trouble?: ReturnType<typeof refusal>;
}

/** A service that shows what the fleet is at the moment of the request. */
function serviceOf(fleet: Fleet): Transport {
  return async ({ target }, { signal }) => {
    if (fleet.trouble) return fleet.trouble;
    const { pathname, searchParams } = new URL(target, "http://x");
    const [, , , , id = "", what = "", transaction] = pathname.split("/");
    if (what === "") return relayersReply(fleet, id);
    if (what === "status") return await statusReply(fleet.statuses[id], signal);
    if (id === fleet.unreadable) return refusal(500, "An unknown error occurred");
    const all = fleet.transactions[id] ?? [];
    if (transaction === undefined) return pageReply(all, searchParams);
    const found = all.find((each) => each.id === transaction);
    return found ? success(found) : refusal(404, `Transaction with ID ${transaction} not found`);
  };
}

function relayersReply({ relayers }: Fleet, id: string) {
  const found = relayers.find((each) => each.id === id);
  return found ? success(found) : wholeList(relayers);
}

async function statusReply(status: Fleet["statuses"][string] | undefined, signal: AbortSignal) {
  if (status !== "hangs") return status ? success(status) : refusal(500, "the node does not respond");
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  throw lost(signal.reason);
}

function pageReply(all: Fleet["transactions"][string], query: URLSearchParams) {
  const status = query.get("status");
  const listed = status === null ? all : all.filter((each) => each.status === status);
  const [page, perPage] = [Number(query.get("page")), Number(query.get("per_page"))];
  const items = listed.slice((page - 1) * perPage, page * perPage);
  return success(items, { current_page: page, per_page: perPage, total_items: listed.length });
}

/** Runs a watch on a clock that the test moves, until it shows something. `screen` returns the last picture. */
export async function watching(line: string, fleet: Fleet, world: World = {}, clock = steppedClock()) {
  const interrupt = new AbortController();
  const made = testApp({ ...world, clock, interrupt: interrupt.signal, service: serviceOf(fleet) });
  let isOver = false;
  const ended = runHere(made, line.split(" ")).finally(() => {
    isOver = true;
  });
  onTestFinished(() => interrupt.abort("interrupted"));
  // The first run of a command loads its modules.
  while (made.stdout.text() === "" && !isOver) await turnOfLoop();
  /** Waits until the watch sleeps: what it loads for the first time takes any number of turns. */
  const sleeping = async () => {
    while (!clock.isAwaited() && !isOver) await turnOfLoop();
  };
  await sleeping();
  await settled();
  return {
    ...made,
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        await clock.pass(1_000);
        await sleeping();
      }
      await settled();
    },
    screen: () => plain(made.stdout.text().split("\u001b[H").at(-1) ?? ""),
    targets: (pattern: RegExp) => made.requests.filter(({ target }) => pattern.test(target)).length,
    async end() {
      interrupt.abort("interrupted");
      const ran = await ended;
      return { ...ran, left: plain(ran.stdout.split("\u001b[?25h\u001b[?1049l")[1] ?? "") };
    },
  };
}

/** Lets everything happen that waits for no time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await turnOfLoop();
}

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

function plain(text: string): string {
  return text.replaceAll(/\u001b\[\d*(?:m|K|J)/g, "");
}
