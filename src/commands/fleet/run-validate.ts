import { storedList } from "../../command-support/printing.ts";
import { pluralize } from "../../contract/decimal.ts";
import { RelayctlError } from "../../errors.ts";
import type { FileFinding } from "../../fleet/config/file-report.ts";
import { inspectFleet } from "../../fleet/config/read-fleet.ts";
import { type AllowedReferences, openFleetSources } from "../../fleet/open-sources.ts";
import type { Ending, View } from "../../terminal/view.ts";
import { fileFindingRow, fileFindingView } from "../../views/fleet/file-findings.ts";
import type { Call } from "../command.ts";

export async function runValidate(
  { app, args, output }: Call,
  { strict = false, ...allowed }: AllowedReferences & { strict?: boolean },
): Promise<View> {
  const findings = await inspectFleet(args, openFleetSources(app, allowed));
  const inActions = app.env.GITHUB_ACTIONS === "true" && !app.env.RELAYCTL_NO_ANNOTATIONS;
  const format = output.format ?? (inActions ? "github" : undefined);
  const ending = buildEnding(findings, strict);
  if (format === "sarif" || format === "github") {
    const { ciAnnotationLines, ciSarifText } = await import("../../views/fleet/findings-for-ci.ts");
    return { kind: "text", text: (format === "sarif" ? ciSarifText : ciAnnotationLines)(findings), ...ending };
  }
  const nothing = "nothing is wrong or unfinished";
  return {
    ...storedList(fileFindingView, findings.map(fileFindingRow), ""),
    nothing,
    ending: async () => ending,
  };
}

function buildEnding(findings: readonly FileFinding[], isStrict: boolean): Ending {
  const count = (severity: FileFinding["severity"]) => findings.filter((each) => each.severity === severity).length;
  const parts = (["error", "warning", "note"] as const).filter((each) => count(each) > 0);
  const text = parts.map((each) => pluralize(count(each), each)).join(", ");
  const isRefused = count("error") > 0 || (isStrict && findings.length > 0);
  if (isRefused) return { failure: new RelayctlError("unmet", `the files have ${text}`) };
  return { notes: text === "" ? [] : [`nothing is wrong: ${text}`] };
}
