import { parseNodeUrl } from "../../config/nodes.ts";
import { parseSourced } from "../../config/sourced.ts";
import type { Problems } from "../../contract/problems.ts";
import { hideUrl } from "../../session/hide-secrets.ts";
import type { Call } from "../command.ts";

export function nodeFlag(
  { app, common }: Pick<Call, "app" | "common">,
  problems: Problems,
  node: string | undefined,
): string | undefined {
  if (node === undefined) return undefined;
  if (common.demo) problems.add("--node", "cannot be combined with --demo");
  const url = parseSourced({ value: node, from: "--node" }, parseNodeUrl, problems.found)?.value;
  if (url !== undefined) hideUrl(app, url);
  return url;
}
