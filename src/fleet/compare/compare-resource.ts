import type { JsonObject } from "../../contract/json.ts";
import type { DesiredResource } from "../desired.ts";
import { compareNetwork } from "./compare-network.ts";
import { compareNotification } from "./compare-notification.ts";
import { comparePlugin } from "./compare-plugin.ts";
import { compareRelayer } from "./compare-relayer.ts";
import { compareSigner } from "./compare-signer.ts";
import type { Findings } from "./findings.ts";
import type { ComparisonOptions } from "./rpc-urls.ts";

export async function compareResource(
  desired: DesiredResource,
  live: JsonObject,
  findings: Findings,
  options: ComparisonOptions,
): Promise<void> {
  await compareMembers(desired, live, findings, options);
  const { noun, id } = desired;
  for (const path of (await options.known.doubted?.(noun, id)) ?? []) findings.doubt(path);
}

async function compareMembers(
  desired: DesiredResource,
  live: JsonObject,
  findings: Findings,
  options: ComparisonOptions,
): Promise<void> {
  switch (desired.noun) {
    case "relayers":
      return await compareRelayer(desired, live, findings, options);
    case "notifications":
      return await compareNotification(desired, live, findings, options);
    case "signers":
      return await compareSigner(desired, live, findings, options);
    case "networks":
      return await compareNetwork(desired, live, findings, options);
    case "plugins":
      return comparePlugin(desired, live, findings);
  }
}
