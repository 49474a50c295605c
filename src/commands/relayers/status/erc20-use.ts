import type { Erc20Tokens } from "../../../config/config.ts";
import { isContextList } from "../../../config/contexts.ts";
import { DEMO_ERC20 } from "../../../config/erc20.ts";
import { selectedContexts } from "../../../config/selected-contexts.ts";
import { erc20In } from "../../../contract/erc20.ts";
import type { Problems } from "../../../contract/problems.ts";
import { nearestChoice } from "../../../nearest.ts";
import type { RelayerStatus } from "../../../relayer-state/health.ts";
import { readSettings } from "../../../session/read-settings.ts";
import { fieldInOutputOption } from "../../../terminal/output-options.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import { type Seen, statusTableOperand, statusViewWithErc20 } from "../../../views/relayer-status/table.ts";
import type { Call } from "../../command.ts";
import type { ReadErc20 } from "../monitor/erc20.ts";

export type Erc20Use = NonNullable<Awaited<ReturnType<typeof readErc20Use>>>;

type Typed = Pick<Call<{ erc20?: true | undefined }>, "app" | "common" | "flags" | "output">;

export async function readErc20Use(
  { app, common, flags, output }: Typed,
  thresholds: readonly string[],
  problems: Problems,
) {
  const { fields, where = [], sort, query } = output;
  const typed = { "--fields": fields?.split(",") ?? [], "--where": where, "--sort": sort === undefined ? [] : [sort] };
  const tokenNames = (texts: readonly string[]) =>
    texts.flatMap((text) => erc20In(fieldInOutputOption(text) ?? "") ?? []);
  const named = tokenNames([...Object.values(typed).flat(), ...thresholds]);
  const isAll =
    flags.erc20 ||
    query?.includes("erc20") ||
    Object.values(typed)
      .flat()
      .some((text) => fieldInOutputOption(text) === "erc20");
  if (!isAll && named.length === 0) return undefined;
  const contexts = await tokensByContext({ app, common });
  const tokens = contexts.flatMap(([, known]) => Object.entries(known));
  const decimals = new Map(tokens.map(([name, token]) => [name, token.decimals]));
  const known = [...decimals.keys()].sort();
  if (known.length === 0) problems.add("--erc20", noTokens(contexts.map(([name]) => name)));
  for (const [flag, texts] of known.length === 0 ? [] : Object.entries(typed))
    for (const name of tokenNames(texts).filter((each) => !decimals.has(each)))
      problems.add(flag, `unknown token${nearestChoice([name], known)}`, name);
  const names = isAll ? known : [...new Set(named)].filter((name) => decimals.has(name)).sort();
  for (const name of names) refuseTwoMeanings(name, contexts, problems);
  const operand = statusTableOperand({ erc20: { decimals, columns: [] } });
  const ofTokens = where.filter((text) => tokenNames([text]).some((name) => decimals.has(name)));
  if (!problems.has("--where"))
    await problems.gather(() => readSelection({ where: ofTokens }, { ...statusViewWithErc20, operand }));
  return { names, decimals, columns: flags.erc20 ? known : [] };
}

function noTokens(contexts: readonly string[]): string {
  const where = contexts.join() === "" ? "" : ` in ${contexts.join(", ")}`;
  return `there are no ERC-20 tokens${where}; relayctl context set --erc20 adds one`;
}

type ByContext = readonly (readonly [context: string, tokens: Erc20Tokens])[];

/** An amount must not mean two numbers. */
function refuseTwoMeanings(name: string, contexts: ByContext, problems: Problems): void {
  const found = contexts.flatMap(([context, tokens]) => {
    const token = Object.hasOwn(tokens, name) ? tokens[name] : undefined;
    return token ? [{ context, decimals: token.decimals }] : [];
  });
  const [first, ...more] = found;
  const other = more.find(({ decimals }) => decimals !== first?.decimals);
  if (!first || !other) return;
  const rule = `${name} has ${first.decimals} decimals in ${first.context}, and ${other.decimals} in ${other.context}`;
  problems.add("--context", `${rule}; give one of them another name`);
}

async function tokensByContext({ app, common }: Pick<Typed, "app" | "common">): Promise<ByContext> {
  const { context } = common;
  if (context !== undefined && isContextList(context)) {
    const config = await app.config.read();
    return selectedContexts(config, context).map((name) => [name, config.contexts[name]?.erc20 ?? {}]);
  }
  const settings = await readSettings(app, common);
  return [settings.demo ? ["demo", DEMO_ERC20] : [settings.context?.value ?? "", settings.erc20]];
}

export function statusWithErc20(seen: Seen, { names, decimals, columns }: Erc20Use, { balances }: ReadErc20): Seen {
  const found = seen.found.map((each): RelayerStatus => {
    const own = balances.get(each.relayer.id) ?? [];
    const balanceOf = (name: string) => own.find((token) => token.name === name)?.balance ?? null;
    return { ...each, erc20: Object.fromEntries(names.map((name) => [name, balanceOf(name)])) };
  });
  return { ...seen, found, erc20: { decimals, columns } };
}
