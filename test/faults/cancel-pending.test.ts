import { expect, test } from "vitest";
import { EXIT_CODES, type Failure } from "../../src/errors.ts";
import { openFaultServer } from "./server/fault-server.ts";
import { realDialect } from "./server/service/dialect.ts";
import { createService, type Service } from "./server/service/service.ts";
import { atOnce } from "./table/at-once.ts";
import type { Fault } from "./table/fault.ts";
import { differing } from "./table/faults/differing.ts";
import { lost } from "./table/faults/lost.ts";
import { refused } from "./table/faults/refused.ts";
import { unreadable } from "./table/faults/unreadable.ts";
import { runHere } from "./world.ts";

const IDS = ["tx-evm", "tx-evm-2", "tx-evm-3"];
const FIRST = { method: "DELETE", path: "/api/v1/relayers/evm-1/transactions/tx-evm" };
const LINE = "tx cancel-pending evm-1 --yes -o json --retries 0 --concurrency 1";

interface Failed {
  error: { applied: string; exit_code: number; hint: string | null; details: { where: string; given?: Failure }[] };
}

function threePending(): Service {
  const service = createService({ dialect: realDialect, routes: true });
  const { transactions } = service.state;
  for (const id of IDS) transactions.set(id, { ...transactions.get("tx-evm"), id });
  return service;
}

/** What is wrong with the claims when this happens to the first of three cancellations. */
async function falseClaims({ steps, slow }: Fault): Promise<string[]> {
  const server = await openFaultServer({ service: threePending(), scripts: [{ match: FIRST, steps }] });
  const argv = [...LINE.split(" "), "--timeout", slow ? "150ms" : "10s"];
  const { exitCode, stdout, stderr } = await runHere(argv, { origin: server.origin }).finally(() => server.close());
  const applied = server.ledger.map(({ id }) => id);
  const shown = stdout === "" ? [] : (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
  const missing = shown.filter((id) => !applied.includes(id)).map((id) => `${id} is shown, and was not applied`);
  if (exitCode === 0) return shown.join() === IDS.join() ? missing : [...missing, `success, and shown is ${shown}`];
  const { error }: Failed = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "");
  const told = error.details.map(({ where }) => where);
  const first = error.details.find(({ where }) => where === "tx-evm")?.given;
  const found: Record<string, boolean> = {
    [`exit ${exitCode} of some that failed`]: exitCode !== codeOf(error, shown) || error.exit_code !== exitCode,
    "one is neither shown nor told": IDS.some((id) => shown.includes(id) === told.includes(id)),
    "said not to be applied, and one was": error.applied === "no" && applied.length > 0,
    "said to be applied, and none was": error.applied === "yes" && applied.length === 0,
    [`${first}, and it was applied`]: applied.includes("tx-evm") && first !== "unknown" && first !== "mismatch",
    "no command to look at what is not known": error.applied === "unknown" && !error.hint?.endsWith("evm-1 tx-evm"),
  };
  return [...missing, ...Object.keys(found).filter((problem) => found[problem])];
}

/** Some failed; or one, such as a token that is refused, ended all before anything was applied. */
function codeOf({ details }: Failed["error"], shown: readonly string[]): number {
  const [word, ...others] = new Set(details.flatMap(({ given }) => given ?? []));
  return shown.length === 0 && word !== undefined && others.length === 0 ? EXIT_CODES[word] : EXIT_CODES.partial;
}

/** In bulk connections are shared: what happens to one of them, or holds it up, happens to the others too. */
function isOfOne({ only, onAccept, steps }: Fault): boolean {
  return only !== "reads" && !onAccept && steps.every((step) => step.do !== "wait");
}

test("whatever happens to one cancellation of three, each is shown or told, and the claims are true", async () => {
  const problems: string[] = [];
  await atOnce(12, [lost, unreadable, refused, differing].flat().filter(isOfOne), async (fault) => {
    for (const problem of await falseClaims(fault)) problems.push(`${fault.name}: ${problem}`);
  });
  expect(problems).toEqual([]);
}, 60_000);
