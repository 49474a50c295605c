import type { Span } from "../../audit/open-audit.ts";
import { readIds } from "../../command-support/ids.ts";
import { sinceFlag } from "../../config/since.ts";
import type { Problems } from "../../contract/problems.ts";
import type { Call, CommandSyntax } from "../command.ts";
import { nodeFlag } from "../tx/node-flag.ts";
import type { AuditTyped } from "./each-relayer.ts";

const NONCES = /^([0-9]{1,15})\.\.([0-9]{1,15})$/;

export function defineAuditSpan(command: CommandSyntax) {
  return command
    .optionsGroup("Chain")
    .option("--node <url>", "Ask your own node (default: RELAYCTL_NODE_<NETWORK>, then the relayer's node)")
    .option(
      "--state <folder>",
      "Keep EVM nonces that were read in this folder, to continue from there (default: the state folder)",
    );
}

export async function readAuditSpan(
  call: Call<Partial<Record<"since" | "nonces" | "node" | "state", string | undefined>>>,
  problems: Problems,
  usual: number,
): Promise<AuditTyped> {
  const { flags, app } = call;
  const ids = await readIds(call, problems, "relayer-id");
  const url = nodeFlag(call, problems, flags.node);
  const now = app.clock.now();
  const since = sinceFlag(problems, flags.since, now) ?? now - usual;
  const span = flags.nonces === undefined ? { since } : parseNonces(problems, flags.nonces);
  if (flags.nonces !== undefined && flags.since !== undefined)
    problems.add("--nonces", "cannot be combined with --since");
  if (flags.nonces !== undefined && ids?.length !== 1) problems.add("--nonces", "needs exactly one relayer");
  if (flags.state === "") problems.add("--state", "is empty");
  return { ids, span, url, state: flags.state };
}

function parseNonces(problems: Problems, text: string): Span {
  const [, first = "0", last = "0"] = NONCES.exec(text) ?? [];
  const span = { first: BigInt(first), last: BigInt(last) };
  if (!NONCES.test(text) || span.last < span.first)
    problems.add("--nonces", "must be the first and the last nonce, e.g. 40..60", text);
  return span;
}
