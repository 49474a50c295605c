import { erc20NameProblem } from "../../contract/erc20.ts";
import type { Problem } from "../../errors.ts";
import type { Call, CommandSyntax, ParsedFlags } from "../command.ts";
import type { Erc20Change, NamedToken } from "./erc20-change.ts";

export function defineErc20Flags(command: CommandSyntax) {
  return command
    .option(
      "--erc20 <token>",
      "Add an ERC-20 token under a name, e.g. usdc=mainnet:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48; reads its decimals from the contract, and asks (repeatable)",
      "values",
    )
    .option("--unset-erc20 <name>", "Remove a token, on all networks or on one: usdc=mainnet (repeatable)", "values");
}

export interface TypedErc20 {
  add: readonly NamedToken[];
  remove: Erc20Change["remove"];
}

const TOKEN = /^([^=]*)=([A-Za-z0-9][A-Za-z0-9._-]*):(.*)$/s;
const ON = /^([^=]*)(?:=([A-Za-z0-9][A-Za-z0-9._-]*))?$/s;

export async function typedErc20(
  { app, common, flags }: Pick<Call<ParsedFlags<typeof defineErc20Flags>>, "app" | "common" | "flags">,
  problems: Problem[],
): Promise<TypedErc20 | undefined> {
  if (!flags.erc20 && !flags.unsetErc20) return refuseUnused(common, problems);
  const { addressProblem } = await import("../../contract/address.ts");
  const seen = new Set<string>();
  const isNew = (where: string, given: string, key: string) => {
    if (seen.has(key)) problems.push({ where, given, rule: "is specified twice" });
    return seen.size < seen.add(key).size;
  };
  const add = (flags.erc20 ?? []).flatMap((given) => {
    const [, name, network, address] = TOKEN.exec(given) ?? [];
    const token = name === undefined || network === undefined || !address ? undefined : { name, network, address };
    const rule = token ? (erc20NameProblem(token.name) ?? addressProblem(token.address)) : NEEDED;
    if (rule !== undefined) problems.push({ where: "--erc20", given, rule });
    return token && isNew("--erc20", given, `${token.name}=${token.network}`) ? [token] : [];
  });
  const remove = (flags.unsetErc20 ?? []).flatMap((given) => {
    const [, name, network] = ON.exec(given) ?? [];
    if (!name) problems.push({ where: "--unset-erc20", given, rule: "must be the name of a token, e.g. usdc" });
    return name && isNew("--unset-erc20", given, given) ? [{ name, network }] : [];
  });
  const refused = { "--server": common.server, propose: app.captureRules };
  for (const [other, value] of add.length === 0 ? [] : Object.entries(refused))
    if (value !== undefined)
      problems.push({ where: "--erc20", rule: `cannot be combined with ${other}: the token is read in the context` });
  if (add.length === 0) refuseUnused(common, problems);
  return add.length + remove.length === 0 ? undefined : { add, remove };
}

const NEEDED =
  "must be a name, =, a network, :, and an address, e.g. usdc=mainnet:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

function refuseUnused({ proxy, timeout, deadline, retries }: Call["common"], problems: Problem[]): undefined {
  for (const [flag, value] of Object.entries({ proxy, timeout, deadline, retries }))
    if (value !== undefined) problems.push({ where: `--${flag}`, rule: "applies to --erc20 only" });
}
