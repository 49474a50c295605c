import { type Problem, RelayctlError, usageError } from "../../errors.ts";
import { nearestChoice, nearestName } from "../../nearest.ts";
import { VERSION } from "../../version.ts";
import { type Doubt, type FileWarning, sourcePlaceIn, sourcePlaceText } from "../desired-fleet.ts";
import type { SourceDocument } from "../source/document.ts";
import type { FleetSources } from "../sources.ts";

/** The stable words of a file's problems, each with a fix unless a more specific one is known. */
export const FIXES = {
  unreadable: "check the path, and who may read it",
  syntax: "correct the text at this place",
  unknown_member: "remove it, or add --allow-unknown",
  missing_member: "add it",
  invalid_value: "replace the value with a value that the rule allows",
  duplicate_id: "use another ID",
  missing_resource: "correct the ID, or describe what it refers to",
  placeholder: "fill it in",
  not_set: "set the variable",
  networks_not_found: "add --networks FOLDER",
  suspicious: "check that this is intended",
} as const;

export interface FileFinding {
  file: string;
  /** Absent if the file could not be read. */
  line?: number;
  column?: number;
  /** Dotted; empty for the whole file. */
  path: string;
  severity: "error" | "warning" | "note";
  code: keyof typeof FIXES;
  message: string;
  fix: string;
}

interface Found extends FileFinding {
  /** Set for what a plan refuses. */
  problem?: Problem;
  /** Set if a service may have the value nevertheless. */
  doubt?: Omit<Doubt, "problem">;
}

/** How a problem differs from a certain mistake. @see Found; `given` is the value, if it may be shown */
type Kind = { [K in "code" | "fix" | "doubt"]?: Found[K] | undefined } & { given?: string | undefined };

/** Collects all problems and warnings of a fleet's files, to report them at once. */
export class FileReport {
  readonly warnings: FileWarning[] = [];
  private readonly found: Found[] = [];
  private readonly files = new Map<string, number>();
  private readonly reported = new Map<SourceDocument, Set<string>>();
  private readonly allowsUnknown: boolean;

  constructor({ allowsUnknown = false }: Pick<FleetSources, "allowsUnknown">) {
    this.allowsUnknown = allowsUnknown;
  }

  /** Reports a problem, or with a fix in the doubt, a value that is still to be filled in. */
  problem(document: SourceDocument, path: string, rule: string, { fix, given, doubt, ...kind }: Kind = {}): void {
    const place = sourcePlaceIn(document, document.places.has(`${path}.value`) ? `${path}.value` : path);
    const where = path === "" ? sourcePlaceText(place) : `${sourcePlaceText(place)} ${path}`;
    const isUnfinished = doubt?.fix !== undefined;
    const { code = isUnfinished ? "placeholder" : "invalid_value" } = kind;
    this.found.push({
      ...{ ...place, path, code, severity: isUnfinished ? "note" : "error" },
      message: given === undefined ? rule : `${given}: ${rule}`,
      fix: fix ?? doubt?.fix ?? FIXES[code],
      problem: { where, rule, ...(given !== undefined && { given }) },
      ...(doubt && { doubt }),
    });
    const paths = this.reported.get(document) ?? new Set();
    this.reported.set(document, paths.add(path));
  }

  /** Returns whether a member, or its container, already has a problem: a second one would only confuse. */
  has(document: SourceDocument, path: string): boolean {
    const paths = this.reported.get(document);
    if (!paths) return false;
    for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) if (paths.has(at)) return true;
    return false;
  }

  warn(document: SourceDocument, path: string, text: string, isError = false): void {
    const kind = {
      severity: isError ? "error" : "warning",
      code: isError ? "missing_resource" : "suspicious",
    } as const;
    this.say(document, path, { ...kind, message: text });
    this.warnings.push({ place: sourcePlaceIn(document, path), text });
  }

  /** Reports an unknown member, or that it is left out. @param known the possible members */
  unknown(document: SourceDocument, path: string, known: readonly string[]): void {
    const name = path.slice(path.lastIndexOf(".") + 1);
    const meant = nearestName(name, known);
    const fix = meant === undefined ? {} : { fix: `rename it to ${meant}, or add --allow-unknown` };
    const message = `not compared: ${path} is ${UNKNOWN}`;
    if (this.allowsUnknown) {
      this.say(document, path, { severity: "note", code: "unknown_member", message, fix: "install a later relayctl" });
      this.warnings.push({ place: sourcePlaceIn(document, path), text: message, isNote: true });
    } else {
      const rule = `unknown member${known.length > 0 ? nearestChoice([name], known) : ""}`;
      this.problem(document, path, rule, { code: "unknown_member", ...fix });
    }
  }

  say(
    document: SourceDocument,
    path: string,
    said: Pick<FileFinding, "severity" | "code" | "message"> & { fix?: string },
  ) {
    this.found.push({ ...sourcePlaceIn(document, path), path, fix: FIXES[said.code], ...said });
  }

  /** Collects the problems of a usage error in place of its result. */
  async gather<T>(file: string, read: () => Promise<T>): Promise<T | undefined> {
    this.files.set(file, this.files.size);
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RelayctlError) || error.failure !== "usage" || error.details.length === 0) throw error;
      this.found.push(...error.details.map((problem) => unreadFile(file, problem)));
      return undefined;
    }
  }

  findings(): readonly FileFinding[] {
    return this.sorted().map(({ problem: _, doubt: __, ...finding }) => finding);
  }

  /** Returns the doubts if nothing is certainly wrong. @throws RelayctlError usage with all, from the top */
  doubtsOnly(): Doubt[] {
    const refused = this.sorted().flatMap(({ problem, doubt, code }) => (problem ? [{ problem, doubt, code }] : []));
    const doubts = refused.flatMap(({ doubt, problem }) => (doubt ? [{ ...doubt, problem }] : []));
    if (doubts.length === refused.length) return doubts;
    const because = refused.some(({ code }) => code === "unknown_member") ? [ALLOW_UNKNOWN] : [];
    throw usageError(refused.map(({ problem }) => problem)).with({ because });
  }

  private sorted(): readonly Found[] {
    const order = ({ file, line = 0, column = 0 }: Found) => [this.files.get(file) ?? 0, line, column] as const;
    return this.found.sort((one, other) => {
      const [before, after] = [order(one), order(other)];
      return before[0] - after[0] || before[1] - after[1] || before[2] - after[2];
    });
  }
}

export const UNKNOWN = `unknown to relayctl ${VERSION.replace(/\.[0-9]+$/, "")}`;

const ALLOW_UNKNOWN = "--allow-unknown leaves members out that this version of relayctl does not know";

function unreadFile(file: string, problem: Problem): Found {
  const [, line, column] = /:([0-9]+):([0-9]+)$/.exec(problem.where) ?? [];
  const code = line === undefined ? "unreadable" : "syntax";
  const place = line === undefined ? {} : { line: Number(line), column: Number(column) };
  return { file, ...place, path: "", severity: "error", code, message: problem.rule, fix: FIXES[code], problem };
}
