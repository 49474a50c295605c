import type { Transport } from "../../src/client/transport/transport.ts";
import { exits } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { reply } from "../helpers/service/reply.ts";

/** 40 KB on the wire, and 2 MB when it is read. */
const NOTE = `[{}${",{}".repeat(19_999)}]`;
/** What is held as text is as long as it is on the wire. */
const TEXT = `"${"x".repeat(400_000)}"`;
/** No holder needs more pages than this to hold too much. */
const MOST_PAGES = 60;

/** Every list is endless, with one large item on each page. */
function endless(note: string): Transport {
  let pages = 0;
  return async ({ target }) => {
    if (++pages > MOST_PAGES) throw new Error("a list without an end was read on and on");
    const isList = target.includes("?");
    const id = isList ? `r${pages}` : target.split("/").at(-1);
    const item = `{"id":"${id}","status":"pending","signer_id":"s1","notification_id":"n1","note":${note}}`;
    const pagination = `{"current_page":${pages},"per_page":1,"total_items":1000000000000000}`;
    const data = isList ? `[${item}],"pagination":${pagination}` : item;
    return reply(200, `{"success":true,"data":${data},"error":null}`);
  };
}

test.each(
  sampled(
    [
      ["a table on a terminal", "relayers list", true],
      ["JSON", "relayers list -o json", false, TEXT],
      ["YAML", "notifications list -o yaml", false, TEXT],
      ["a sorted list", "signers list --sort id -o ndjson", false, TEXT],
      ["a query", "networks list --query [].id", false],
      ["selected targets", "relayers resume --where id~r --yes", false],
      ["the status of all relayers", "relayers status --brief", false],
      ["the users of a notification to delete", "notifications delete n1 --yes", false],
      ["the pending transactions", "tx cancel-pending r1 --yes", false],
      ["the choices of a prompt", "relayers get", true],
    ],
    2,
  ),
)(
  "%s of an endless list fails with exit code 9 before it uses up the memory",
  async (_, line, terminal, note = NOTE) => {
    const ran = await exits(9, line, { service: endless(note), terminal, heapLimit: 2 ** 26 });
    expect(ran.stdout).toBe("");
    expect(ran.writes).toEqual([]);
    expect(ran.stderr).toContain("the list takes more than 16 MiB of memory, the limit for one list");
  },
);
