import { RelayctlError } from "../../../src/errors.ts";
import { cli, SERVER, TOKEN } from "../../helpers/cli.ts";
import { type MemoryJournal, memoryJournal } from "../../helpers/memory/journal.ts";
import { intent, outcome } from "../../journal/entries.ts";

const TX = "7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e0f";
const WAS = `0x${"ab".repeat(32)}`;
const config = { version: 1 as const, contexts: { prod: { server: SERVER, token: TOKEN } } };

async function journalWith(...applied: ("yes" | "no" | "unknown")[]): Promise<MemoryJournal> {
  const journal = memoryJournal();
  for (const [index, word] of applied.entries()) {
    const id = `write-${index}`;
    const before = { id: TX, hash: index === 0 ? WAS : `0x${String(index).repeat(64)}` };
    const ids = { relayer_id: "eth-main-1", transaction_id: TX };
    await journal.append(intent(id, { operation: "tx.replace", kind: "once", ids, before }));
    await journal.append(outcome(id, { applied: word }));
  }
  return journal;
}

async function lookedUp(line: string, journal: MemoryJournal): Promise<string[]> {
  const { requests } = await cli(line, { env: {}, config, journal });
  return requests.flatMap(
    ({ body = "" }) => /"eth_getTransactionByHash","params":\["(0x[0-9a-f]+)"/.exec(body)?.[1] ?? [],
  );
}

describe("the hash from before a replacement in the journal", () => {
  test("is looked up on the chain without --was", async () => {
    expect(await lookedUp(`tx get eth-main-1 ${TX} --on-chain -c prod`, await journalWith("yes"))).toContain(WAS);
    expect(await lookedUp(`tx wait eth-main-1 ${TX} -c prod --deadline 1s`, await journalWith("yes"))).toContain(WAS);
  });

  test("of a replacement that was refused is not the previous one", async () => {
    const journal = await journalWith("yes", "no");
    const ran = await cli(`tx get eth-main-1 ${TX} -c prod --on-chain`, { env: {}, config, journal });
    expect(ran.stderr).toContain("the hash changed");
    expect(await lookedUp(`tx get eth-main-1 ${TX} -c prod --on-chain`, await journalWith("no"))).toContain(WAS);
  });
});

test("a journal that cannot be read does not keep a transaction from being shown", async () => {
  const journal = memoryJournal();
  journal.find = () => Promise.reject(new RelayctlError("io", "journal: cannot be read"));
  expect(await cli(`tx get eth-main-1 ${TX} -c prod`, { env: {}, config, journal })).toMatchObject({ exitCode: 0 });
});

test("the receipt of a replacement says that the journal has the hash from before", async () => {
  const replace = `tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 1wei --gas-limit 21000 --speed fast -c prod --yes`;
  const kept = await cli(replace, { env: {}, config });
  const off = await cli(replace, { env: { RELAYCTL_JOURNAL: "off" }, config });
  expect([kept.exitCode, off.exitCode]).toEqual([0, 0]);
  expect(kept.stderr).toContain("previous hash saved in the journal");
  expect(off.stderr).not.toContain("journal");
});
