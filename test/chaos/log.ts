import { writeJson } from "../../src/contract/json.ts";
import type { Entry } from "../../src/journal/journal.ts";
import type { Signed } from "./model/chain.ts";
import type { ModelWorld } from "./model/world.ts";

/** Prints what happens in a world from now on: each line with the milliseconds since the start of the life. */
export function keepLog(world: ModelWorld, print: (line: string) => void): void {
  const { chain, disk, fleet, service, timeline } = world;
  const { receive, mine } = chain;
  const { change } = fleet;
  const { journalFor } = disk;
  const note = (words: string) => print(`${String(timeline.now).padStart(8)}  ${words}`);
  world.note = note;
  chain.receive = (transaction) => {
    const reception = receive(transaction);
    note(`node: ${wordsOf(transaction)}: ${reception}`);
    return reception;
  };
  chain.mine = (time) => {
    const from = chain.changes.length;
    mine(time);
    for (const { mined } of chain.changes.slice(from))
      if (mined) note(`block ${mined.block}: ${wordsOf(mined.transaction)}${mined.reverted ? ", reverted" : ""}`);
  };
  fleet.change = (id, body) => {
    note(`relayer ${id}: ${JSON.stringify(body)}`);
    return change(id, body);
  };
  disk.journalFor = (ran) => {
    const journal = journalFor(ran);
    const append = (entry: Entry) => {
      note(`journal: ${writeJson(entry)}`);
      return journal.append(entry);
    };
    return { ...journal, append };
  };
  world.service = (request, done) => {
    const { method, target } = request;
    const response = service(request, done);
    const isRead = method === "GET" || target.endsWith("/rpc");
    if (!isRead) note(`service: ${method} ${target} ${request.body ?? ""}: ${response.status}`);
    return response;
  };
}

function wordsOf({ hash, nonce, to, value, maxFee, tip }: Signed): string {
  return `${hash.slice(0, 10)}… with nonce ${nonce}, ${value} wei to ${to?.slice(0, 6) ?? "nobody"}…, ${maxFee}/${tip} wei per gas`;
}
