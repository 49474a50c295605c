import { type Problem, RelayctlError, usageError } from "../../errors.ts";
import type { Doubt, FileWarning } from "../desired.ts";
import type { SourceDocument } from "../source/document.ts";
import { placeIn, placeText } from "../source/place.ts";

interface PlacedProblem {
  file: string;
  line: number;
  column: number;
  problem: Problem;
  /** Whether a service may have the value nevertheless. */
  doubt?: Omit<Doubt, "problem">;
}

/** Everything that is wrong in the files of a fleet, or worth a warning, so that it is reported at once. */
export class FileReport {
  readonly warnings: FileWarning[] = [];
  private readonly found: PlacedProblem[] = [];
  /** In the order in which they are read. */
  private readonly files = new Map<string, number>();
  private readonly reported = new Map<SourceDocument, Set<string>>();

  /** @param given the value, if it may be shown @param doubt set if a service may have the value nevertheless */
  problem(document: SourceDocument, path: string, rule: string, given?: string, doubt?: PlacedProblem["doubt"]): void {
    const place = placeIn(document, path);
    const where = path === "" ? placeText(place) : `${placeText(place)} ${path}`;
    const problem = { where, rule, ...(given !== undefined && { given }) };
    this.found.push({ ...place, problem, ...(doubt && { doubt }) });
    const paths = this.reported.get(document) ?? new Set();
    this.reported.set(document, paths.add(path));
  }

  /** Returns whether a member, or what contains it, has a problem already: a second one would only confuse. */
  has(document: SourceDocument, path: string): boolean {
    const paths = this.reported.get(document);
    if (!paths) return false;
    for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) if (paths.has(at)) return true;
    return false;
  }

  warn(document: SourceDocument, path: string, text: string): void {
    this.warnings.push({ place: placeIn(document, path), text });
  }

  /** Awaits what a file contains; the problems of a usage error join the others, and the result is then undefined. */
  async gather<T>(file: string, read: () => Promise<T>): Promise<T | undefined> {
    this.files.set(file, this.files.size);
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RelayctlError) || error.failure !== "usage" || error.details.length === 0) throw error;
      this.found.push(...error.details.map((problem) => ({ file, line: 0, column: 0, problem })));
      return undefined;
    }
  }

  /** Returns the doubts if nothing is certainly wrong. @throws RelayctlError usage with all, from the top */
  doubtsOnly(): Doubt[] {
    const order = ({ file }: PlacedProblem) => this.files.get(file) ?? 0;
    this.found.sort((one, other) => order(one) - order(other) || one.line - other.line || one.column - other.column);
    const doubts = this.found.flatMap(({ doubt, problem }) => (doubt ? [{ ...doubt, problem }] : []));
    if (doubts.length === this.found.length) return doubts;
    // A misspelled member is a warning, and often why another one is missing.
    const because = this.warnings.map(({ place, text }) => `warning: ${placeText(place)}: ${text}`);
    throw usageError(this.found.map(({ problem }) => problem)).with({ because });
  }
}
