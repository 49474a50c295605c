import { prettyJson } from "../../contract/json.ts";
import type { FileFinding } from "../../fleet/config/file-report.ts";
import { annotationCommand } from "../../terminal/annotation.ts";
import { VERSION } from "../../version.ts";

export function ciAnnotationLines(findings: readonly FileFinding[]): string {
  const lines = findings.map(({ severity, code, file, line, column, ...finding }) => {
    const level = severity === "note" ? "notice" : severity;
    return annotationCommand({
      level,
      title: `relayctl ${code}`,
      text: findingText(finding),
      place: { file, line, column },
    });
  });
  return lines.join("");
}

export function ciSarifText(findings: readonly FileFinding[]): string {
  const results = findings.map(({ severity: level, code: ruleId, file, line, column, ...finding }) => {
    const region = line === undefined ? {} : { region: { startLine: line, startColumn: column ?? 1 } };
    const artifactLocation = { uri: encodeURI(file.replaceAll("\\", "/")) };
    const locations = [{ physicalLocation: { artifactLocation, ...region } }];
    return { ruleId, level, message: { text: findingText(finding) }, locations };
  });
  const rules = [...new Set(findings.map(({ code }) => code))].map((id) => ({ id }));
  const driver = { name: "relayctl", version: VERSION, rules };
  const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return `${prettyJson({ $schema, version: "2.1.0", runs: [{ tool: { driver }, results }] })}\n`;
}

function findingText({ path, message, fix }: Pick<FileFinding, "path" | "message" | "fix">): string {
  return `${path === "" ? "" : `${path}: `}${message}; ${fix}`;
}
